// Models that play the same rounds unseen: how they do beside the one that decides, and buttons to try, promote and
// remove one.

import {makeButton, refill} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {counted, grouped, isNumber} from '../shared/format.js';

import {labelled} from './by_hand.js';
import {shortNumber} from './figures.js';
import {errorOf} from './service.js';

/**
 * @typedef {{name: string, verdict: string, rounds: number, labels: number, compared: number, left_out: number,
 *   champion_loss?: number, loss?: number, difference?: number, low?: number, high?: number, range?: number,
 *   clipped?: number, failure?: string, spec: object}} One
 * @typedef {{champion: string, challengers: One[]}} View
 */

/** What is known of it. @param {One} one */
export function sentenceOf(one) {
  if (one.verdict === 'failed') return `could not take what the model takes: ${one.failure}.`;
  if (one.verdict === 'too early')
    return `has learnt from ${counted(one.labels, 'label')}: too early. Rounds count after 100.`;
  if (one.verdict === 'unclear') return 'and the model: no difference can be told yet.';
  const by = `${shortNumber(one.verdict === 'better' ? -one.high : one.low)} a round or more`;
  return one.verdict === 'better' ? `loses less, by ${by}.` : `loses more, by ${by}.`;
}

/** For CSV. @param {View} view */
export function challengerRows(view) {
  const keys = [
    'name', 'verdict', 'rounds', 'labels', 'compared', 'left_out', 'champion_loss', 'loss', 'difference', 'low', 'high',
    'range', 'clipped'
  ];
  return [keys, ...view.challengers.map((one) => keys.map((key) => one[key] ?? ''))];
}

/** What the small form says, as a request's body; null: it is no object. @param {string} text */
export function patchOf(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

export class Challengers {
  /** @param {App} app @param {string} model @param {() => void} changed */
  constructor(app, model, changed) {
    this.app = app;
    this.path = `v1/models/${model}`;
    this.changed = changed;
    this.list = h('div');
    this.said = h('p', {class: 'worse', role: 'alert', hidden: true});
    this.name = h('input', {type: 'text', autocomplete: 'off', spellcheck: 'false', class: 'code', value: 'other'});
    this.patch =
        h('input', {type: 'text', autocomplete: 'off', spellcheck: 'false', class: 'code', value: '{"bends": false}'});
    const send = (event) => {
      event.preventDefault();
      this.tryOwn();
    };
    const form =
        h('form', {submit: send},
          h('div', {class: 'pair-of-fields'}, labelled('challenger', 'Name', this.name),
            labelled('patch', 'What is different, as JSON', this.patch)),
          h('div', {class: 'tools'}, makeButton('Try it', () => {}, {type: 'submit', id: 'challenge'})));
    this.without = makeButton('Try without products', () => this.start('no-products', {products: false}));
    this.element =
        h('div', {class: 'challengers'}, this.list, h('div', {class: 'tools'}, this.without), form, this.said);
  }

  /** @param {View} view @param {object} spec of the model */
  show(view, spec) {
    const written = JSON.stringify([view, spec.products ?? 0]);
    if (written === this.written) return;
    this.written = written;
    this.without.hidden = !spec.products || view.challengers.some(({name}) => name === 'no-products');
    const cell = (text) => h('td', {class: 'short'}, text);
    const interval = ({low, high}) =>
        (isNumber(low) && isNumber(high) ? `${shortNumber(low)} to ${shortNumber(high)}` : '–');
    const number = (x) => (isNumber(x) ? shortNumber(x) : '–');
    const row = (one) =>
        h('tr', {}, h('th', {scope: 'row'}, one.name), cell(grouped(String(one.compared))),
          cell(number(one.champion_loss)), cell(number(one.loss)), cell(number(one.difference)), cell(interval(one)));
    const heads = ['Challenger', 'Rounds', 'Model’s loss', 'Its loss', 'Difference', '95 %'].map(
        (text) => h('th', {scope: 'col'}, text));
    const table =
        h('table', {class: 'results'}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, view.challengers.map(row)));
    const block = (one) => {
      const failed = one.verdict === 'failed' ? {disabled: true} : {};
      return h(
          'div', {'data-challenger': one.name, 'data-verdict': one.verdict},
          h('p', {}, h('strong', {}, one.name), ` ${sentenceOf(one)}`),
          h('div', {class: 'tools'},
            makeButton('Promote', () => this.promote(one.name), {'aria-label': `Promote ${one.name}`, ...failed}),
            makeButton('Remove', () => this.remove(one.name), {'aria-label': `Remove ${one.name}`})));
    };
    const ranges =
        view.challengers.filter(({range}) => isNumber(range))
            .map(({name, range, clipped}) => `±${shortNumber(range)} (${name}: ${counted(clipped, 'round')})`);
    const about = [
      h('p', {class: 'quiet'},
        'Challengers play the same rounds, and nobody sees what they say. Compared are rounds in the order in which ' +
            'they were played, up to the first whose label is awaited.'),
      ...(ranges.length ? [h('p', {class: 'quiet'}, `Larger differences are clipped to ${ranges.join(', ')}.`)] : []),
    ];
    const box = h('div', {class: 'table-box', tabindex: 0, role: 'group', 'aria-label': 'Challengers'}, table);
    const decides = view.champion === 'original' ? [] : [h('p', {}, `${view.champion} decides.`)];
    refill(
        this.list, [...decides, ...(view.challengers.length ? [box] : []), ...view.challengers.map(block), ...about]);
  }

  tryOwn() {
    const patch = patchOf(this.patch.value);
    if (patch) return this.start(this.name.value, patch);
    return this.say('What is different must be a JSON object, such as {"products": false}.');
  }

  start(name, patch) {
    return this.ask('PUT', `${this.path}/challengers/${encodeURIComponent(name)}`, JSON.stringify(patch));
  }

  promote(challenger) {
    return this.ask('POST', `${this.path}/promote`, JSON.stringify({challenger}));
  }

  remove(name) {
    return this.ask('DELETE', `${this.path}/challengers/${encodeURIComponent(name)}`);
  }

  async ask(method, path, body) {
    const reply = await this.app.service.ask(method, path, body);
    this.say(reply.status >= 200 && reply.status < 300 ? '' : errorOf(reply).message);
    this.changed();
  }

  say(text) {
    this.said.textContent = text;
    this.said.hidden = text === '';
  }
}
