// Every learner on every stream under every delay, in numbers; a click on a heading sorts.

import {makeCheck} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {NONE} from '../shared/format.js';

import {tableColumns, tableRow} from './columns.js';

/**
 * The section around the table, which comes later. @param {boolean} several @param {boolean} narrowed
 * @param {(on: boolean) => void} narrow
 */
export function makeResults(several, narrowed, narrow) {
  const check = several ? makeCheck('only', 'Only the stream and delay chosen above', narrowed, narrow) : null;
  const head = h('div', {class: 'figure-head'}, h('h2', {}, 'Results'), check);
  return h('section', {class: 'results-section'}, head, h('div'));
}

/**
 * @param {Group[]} groups @param {{name: string, up: boolean}} sorted by which column: the caller keeps it
 * @param {() => void} changed
 */
export function makeTable(groups, sorted, changed) {
  const rows = groups.map(tableRow);
  const columns = tableColumns(rows);
  const body = h('tbody');
  const heads = columns.map((column) => makeHeading(column, () => sortBy(column)));
  const direction = (column) => (column.name !== sorted.name ? 'none' : sorted.up ? 'ascending' : 'descending');
  const write = () => {
    heads.forEach((head, k) => head.setAttribute('aria-sort', direction(columns[k])));
    const ordered = orderedRows(rows, columns.find((column) => column.name === sorted.name), sorted.up);
    body.replaceChildren(
        ...ordered.map((row) => h('tr', {}, columns.map((column, k) => makeCell(column, row, k === 0)))));
  };
  const sortBy = (column) => {
    sorted.up = sorted.name === column.name ? !sorted.up : true;
    sorted.name = column.name;
    write();
    changed();
  };
  write();
  const table = h('table', {class: 'results'}, h('thead', {}, h('tr', {}, heads)), body);
  return h('div', {class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'Results'}, table);
}

/** @param {Column} column @param {() => void} click */
function makeHeading(column, click) {
  const unit = column.unit ? h('span', {class: 'unit'}, ` ${column.unit}`) : null;
  const button = h('button', {type: 'button', title: column.about, click}, h('span', {}, column.name), unit);
  return h('th', {scope: 'col', class: classesOf(column).join(' ')}, button);
}

/** Missing numbers are quiet, and short words do not wrap. @param {Column} column @param {Row} row */
function makeCell(column, row, first) {
  const text = column.text(row);
  const classes = classesOf(column);
  if (text === NONE) classes.push('none');
  if (!column.number && text.length < 32) classes.push('short');
  const head = first ? null : `${column.name}${column.unit ? ` (${column.unit})` : ''}`;
  return h(first ? 'th' : 'td', {class: classes.join(' '), scope: first ? 'row' : null, 'data-head': head}, text);
}

/** @param {Column} column */
function classesOf(column) {
  const classes = [column.number ? 'number' : 'text'];
  if (column.after) classes.push('after');
  if (column.quiet) classes.push('quiet');
  return classes;
}

/** What has no number comes last, either way. @param {Row[]} rows @param {Column|undefined} column */
function orderedRows(rows, column, up) {
  if (!column) return rows;
  const missing = (value) => value === null || value === undefined;
  return [...rows].sort((a, b) => {
    const [x, y] = [column.order(a), column.order(b)];
    if (missing(x) || missing(y)) return Number(missing(x)) - Number(missing(y));
    const order = x < y ? -1 : x > y ? 1 : 0;
    return up ? order : -order;
  });
}
