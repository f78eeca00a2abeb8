// The first page: what the service does, what is late, and whether the models are still good.

import {h} from '../shared/dom.js';
import {grouped, isNumber, significant} from '../shared/format.js';
import {smallest} from '../shared/lists.js';
import {ageText} from '../shared/times.js';

import {Board} from './board.js';
import {Errors} from './errors.js';
import {SERVICE_FIGURES, shortNumber} from './figures.js';
import {ModelsTable, saving} from './models_table.js';
import {Points} from './points.js';
import {makeCopies} from './requests.js';
import {Tiles} from './tiles.js';

export class Overview {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.tiles = new Tiles();
    this.table = new ModelsTable(
        (changes, quiet) => app.choose(changes, quiet), (name) => app.addressOf({page: 'model', model: name}));
    this.board = new Board(SERVICE_FIGURES, () => app.theme);
    this.errors = new Errors();
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    /** @type {?Points} */
    this.points = null;
    const withToken = () => app.service.token !== null;
    const request = (what, path) =>
        h('li', {}, h('code', {}, `GET ${path}`), ` ${what} `,
          makeCopies(what, () => ({method: 'GET', path}), withToken));
    this.element =
        h('div', {class: 'page'}, h('h1', {class: 'off-screen'}, 'Overview'), this.tiles.element, this.table.element,
          this.board.element, this.errors.element,
          h('details', {class: 'spec'}, h('summary', {}, 'The requests of this page'),
            h('ul', {class: 'requests'}, request('the models', 'v1/models'),
              request('all of this page, as lines of JSON', 'v1/live?range=10m'),
              request('the same for Prometheus', 'metrics'))));
  }

  get livePath() {
    return `v1/live?range=${this.app.state.range}`;
  }

  /** A line of the stream. */
  take(line) {
    if (line.full) this.rows.clear();
    for (const row of line.models ?? []) this.rows.set(row.name, row);
    for (const name of line.gone ?? []) this.rows.delete(name);
    if (line.full) {
      this.points = new Points(line);
    } else {
      this.points?.take(line);
    }
    this.delays = line.delays ?? this.delays;
    this.errors.take(line.errors, !!line.full, this.app.state.zone, '');
    this.draw();
  }

  draw() {
    if (!this.points) return;
    const {state} = this.app;
    const rows = [...this.rows.values()];
    this.tiles.show(this.numbers(rows));
    this.table.show(rows, state, this.points.now);
    this.board.show(
        {points: this.points, delays: this.delays, zone: state.zone, subtitle: 'all models', ofModel: false});
    this.errors.show(state.zone, '');
  }

  /** @param {Row[]} rows @returns {Tile[]} */
  numbers(rows) {
    const sum = (key) => rows.reduce((total, row) => total + (row[key] ?? 0), 0);
    const oldest = smallest(rows.map((row) => row.oldest).filter(isNumber));
    const late = rows.find((row) => row.oldest === oldest);
    const judged = rows.map(saving).filter(isNumber);
    const worse = judged.filter((part) => part < 0).length;
    const troubled = rows.filter((row) => row.trouble?.length).length;
    const looks = troubled === 0 ? '' : `${troubled} ${troubled === 1 ? 'needs' : 'need'} a look`;
    return [
      {
        name: 'Decisions a second',
        text: significant(sum('decisions_s'), 3),
        about: `${grouped(String(sum('rounds')))} in all`
      },
      {name: 'Feedback a second', text: significant(sum('feedback_s'), 3)},
      {name: 'Waiting for feedback', text: grouped(String(sum('outstanding')))},
      {
        name: 'Oldest',
        text: Number.isFinite(oldest) ? ageText(this.points.now - oldest) : '–',
        about: late ? `of ${late.name}` : ''
      },
      {
        name: 'Better than a constant',
        text: judged.length ? `${judged.length - worse} of ${judged.length}` : '–',
        about: [judged.length ? 'models with labels' : 'few labels yet', looks].filter((text) => text).join('; ')
      },
      {name: 'Refused', text: shortNumber(this.refused()), about: `in the last ${this.app.rangeText}`},
    ];
  }

  /** How many requests were refused in the range. */
  refused() {
    return this.points.column('refused').reduce((total, count) => total + count, 0);
  }
}
