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
 *   champion_loss?: number, loss?: number, champion_reward?: number, reward?: number, unrewarded?: number,
 *   difference?: number, low?: number, high?: number, range?: number, clipped?: number, expected?: Expected,
 *   failure?: string, spec: {choose?: object}}} One
 * @typedef {{so_far: ?number, expected: ?number, low: ?number, high: ?number}} Figure
 * @typedef {{verdict: string, decisions: number, share: number, loss: Figure, gain: Figure}} Expected
 * @typedef {{champion: string, challengers: One[]}} View
 */

const PATCH = '{"bends": false}';  // an example, for the form

/** What is known of it. @param {One} one */
export function sentenceOf(one) {
  if (one.verdict === 'failed') return `could not take an event that the model took: ${one.failure}.`;
  if (one.verdict === 'too early')
    return `has learnt from ${counted(one.labels, one.spec.choose ? 'reward' : 'label')}: too early. Rounds count ` +
        'after 100.';
  if (one.verdict === 'unclear') return 'and the model: no clear difference yet.';
  const less = one.verdict === 'better' ? !one.spec.choose : Boolean(one.spec.choose);
  const by = `${shortNumber(less ? -one.high : one.low)} a round or more`;
  const does = one.spec.choose ? 'would have earned' : 'loses';
  return `${does} ${less ? 'less' : 'more'}, by ${by}.`;
}

/** What is expected of its newest decisions; empty: nobody says. @param {One} one */
export function expectedSentence({expected}) {
  if (!expected) return '';
  const {decisions, share, loss, gain, verdict} = expected;
  const known = `${Math.round(100 * share)} % of the labels of its newest ${counted(decisions, 'decision')} are in`;
  if (!isNumber(loss.expected)) return `${known}: too early to say what all of them will lose.`;
  const range = ({low, high}) => `${shortNumber(low)} to ${shortNumber(high)}`;
  return `${known}. Once all have come, it is expected to lose ${shortNumber(loss.expected)} (${range(loss)}), the ` +
      `model ${shortNumber(loss.expected + gain.expected)}: ${
             verdict === 'unclear' ? 'which of them is better is not clear' : `it is ${verdict}`}.`;
}

/** For CSV. @param {View} view */
export function challengerRows(view) {
  const keys = [
    'name', 'verdict', 'rounds', 'labels', 'compared', 'left_out', 'champion_loss', 'loss', 'champion_reward', 'reward',
    'difference', 'low', 'high', 'range', 'clipped'
  ];
  const expected = ({
    expected: of
  }) => [of?.share, of?.loss.expected, of?.loss.low, of?.loss.high, of?.gain.expected, of?.gain.low, of?.gain.high];
  const heads = ['loss', 'gain'].flatMap((of) => ['', '_low', '_high'].map((end) => `expected_${of}${end}`));
  return [
    [...keys, 'share_in', ...heads],
    ...view.challengers.map((one) => [...keys.map((key) => one[key]), ...expected(one)].map((x) => x ?? ''))
  ];
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
    this.patch = h('input', {type: 'text', autocomplete: 'off', spellcheck: 'false', class: 'code', value: PATCH});
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
    if (spec.choose && this.patch.value === PATCH) this.patch.value = '{"explore": "epsilon"}';
    this.without.hidden = !spec.products || view.challengers.some(({name}) => name === 'no-products');
    const cell = (text) => h('td', {class: 'short'}, text);
    const interval = ({low, high}) =>
        (isNumber(low) && isNumber(high) ? `${shortNumber(low)} to ${shortNumber(high)}` : '–');
    const number = (x) => (isNumber(x) ? shortNumber(x) : '–');
    const row = (one) =>
        h('tr', {}, h('th', {scope: 'row'}, one.name), cell(grouped(String(one.compared))),
          cell(number(one.champion_loss ?? one.champion_reward)), cell(number(one.loss ?? one.reward)),
          cell(number(one.difference)), cell(interval(one)));
    const what = spec.choose ? 'reward' : 'loss';
    const heads = ['Challenger', 'Rounds', `Model’s ${what}`, `Its ${what}`, 'Difference', '95 %'].map(
        (text) => h('th', {scope: 'col'}, text));
    const table =
        h('table', {class: 'results'}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, view.challengers.map(row)));
    const block = (one) => {
      const failed = one.verdict === 'failed' ? {disabled: true} : {};
      return h(
          'div', {'data-challenger': one.name, 'data-verdict': one.verdict},
          h('p', {}, h('strong', {}, one.name), ` ${sentenceOf(one)}`),
          ...(one.expected ? [h('p', {class: 'expected'}, expectedSentence(one))] : []),
          h('div', {class: 'tools'},
            makeButton('Promote', () => this.promote(one.name), {'aria-label': `Promote ${one.name}`, ...failed}),
            makeButton('Remove', () => this.remove(one.name), {'aria-label': `Remove ${one.name}`})));
    };
    const ranges =
        view.challengers.filter(({range}) => isNumber(range))
            .map(({name, range, clipped}) => `±${shortNumber(range)} (${name}: ${counted(clipped, 'round')})`);
    const about = [
      h('p', {class: 'quiet'},
        `Challengers play the same rounds unseen. Rounds are compared in the order in which they were played, up to ` +
            `the first whose ${spec.choose ? 'reward' : 'label'} is awaited.`),
      ...(spec.choose && view.challengers.length ? [h('p', {class: 'quiet'},
                                                      'What a challenger would have earned is estimated from rewards ' +
                                                          'of what was shown, and how likely both were to show it.')] :
                                                   []),
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
    return this.say('The difference must be a JSON object, such as {"products": false}.');
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
