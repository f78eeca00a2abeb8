// How a table was read: each column, what it was taken for, and why it was left out; and how many labels of each class
// there were, and how late they came.

import {h, s} from '../shared/dom.js';
import {grouped} from '../shared/format.js';
import {largest} from '../shared/lists.js';
import {ageText} from '../shared/times.js';

import {makeHead} from './heads.js';

/**
 * @typedef {{label: string, labels: number, seconds: {half: number, nine_in_ten: number, longest: number}}} ClassWaits
 * @typedef {{name: string, role: string, kind: string, unit: string, why: string}} Column
 * @typedef {{stream: string, read_as: string[], by_class?: ClassWaits[], columns?: Column[],
 *            label?: {column: string, positive: string, unit: string},
 *            waits?: {edges: number[], counts: number[]}}} Reading
 */

/** @param {any} data @param {string} stream @returns {?Reading} */
export function readingOf(data, stream) {
  return (data.readings ?? []).find((one) => one.stream === stream) ?? null;
}

/** What is read of data that has no columns, in the header. @param {Reading} reading */
export function makeReadingLine(reading) {
  return h('p', {class: 'reading'}, h('b', {}, reading.stream), ` read as ${reading.read_as.join('; ')}.`);
}

const ROLES = {
  event_time: 'when the row was seen',
  feedback_time: 'when the label was known',
  due: 'when the label is due',
  label: 'the label',
  feature: 'feature',
  ignored: 'left out',
};
const OF_COLUMNS = /^(event time|no time|numbers:|words:|text:|sets:|ignored:)/;  // said by the table itself

/** @param {?Reading} reading */
export function makeColumns(reading) {
  if (!reading?.columns) return [];
  const order = ['event_time', 'feedback_time', 'due', 'label', 'feature', 'ignored'];
  const columns = [...reading.columns].sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role));
  const row = ({name, role, kind, unit, why}) =>
      h('tr', {class: role}, h('th', {scope: 'row'}, name), cell('Taken for', ROLES[role] ?? role),
        cell('Kind', unit ? `${kind}, in ${unit}` : kind), cell('Why', why ?? ''));
  const cell = (head, text) => h('td', {class: 'text', 'data-head': head}, text);
  const head = ['Column', 'Taken for', 'Kind', 'Why'].map((text) => h('th', {scope: 'col', class: 'text'}, text));
  const notes = reading.read_as.filter((line) => !OF_COLUMNS.test(line));
  const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
  return [
    h('div', {class: 'figure-head'}, h('h2', {}, 'How the table was read')),
    h('div', {class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'Columns'},
      h('table', {class: 'results stacked columns'}, h('thead', {}, h('tr', {}, head)),
        h('tbody', {}, columns.map(row)))),
    ...(notes.length ? [h('p', {class: 'note reading'}, notes.map(sentence).join(' '))] : []),
  ];
}

/** A bar as long as a share. @param {number} share @param {Theme} theme */
function bar(share, theme) {
  return s(
      'svg', {width: 120, height: 10, viewBox: '0 0 120 10', class: 'bar-picture', 'aria-hidden': 'true'},
      s('rect', {width: Math.max(1, 120 * share).toFixed(1), height: 10, rx: 2, fill: theme.bar}));
}

/** The balance of the classes, and how late their labels are. @param {?Reading} reading @param {Theme} theme */
export function makeClasses(reading, theme) {
  const classes = reading?.by_class;
  if (!classes) return [];
  const all = classes.reduce((sum, one) => sum + one.labels, 0);
  const most = largest(classes.map((one) => one.labels));
  const heads = ['Label', 'Came', 'Share', '', 'Half within', '9 in 10 within', 'Longest'];
  const kind = (text) => (text === 'Label' ? 'text' : text ? 'number' : 'bar-head');
  const head = heads.map((text) => makeHead(text, kind(text)));
  const cell = (name, text) => h('td', {class: 'number', 'data-head': name}, text);
  const makeRow = ({label, labels, seconds}) => h(
      'tr', {}, h('th', {scope: 'row'}, label), cell('Came', grouped(String(labels))),
      cell('Share', `${((100 * labels) / all).toFixed(1)} %`), h('td', {class: 'bar-cell'}, bar(labels / most, theme)),
      ...[['Half within', seconds.half], ['9 in 10 within', seconds.nine_in_ten], ['Longest', seconds.longest]].map(
          ([name, wait]) => cell(name, ageText(1000 * wait))));
  return [
    h('div', {class: 'figure-head'}, h('h2', {}, 'Labels by class')),
    h('div', {class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'Labels by class'},
      h('table', {class: 'results stacked by-class'}, h('caption', {}, 'How late labels are, by class'),
        h('thead', {}, h('tr', {}, head)), h('tbody', {}, classes.map(makeRow)))),
  ];
}
