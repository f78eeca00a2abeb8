// The models in a table that sorts and filters. It shows fifty at a time, so that thousands do not stall the page.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {download} from '../shared/files.js';
import {byteText, counted, isNumber, NONE} from '../shared/format.js';
import {ageText} from '../shared/times.js';

import {csvText, shortNumber} from './figures.js';
import {TROUBLES} from './troubles.js';

/**
 * @typedef {{name: string, about: string, created: number, rounds: number, outstanding: number, oldest: ?number,
 *            decisions_s: number, feedback_s: number, loss: ?number, constant: ?number, certificate: ?number,
 *            duplicates: number, expired: number, refused: number, bytes: number, labels: number, trouble: string[]}}
 * Row  oldest: since when it waits; bytes: of memory; labels: that the loss is of
 */

const PART = 50;

const FEW_LABELS = 100;  // before which nothing is said about being better or worse

/** Of the constant answer's loss, what the model saves; nothing while there are few labels. @param {Row} row */
export function saving(row) {
  const known = isNumber(row.loss) && row.constant > 0 && !(row.labels < FEW_LABELS);
  return known ? 1 - row.loss / row.constant : null;
}

/** What needs a look, in words; empty: nothing. @param {Row} row */
const troubleText = ({trouble}) => (trouble ?? []).map((one) => TROUBLES[one] ?? one).join(', ');

const number = (key, name, about) =>
    ({key, name, about, number: true, order: (row) => row[key], text: (row) => shortNumber(row[key])});

const COLUMNS = [
  {key: 'name', name: 'Model', about: 'Its name', order: (row) => row.name, text: (row) => row.name},
  {
    key: 'trouble',
    name: 'Needs a look',
    about: 'What is wrong; its page says more',
    order: (row) => troubleText(row) || null,
    text: (row) => troubleText(row) || NONE,
  },
  number('decisions_s', 'Decisions/s', 'Decisions a second, over the last seconds'),
  number('feedback_s', 'Feedback/s', 'Feedback a second, over the last seconds'),
  number('rounds', 'Rounds', 'Decisions since it was created'),
  number('outstanding', 'Waiting', 'Rounds waiting for feedback'),
  {
    key: 'oldest',
    name: 'Oldest',
    about: 'How long the oldest of them has waited',
    number: true,
    order: (row) => (isNumber(row.oldest) ? -row.oldest : null),
    text: (row, now) => (isNumber(row.oldest) ? ageText(now - row.oldest) : NONE),
  },
  number('loss', 'Loss', 'Mean loss over about the last thousand labels'),
  {
    key: 'saving',
    name: 'vs constant',
    about: 'The loss beside that of a constant answer over the same labels; below zero the model is better',
    number: true,
    order: (row) => (saving(row) === null ? null : -saving(row)),
    text: (row) => {
      const part = saving(row);
      return part === null ? NONE : `${part > 0 ? '−' : '+'}${Math.abs(100 * part).toFixed(1)} %`;
    },
  },
  number('certificate', 'Certificate', 'The regret that the learner cannot have exceeded'),
  number('duplicates', 'Duplicates', 'Repeated feedback'),
  number('expired', 'Expired', 'Rounds that were given up, and feedback that came after'),
  number('refused', 'Refused', 'Requests that were refused'),
  {
    key: 'bytes',
    name: 'Memory',
    about: 'Memory that the model takes',
    number: true,
    order: (row) => row.bytes,
    text: (row) => (isNumber(row.bytes) ? byteText(row.bytes) : NONE),
  },
  {key: 'about', name: 'Kind', about: 'Set, learner and loss', order: (row) => row.about, text: (row) => row.about},
];

/** What has no number comes last, either way. @param {Row[]} rows @param {string} sort */
function ordered(rows, sort) {
  const column = COLUMNS.find(({key}) => key === sort.replace(/^-/, '')) ?? COLUMNS[0];
  const way = sort.startsWith('-') ? -1 : 1;
  const missing = (value) => value === null || value === undefined;
  return [...rows].sort((a, b) => {
    const [x, y] = [column.order(a), column.order(b)];
    if (missing(x) || missing(y)) return Number(missing(x)) - Number(missing(y)) || (a.name < b.name ? -1 : 1);
    return x === y ? (a.name < b.name ? -1 : 1) : (x < y ? -way : way);
  });
}

export class ModelsTable {
  /**
   * @param {(changes: any, keep?: boolean) => void} choose puts sort, filter and part into the address
   * @param {(name: string) => string} addressOf
   */
  constructor(choose, addressOf) {
    this.choose = choose;
    this.addressOf = addressOf;
    this.rows = [];
    this.filter = h('input', {
      type: 'search',
      id: 'filter',
      placeholder: 'Filter by name or kind',
      'aria-label': 'Filter models by name or kind',
      input: () => choose({filter: this.filter.value, part: 1}, true),
    });
    this.said = h('span', {class: 'quiet-words', role: 'status'});
    this.heads = COLUMNS.map((column) => this.makeHead(column));
    this.body = h('tbody');
    this.before = makeButton('Previous', () => choose({part: this.part - 1}), {id: 'before'});
    this.after = makeButton('Next', () => choose({part: this.part + 1}), {id: 'after'});
    this.parts = h('div', {class: 'parts'}, this.before, h('span', {class: 'quiet-words'}), this.after);
    const csv =
        makeButton('Save CSV', () => this.save(), {class: 'quiet-button csv', 'aria-label': 'Save CSV: models'});
    this.table = h('table', {class: 'results models'}, h('thead', {}, h('tr', {}, this.heads)), this.body);
    this.element =
        h('section', {class: 'models-section', 'aria-labelledby': 'models-title'},
          h('div', {class: 'figure-head'}, h('h2', {id: 'models-title'}, 'Models'),
            h('div', {class: 'tools'}, this.said, this.filter, csv)),
          h('div', {class: 'table-box', tabindex: 0, role: 'group', 'aria-label': 'Models'}, this.table), this.parts);
    /** @type {Map<string, HTMLTableRowElement>} */
    this.drawn = new Map();
  }

  makeHead(column) {
    const click = () => {
      const first = column.number ? `-${column.key}` : column.key;
      const other = column.number ? column.key : `-${column.key}`;
      this.choose({sort: this.sort === first ? other : first, part: 1});
    };
    const button = h('button', {type: 'button', title: column.about, click}, h('span', {}, column.name));
    return h('th', {scope: 'col', class: column.number ? 'number' : 'text', 'data-key': column.key}, button);
  }

  /** @param {Row[]} rows @param {State} state @param {number} now */
  show(rows, state, now) {
    this.sort = state.sort;
    if (document.activeElement !== this.filter) this.filter.value = state.filter;
    const words = state.filter.toLowerCase().split(/\s+/).filter((word) => word);
    const found = rows.filter((row) => words.every((word) => `${row.name} ${row.about}`.toLowerCase().includes(word)));
    const last = Math.max(1, Math.ceil(found.length / PART));
    this.part = Math.min(state.part, last);
    this.rows = ordered(found, state.sort);
    this.writeHeads(state.sort);
    this.table.classList.toggle('calm', !rows.some((row) => row.trouble?.length));
    this.writeRows(this.rows.slice((this.part - 1) * PART, this.part * PART), now);
    const said = words.length ? `${found.length} of ${counted(rows.length, 'model')}` : counted(rows.length, 'model');
    if (this.said.textContent !== said) this.said.textContent = said;
    this.parts.hidden = last === 1;
    this.parts.children[1].textContent = `${this.part} of ${last}`;
    this.before.disabled = this.part === 1;
    this.after.disabled = this.part === last;
  }

  writeHeads(sort) {
    this.heads.forEach((head, k) => {
      const own = COLUMNS[k].key === sort.replace(/^-/, '');
      // What an age or a saving says grows as its order falls.
      head.setAttribute('aria-sort', own ? (sort.startsWith('-') ? 'descending' : 'ascending') : 'none');
    });
  }

  /** Rows stay the same elements while they are shown, so that the focus and a selection stay too. */
  writeRows(rows, now) {
    const old = this.drawn;
    this.drawn = new Map();
    for (const row of rows) {
      const element = old.get(row.name) ?? this.makeRow(row);
      this.drawn.set(row.name, element);
      element.firstChild.firstChild.href = this.addressOf(row.name);
      COLUMNS.forEach((column, k) => {
        const text = column.text(row, now);
        const cell = k === 0 ? element.firstChild.firstChild : element.children[k];
        if (cell.textContent === text) return;
        cell.textContent = text;
        if (k > 0) cell.classList.toggle('none', text === NONE);
        if (column.key === 'trouble') cell.classList.toggle('worse', text !== NONE);
        if (column.key === 'saving') cell.classList.toggle('worse', text.startsWith('+'));
      });
    }
    const elements = [...this.drawn.values()];
    if (elements.length === this.body.children.length && elements.every((one, k) => this.body.children[k] === one))
      return;
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    if (elements.length === 0) {
      elements.push(h('tr', {}, h('td', {colspan: COLUMNS.length, class: 'quiet'}, 'No model here yet.')));
    }
    this.body.replaceChildren(...elements);
    if (focused?.isConnected) focused.focus({preventScroll: true});
  }

  makeRow(row) {
    const cells = COLUMNS.slice(1).map(
        (column) => h('td', {class: column.number ? 'number' : 'text short', 'data-key': column.key}));
    return h(
        'tr', {'data-model': row.name}, h('th', {scope: 'row'}, h('a', {href: this.addressOf(row.name)}, '')), cells);
  }

  save() {
    const keys = [
      'name', 'about', 'rounds', 'outstanding', 'oldest', 'decisions_s', 'feedback_s', 'loss', 'constant',
      'certificate', 'duplicates', 'expired', 'refused', 'bytes', 'trouble'
    ];
    const value = (row, key) =>
        (key === 'oldest' && isNumber(row.oldest) ? new Date(row.oldest).toISOString() :
             key === 'trouble'                    ? troubleText(row) :
                                                    row[key] ?? '');
    download(
        csvText([keys, ...this.rows.map((row) => keys.map((key) => value(row, key)))]), 'tarry_models.csv', 'text/csv');
  }
}
