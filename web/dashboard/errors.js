// What the service refused lately, newest first.

import {h} from '../shared/dom.js';
import {dayAndClockText} from '../shared/times.js';

/** @typedef {{at: number, status: number, code: string, message: string, model: ?string}} Refusal */

const MOST = 100;

export class Errors {
  constructor() {
    /** @type {Refusal[]} */
    this.all = [];
    this.body = h('tbody');
    const heads = ['Time', 'Status', 'Code', 'Model', 'What was wrong'];
    const head = h('thead', {}, h('tr', {}, heads.map((name) => h('th', {scope: 'col'}, name))));
    const table = h('table', {class: 'results errors'}, head, this.body);
    this.element =
        h('section', {class: 'errors-section', id: 'errors', 'aria-labelledby': 'errors-title'},
          h('div', {class: 'figure-head'}, h('h2', {id: 'errors-title'}, 'Recent errors')),
          h('div', {class: 'table-box', tabindex: 0, role: 'group', 'aria-label': 'Recent errors'}, table));
  }

  /**
   * @param {Refusal[]} errors @param {boolean} full whether these are all @param {Zone} zone @param {string} model or
   *     empty for all
   */
  take(errors, full, zone, model) {
    this.all = (full ? [] : this.all).concat(errors ?? []).slice(-MOST);
    this.show(zone, model);
  }

  show(zone, model) {
    const shown = this.all.filter((one) => !model || one.model === model).reverse();
    const written = JSON.stringify([zone, shown]);
    if (written === this.written) return;
    this.written = written;
    const rows = shown.map(
        (one) =>
            h('tr', {}, h('td', {class: 'short'}, dayAndClockText(one.at, zone)),
              h('td', {class: 'short'}, String(one.status)), h('td', {class: 'short'}, one.code),
              h('td', {class: 'short'}, one.model ?? '–'), h('td', {class: 'text'}, one.message)));
    this.body.replaceChildren(...rows);
    this.element.hidden = rows.length === 0;
  }
}
