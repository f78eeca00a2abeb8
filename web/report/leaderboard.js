// The learners of the chosen stream and delay, best first, and what lateness costs each.

import {h, s} from '../shared/dom.js';
import {decimalsFor, fixed, grouped, isNumber, NONE} from '../shared/format.js';
import {largest, smallest} from '../shared/lists.js';
import {styleOf, swatch} from '../shared/palette.js';

import {metricHeading} from './columns.js';
import {metricName} from './figures.js';
import {makeHead} from './heads.js';

/**
 * @typedef {{learner: string, value: ?number, undelayed: ?number, lateness: ?number, lost: ?number,
 *            on_its_way: ?number}} BoardRow
 * @typedef {{stream: string, delay: string, metric: string, compared_to: ?string, rows: BoardRow[]}} Board
 */

/** The board of one stream and delay; null where its runs make no predictions, or there is nobody to rank. */
export function boardOf(data, stream, delay) {
  /** @type {Board|undefined} */
  const board = (data.leaderboards ?? []).find((one) => one.stream === stream && one.delay === delay);
  return board && (board.rows.length > 1 || board.compared_to !== null) ? board : null;
}

/**
 * Late labels before none: the longest delay that stands beside the undelayed case, if any.
 * @param {Group[]} groups of one stream
 */
export function startingDelay(data, groups) {
  const {stream, delay} = groups[0];
  const late = (data.leaderboards ?? []).filter((board) => board.stream === stream && board.compared_to !== null);
  const meanOf = (name) =>
      largest(groups.filter((group) => group.delay === name).map((group) => group.runs[0].delays?.mean ?? 0));
  return late.map((board) => board.delay)
      .reduce((one, other) => (meanOf(other) > meanOf(one) ? other : one), late[0]?.delay ?? delay);
}

/** @param {?Board} board @param {Group[]} groups for the learners' styles @param {Theme} theme */
export function makeLeaderboard(board, groups, theme) {
  if (!board) return [];
  const compared = board.compared_to !== null;
  const values = board.rows.flatMap((row) => [row.value, row.undelayed]).filter(isNumber);
  const decimals = decimalsFor(values);
  const number = (value, head) =>
      h('td', {class: isNumber(value) ? 'number' : 'number none', 'data-head': head}, fixed(value, decimals));
  const styleIndex = (name) => groups.find((group) => group.runs[0].learner === name)?.index ?? 7;
  const makeRow = (row, k) => {
    const index = styleIndex(row.learner);
    const name = h('th', {scope: 'row'}, h('span', {class: 'player'}, swatch(index, theme), row.learner));
    const beside = compared ?
        [
          number(row.undelayed, 'Undelayed'), h('td', {class: 'span'}, drawPair(row, values, index, theme)),
          latenessCell(row)
        ] :
        [];
    return h(
        'tr', {}, h('td', {class: 'number rank'}, String(k + 1)), name, number(row.value, metricHeading(board.metric)),
        ...beside, shareCell(row.lost, 'Labels lost'), shareCell(row.on_its_way, 'On their way'));
  };
  const heads = ['Rank', 'Learner', metricHeading(board.metric)];
  if (compared) heads.push('Undelayed', '', 'Lateness costs');
  heads.push('Labels lost', 'On their way');
  const kind = (text) => (text === 'Learner' ? 'text' : text === '' ? 'span-head' : 'number');
  const head = heads.map((text) => makeHead(text, kind(text)));
  const table =
      h('table', {class: 'results stacked board'}, h('thead', {}, h('tr', {}, head)),
        h('tbody', {}, board.rows.map(makeRow)));
  return [
    h('div', {class: 'figure-head'}, h('h2', {}, 'Leaderboard')),
    h('div', {class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'Leaderboard'}, table),
    h('p', {class: 'note'}, boardText(board)),
  ];
}

/** @param {Board} board */
function boardText(board) {
  const better = ['wealth', 'gain', 'reward'].includes(board.metric) ? 'more is better' : 'less is better';
  const metric = metricName(board.metric);
  const said = `${metric[0].toUpperCase()}${metric.slice(1)} over all of it, each prediction judged by its own label, `;
  const ranked = `${said}whenever that was seen; ${better}.`;
  if (board.compared_to === null) return ranked;
  return `${ranked} Undelayed: the same stream under "${board.compared_to}"; hollow in the picture.`;
}

/** @param {BoardRow} row */
function latenessCell(row) {
  const named = {'data-head': 'Lateness costs'};
  if (!isNumber(row.lateness)) return h('td', {class: 'number none', ...named}, NONE);
  const percent = Math.abs(row.lateness) < 5e-4 ? 0 : 100 * row.lateness;  // no sign where it would read as 0.0
  const sign = percent > 0 ? '+' : '';
  return h('td', {class: 'number', ...named}, `${sign}${grouped(percent.toFixed(1))} %`);
}

/** @param {?number} share @param {string} head */
function shareCell(share, head) {
  return h('td', {class: 'number quiet', 'data-head': head}, isNumber(share) ? `${(100 * share).toFixed(1)} %` : NONE);
}

const ASTRAY = 1000;  // times the best
const PAIR = {
  width: 180,
  height: 18,
  side: 7
};

/** From the metric without delay (hollow) to that with it, on one scale for all rows. @param {number[]} all */
function drawPair(row, all, index, theme) {
  const svg = s('svg', {
    width: PAIR.width,
    height: PAIR.height,
    viewBox: `0 0 ${PAIR.width} ${PAIR.height}`,
    class: 'pair',
    'aria-hidden': 'true'
  });
  const low = smallest(all);
  const high = largest(all.filter((v) => !(low > 0) || v <= ASTRAY * low));  // the others end at the margin
  const log = low > 0 && high > 10 * low;  // one that went astray must not hide the others
  const scaled = (v) => (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low || 1));
  const at = (v) => PAIR.side + Math.min(1, scaled(v)) * (PAIR.width - 2 * PAIR.side);
  const [middle, colour] = [PAIR.height / 2, theme.colours[styleOf(index).colour]];
  svg.append(s('path', {d: `M${PAIR.side},${middle}H${PAIR.width - PAIR.side}`, stroke: theme.grid}));
  if (!isNumber(row.value) || !isNumber(row.undelayed)) return svg;
  const [from, to] = [at(row.undelayed), at(row.value)];
  svg.append(
      s('path', {
        class: 'gap',
        d: `M${from.toFixed(1)},${middle}H${to.toFixed(1)}`,
        stroke: colour,
        'stroke-width': 3,
        'stroke-opacity': 0.45
      }),
      s('circle',
        {class: 'off', cx: from.toFixed(1), cy: middle, r: 4, fill: theme.paper, stroke: colour, 'stroke-width': 1.6}),
      s('circle', {class: 'on', cx: to.toFixed(1), cy: middle, r: 4, fill: colour}));
  return svg;
}
