// One round of a model, looked up by its key, its ticket or its number; or the rounds behind an alarm.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {grouped} from '../shared/format.js';
import {ageText, dayAndClockText} from '../shared/times.js';

import {isTicket, labelled} from './by_hand.js';
import {drawBars} from './decision.js';
import {shortNumber} from './figures.js';
import {errorOf} from './service.js';

const MOST_PARTS = 12;

/** A value as people read it. @param {any} value */
function words(value) {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return shortNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as it came. @param {any} value */
function exact(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A form that leads to the page of a round. @param {App} app @param {string} model */
export function makeFinder(app, model) {
  const text = h('input', {type: 'search', autocomplete: 'off', spellcheck: 'false', required: true});
  text.value = app.state.model === model ? app.state.find : '';
  const find = (event) => {
    event.preventDefault();
    if (text.value.trim()) app.choose({page: 'rounds', model, find: text.value.trim(), alarm: ''});
  };
  return h(
      'form', {class: 'finder', role: 'search', submit: find},
      labelled('find', 'Find a round by key, ticket or #number', text),
      makeButton('Find', () => {}, {type: 'submit', class: 'main-button', id: 'find-button'}));
}

/** @param {App} app @param {string} model @param {number} round */
export function roundLink(app, model, round) {
  return h('a', {href: app.addressOf({page: 'rounds', model, find: `#${round}`, alarm: ''})}, grouped(String(round)));
}

export class RoundsPage {
  /** @param {App} app @param {string} model */
  constructor(app, model) {
    this.app = app;
    this.model = model;
    this.title = h('h1', {}, 'Rounds');
    this.said = h('p', {class: 'answer bad', role: 'alert', hidden: true});
    this.content = h('div', {class: 'two state'});
    const back = h('a', {href: app.addressOf({page: 'model', model, find: '', alarm: ''})}, model);
    this.about = h('p', {class: 'summary'});
    this.element =
        h('div', {class: 'page rounds'},
          h('div', {class: 'title'}, h('p', {class: 'quiet'}, 'Model ', back), this.title, this.about),
          makeFinder(app, model), this.said, this.content);
  }

  /** Only whether the service is there and the token is right. */
  get livePath() {
    return `v1/live?range=10m&model=${this.model}`;
  }

  take() {
    if (!this.asked) this.look();
  }

  draw() {
    if (this.reply) this.show(this.reply);
  }

  get path() {
    return `v1/models/${this.model}/rounds`;
  }

  async look() {
    this.asked = true;
    const {find, alarm} = this.app.state;
    const by = (name, value) => this.app.service.ask('GET', `${this.path}?${name}=${encodeURIComponent(value)}`);
    let reply = null;
    if (alarm)
      reply = await by('alarm', alarm);
    else if (/^#\d+$/.test(find))
      reply = await by('round', find.slice(1));
    else if (isTicket(find))
      reply = await by('ticket', find);
    if (!alarm && find && (!reply || [403, 404].includes(reply.status)) && !find.startsWith('#'))
      reply = await by('key', find);
    if (reply?.status === 404 && /^\d+$/.test(find)) reply = await by('round', find);
    if (reply) this.show(reply);
  }

  show(reply) {
    const good = reply.status === 200;
    this.said.hidden = good;
    if (!good) {
      const error = errorOf(reply);
      this.said.textContent = `${reply.status || 'No answer'}: ${error.message}`;
      return;
    }
    this.reply = reply;
    if (reply.json.rounds) return this.showAlarm(reply.json);
    this.showRound(reply.json);
  }

  time(seconds) {
    const ms = 1000 * seconds;
    return h('time', {datetime: new Date(ms).toISOString()}, dayAndClockText(ms, this.app.state.zone));
  }

  section(id, title, ...content) {
    return h(
        'section', {id, 'aria-labelledby': `${id}-title`},
        h('div', {class: 'figure-head'}, h('h2', {id: `${id}-title`}, title)), ...content);
  }

  showRound(round) {
    this.title.textContent = `Round ${grouped(String(round.round))}`;
    this.about.textContent = round.key ?? '';
    const facts = [];
    const fact = (name, ...value) => facts.push(h('dt', {}, name), h('dd', {}, ...value));
    if (round.played) fact('decided', this.time(round.played));
    if (round.action !== undefined)
      fact('action', `${round.action}, with probability ${shortNumber(round.probability)}`);
    if (round.prediction !== undefined) fact('prediction', words(round.prediction));
    if (round.now) fact('the model now says', words(round.now.prediction));
    if (round.waits !== undefined)
      fact('state', `${round.state}, for ${ageText(1000 * round.waits)} so far`);
    else
      fact('state', round.state);
    for (const one of round.feedback) {
      const after = one.after === undefined ? [] : [`, ${ageText(1000 * one.after)} after the decision`];
      const what = one.expired ? 'given up' : one.void ? 'void' : one.gradient ? 'gradient' : 'label';
      const value = one.label ?? one.loss;
      fact(what, value === undefined ? '' : `${words(value)}, `, this.time(one.at), ...after);
    }
    const unknown = round.unknown.map((text) => h('p', {class: 'note'}, `Not known: ${text}.`));
    const parts = [this.section('round', 'What happened', h('dl', {class: 'facts'}, facts), ...unknown)];
    const given = round.features ?? round.context;
    if (given) parts.push(this.section('features', round.context ? 'Context' : 'Features', this.featureTable(given)));
    const output = this.outputOf(round.now?.explanation);
    if (output?.parts.length) {
      const bars = output.parts.slice(0, MOST_PARTS).map(({name, adds}) => ({name, value: adds}));
      const of = output.class ? ` of ${output.class}` : '';
      parts.push(this.section(
          'explanation', 'What contributes', h('div', {class: 'picture'}, drawBars(bars, this.app.theme, 'Adds')),
          h('p', {class: 'note'},
            `What each feature adds to the ${round.now.explanation.score_is}${
                of}, by the model as it is now. It may have learnt since the decision.`)));
    }
    this.content.replaceChildren(...parts);
  }

  /** Of several classes, the likeliest one's. */
  outputOf(explanation) {
    if (!explanation) return null;
    return explanation.outputs.reduce((best, one) => (one.score > best.score ? one : best));
  }

  featureTable(features) {
    const rows = Array.isArray(features) ? features.map((value, k) => [String(k), value]) : Object.entries(features);
    const row = ([name, value]) =>
        h('tr', {}, h('th', {scope: 'row', class: 'short'}, name), h('td', {}, exact(value)));
    return h(
        'div', {class: 'table-box', tabindex: 0, role: 'group', 'aria-label': 'Features'},
        h('table', {class: 'results'}, h('tbody', {}, rows.map(row))));
  }

  showAlarm(alarm) {
    this.title.textContent = 'Rounds behind an alarm';
    this.about.replaceChildren(
        `${alarm.text}. Since `, this.time(alarm.since), ', until ', this.time(alarm.until), '.');
    const named = {feature: alarm.column, new_names: alarm.column, label: 'Label', delay: 'Wait'}[alarm.kind];
    const valued = alarm.rounds.some(({value}) => value !== undefined);
    const heads = ['Round', 'Key', valued ? named : null, 'Prediction', 'Decided', 'State'].filter((one) => one);
    const value = (one) => (alarm.kind === 'delay' && one.value ? ageText(1000 * one.value) : words(one.value));
    const row = (one) =>
        h('tr', {'data-round': one.round}, h('td', {class: 'short'}, roundLink(this.app, this.model, one.round)),
          h('td', {class: 'short'}, one.key ?? '–'), valued ? h('td', {class: 'short'}, value(one)) : null,
          h('td', {class: 'short'}, words(one.prediction ?? one.action)),
          h('td', {class: 'short'}, one.played ? this.time(one.played) : '–'), h('td', {class: 'short'}, one.state));
    const table =
        h('table', {class: 'results waiting'},
          h('thead', {}, h('tr', {}, heads.map((text) => h('th', {scope: 'col'}, text)))),
          h('tbody', {}, alarm.rounds.map(row)));
    const note = alarm.rounds.length ? 'Some of them, not all.' : 'No rounds were kept for this alarm.';
    this.content.replaceChildren(
        h('section', {id: 'behind', class: 'whole', 'aria-label': 'Rounds behind an alarm'},
          alarm.rounds.length ?
              h('div', {class: 'table-box', tabindex: 0, role: 'group', 'aria-label': 'Rounds'}, table) :
              null,
          h('p', {class: 'note'}, note)));
  }
}
