// A decision as a picture that fits its set: bars, a network, or a heat map.

import {h, s} from '../shared/dom.js';
import {counted, grouped, significant} from '../shared/format.js';
import {largest} from '../shared/lists.js';
import {placeNodes} from '../shared/network.js';
import {DARK} from '../shared/palette.js';

/**
 * @typedef {{kind: 'vector'|'flow'|'matrix', dimension: number, indices: number[], values: number[], names?: string[],
 *            rows?: number, cols?: number, shown_rows?: number[], shown_cols?: number[]}} Decision
 *   of a large one only the largest entries
 * @typedef {{name: string, value: number}} Bar
 */

/** From a value in −1 … 1 to a colour: blue below, paper at 0, orange above. @param {Theme} theme */
function heatColour(theme, share) {
  const paper = theme === DARK ? [32, 37, 42] : [246, 247, 248];
  const end = share < 0 ? (theme === DARK ? [74, 159, 224] : [0, 114, 178]) :
      theme === DARK    ? [240, 129, 74] :
                          [213, 94, 0];
  const part = Math.min(1, Math.abs(share));
  return `rgb(${paper.map((channel, i) => Math.round(channel + part * (end[i] - channel))).join(',')})`;
}

/** Bars to the right, and to the left where some are negative. @param {Bar[]} bars @param {Theme} theme */
export function drawBars(bars, theme, label) {
  const [width, height, room] = [560, 26, 170];
  const most = Math.max(1e-300, ...bars.map(({value}) => Math.abs(value)));
  const both = bars.some(({value}) => value < 0);
  const space = width - room - 70;
  const words = both ? 54 : 0;  // room for the numbers of bars to the left
  const zero = room + words + (both ? (space - words) / 2 : 0);
  const scale = (both ? (space - words) / 2 : space) / most;
  const svg = s('svg', {
    viewBox: `0 0 ${width} ${bars.length * height + 4}`,
    role: 'img',
    'aria-label': `${label}: ${bars.map(({name, value}) => `${name} ${significant(value, 3)}`).join(', ')}`,
    'font-size': 13,
    fill: theme.ink,
    class: 'bars'
  });
  bars.forEach(({name, value}, k) => {
    const length = Math.abs(value) * scale;
    const [y, x] = [k * height, value < 0 ? zero - length : zero];
    const end = value < 0 ? {x: x - 6, 'text-anchor': 'end'} : {x: x + length + 6};
    svg.append(
        s('text', {x: room - 10, y: y + 18, 'text-anchor': 'end', fill: theme.muted},
          name.length > 22 ? `${name.slice(0, 21)}…` : name),
        s('rect', {
          'data-bar': name,
          x: x.toFixed(1),
          y: y + 5,
          width: Math.max(1, length).toFixed(1),
          height: height - 9,
          rx: 2,
          fill: theme.colours[value < 0 ? 1 : 0]
        }),
        s('text', {...end, y: y + 18}, significant(value, 3)));
  });
  svg.append(s('path', {d: `M${zero},0V${bars.length * height + 2}`, stroke: theme.axis}));
  return svg;
}

/** A flow over a network: width is flow. @param {any} set its specification @param {Decision} decision */
function drawFlow(set, decision, theme) {
  const flow = new Array(set.edges.length).fill(0);
  decision.indices.forEach((edge, i) => void (flow[edge] = decision.values[i]));
  const graph =
      {nodes: set.nodes, from: set.edges.map(([from]) => from), to: set.edges.map(([, to]) => to), x: [], y: []};
  const width = 560;
  const {height, at: place} = placeNodes(graph, width);
  const turned = place(set.source)[0] > place(set.sink)[0];  // from left to right
  const at = (v) => (turned ? [width - place(v)[0], place(v)[1]] : place(v));
  const svg = s('svg', {
    viewBox: `-10 -10 ${width + 20} ${(height + 20).toFixed(1)}`,
    role: 'img',
    'aria-label': `Flow over ${counted(set.edges.length, 'edge')}`,
    'font-size': 12,
    class: 'flow'
  });
  const most = Math.max(1e-300, largest(flow));
  const order = flow.map((_, e) => e).sort((a, b) => flow[a] - flow[b]);
  for (const e of order) {
    const [[x1, y1], [x2, y2]] = [at(graph.from[e]), at(graph.to[e])];
    const used = flow[e] > 1e-9 * most;
    const path = s('path', {
      'data-edge': e,
      d: `M${x1.toFixed(1)},${y1.toFixed(1)}L${x2.toFixed(1)},${y2.toFixed(1)}`,
      stroke: used ? theme.colours[0] : theme.grid,
      'stroke-width': (1.2 + (11 * flow[e]) / most).toFixed(2),
      'stroke-opacity': used ? 0.85 : 1,
      'stroke-linecap': 'round'
    });
    path.append(s('title', {}, `${graph.from[e]} to ${graph.to[e]}: ${significant(flow[e], 3)}`));
    svg.append(path);
    if (used && set.edges.length <= 40) {
      svg.append(
          s('text', {
            x: ((x1 + x2) / 2 + 7).toFixed(1),
            y: ((y1 + y2) / 2 - 7).toFixed(1),
            fill: theme.ink,
            stroke: theme.paper,
            'stroke-width': 3,
            'paint-order': 'stroke'
          },
            significant(flow[e], 2)));
    }
  }
  for (let v = 0; v < set.nodes && set.nodes <= 80; ++v) {
    const [x, y] = at(v);
    const end = v === set.source || v === set.sink;
    svg.append(
        s('circle',
          {cx: x.toFixed(1), cy: y.toFixed(1), r: 10, fill: end ? theme.colours[1] : theme.paper, stroke: theme.axis}),
        s('text',
          {x: x.toFixed(1), y: (y + 4).toFixed(1), 'text-anchor': 'middle', fill: end ? theme.paper : theme.ink},
          String(v)));
  }
  return svg;
}

/** @param {Decision} decision @param {Theme} theme */
function drawMatrix(decision, theme) {
  const [rows, cols] = [decision.shown_rows, decision.shown_cols];
  const side = Math.min(30, 500 / cols.length);
  const most = Math.max(1e-300, ...decision.values.map(Math.abs));
  const [width, height] = [48 + cols.length * side, 30 + rows.length * side];
  const svg = s('svg', {
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'font-size': 10,
    fill: theme.muted,
    class: 'matrix',
    'aria-label': `The strongest ${rows.length} rows and ${cols.length} columns of the matrix`
  });
  decision.values.forEach((value, k) => {
    const [i, j] = [Math.floor(k / cols.length), k % cols.length];
    const cell = s('rect', {
      'data-cell': k,
      x: 44 + j * side,
      y: 24 + i * side,
      width: side - 1,
      height: side - 1,
      fill: heatColour(theme, value / most)
    });
    cell.append(s('title', {}, `row ${rows[i]}, column ${cols[j]}: ${significant(value, 3)}`));
    svg.append(cell);
  });
  rows.forEach(
      (row, i) => svg.append(s('text', {x: 38, y: 24 + (i + 0.5) * side + 3, 'text-anchor': 'end'}, String(row))));
  cols.forEach((col, j) => {
    if (side > 22 || j % 3 === 0)
      svg.append(s('text', {x: 44 + (j + 0.5) * side, y: 18, 'text-anchor': 'middle'}, String(col)));
  });
  return svg;
}

/**
 * A decision, with a sentence below. @param {?Decision} decision @param {any} set its specification @param {Theme}
 * theme
 */
export function makeDecision(decision, set, theme) {
  if (!decision) return [h('p', {class: 'note'}, 'The decision of this model is its weights.')];
  if (decision.kind === 'flow' && set?.edges) {
    return [
      drawFlow(set, decision, theme), h('p', {class: 'note'}, 'Width is flow; the source and the sink are filled.')
    ];
  }
  if (decision.kind === 'matrix') {
    const of = `${grouped(String(decision.rows))} × ${grouped(String(decision.cols))}`;
    return [
      drawMatrix(decision, theme),
      h('p', {class: 'note'}, `The strongest rows and columns of a matrix of ${of}; orange above zero, blue below.`)
    ];
  }
  const bars =
      decision.indices.map((index, k) => ({name: decision.names?.[k] ?? String(index), value: decision.values[k]}));
  const left = decision.dimension - bars.length;
  const said = left > 0 ? `The largest of ${counted(decision.dimension, 'coordinate')}; the others are smaller.` : '';
  return [drawBars(bars, theme, 'Decision'), h('p', {class: 'note'}, said)];
}

/** A decision's numbers for a file. @param {Decision} decision */
export function decisionRows(decision) {
  if (decision.kind === 'matrix') {
    const [rows, cols] = [decision.shown_rows, decision.shown_cols];
    return [
      ['row', 'column', 'value'],
      ...decision.values.map((value, k) => [rows[Math.floor(k / cols.length)], cols[k % cols.length], value])
    ];
  }
  return [
    ['index', 'name', 'value'],
    ...decision.indices.map((index, k) => [index, decision.names?.[k] ?? '', decision.values[k]])
  ];
}
