// Road networks: each learner's average flow as the width of its links, and how much longer they take as their colour.

import {h, s} from '../shared/dom.js';
import {significant} from '../shared/format.js';
import {largest} from '../shared/lists.js';
import {placeNodes} from '../shared/network.js';
import {DARK} from '../shared/palette.js';

/**
 * @typedef {{flow: number[], time: number[]}} RoadUse
 * @typedef {{stream: string, nodes: number, from: number[], to: number[], free: number[], x: number[], y: number[],
 *            equilibrium: RoadUse}} Network  x and y are empty where nobody knows the places
 */

/** @returns {?Network} */
export function networkOf(data, stream) {
  return (data.networks ?? []).find((network) => network.stream === stream) ?? null;
}

/** From as quick as on an empty road to three times as long and more. @param {Theme} theme @param {number} ratio */
function congestionColour(theme, ratio) {
  const share = Math.max(0, Math.min(1, (ratio - 1) / 2));
  const from = theme === DARK ? [95, 130, 160] : [140, 172, 196];
  const to = theme === DARK ? [255, 110, 50] : [205, 65, 0];
  return `rgb(${from.map((channel, i) => Math.round(channel + share * (to[i] - channel))).join(',')})`;
}

/** @param {Network} network @param {RoadUse} use @param {number} most the largest flow of all maps */
function drawRoads(network, use, most, label, theme) {
  const width = 320;
  const {height, at} = placeNodes(network, width);
  const svg = s('svg', {viewBox: `0 0 ${width} ${height.toFixed(1)}`, role: 'img', 'aria-label': label});
  const links = s('g', {fill: 'none', 'stroke-linecap': 'round'});
  const thickest = network.from.length > 400 ? 5 : 9;
  const order = use.flow.map((_, e) => e).sort((a, b) => use.flow[a] - use.flow[b]);
  for (const e of order) {
    const stroke = 0.4 + (thickest * use.flow[e]) / most;
    const [x1, y1] = at(network.from[e]);
    const [x2, y2] = at(network.to[e]);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] =
        [((y1 - y2) / length) * (stroke / 2 + 0.3), ((x2 - x1) / length) * (stroke / 2 + 0.3)];  // on its own side
    const slower = network.free[e] > 0 ? use.time[e] / network.free[e] : 1;
    const line = s('path', {
      d: `M${(x1 + dx).toFixed(1)},${(y1 + dy).toFixed(1)}L${(x2 + dx).toFixed(1)},${(y2 + dy).toFixed(1)}`,
      'data-link': e,
      stroke: congestionColour(theme, slower),
      'stroke-width': stroke.toFixed(2),
    });
    line.append(
        s('title', {},
          `${network.from[e] + 1} to ${network.to[e] + 1}: flow ${significant(use.flow[e])}, ` +
              `time ${significant(use.time[e])}`));
    links.append(line);
  }
  svg.append(links);
  if (network.nodes <= 60) {
    for (let v = 0; v < network.nodes; ++v) {
      const [x, y] = at(v);
      svg.append(s('circle', {cx: x.toFixed(1), cy: y.toFixed(1), r: 3.2, fill: theme.paper, stroke: theme.axis}));
    }
  }
  return svg;
}

/** The mean over the seeds. @param {Group} group @returns {?RoadUse} */
function meanUse(group) {
  const uses = group.runs.map((run) => run.roads).filter((use) => use);
  if (uses.length === 0) return null;
  const mean = (pick) => pick(uses[0]).map((_, e) => uses.reduce((sum, use) => sum + pick(use)[e], 0) / uses.length);
  return {flow: mean((use) => use.flow), time: mean((use) => use.time)};
}

/** A map for each learner, and one of the equilibrium. @param {?Network} network @param {Group[]} groups */
export function makeRoads(network, groups, theme) {
  if (!network) return [];
  const maps = groups.map((group) => ({name: group.name, use: meanUse(group)})).filter(({use}) => use);
  maps.push({name: 'users’ equilibrium', use: network.equilibrium});
  const most = Math.max(...maps.map(({use}) => largest(use.flow)), 1e-300);
  const drawn = maps.map(
      ({name, use}) =>
          h('div', {class: 'map', 'data-map': name}, h('h3', {}, name),
            drawRoads(network, use, most, `The roads under ${name}`, theme)));
  const places = network.x.length === network.nodes ? '' : ' The places of the nodes are unknown; these were made up.';
  return [
    h('div', {class: 'figure-head'}, h('h2', {}, 'Average flow on the roads')), h('div', {class: 'maps'}, drawn),
    h('p', {class: 'note'},
      `Width is flow, each direction on its own side. Colour is time, from that of an empty road to three times as much and more.${
          places}`)
  ];
}
