// One model: its curves, its decision in a picture, what it waits for, and what it was made from.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {effectRows, makeEffects} from '../shared/effects.js';
import {download, fileName} from '../shared/files.js';
import {counted, grouped, isNumber, significant} from '../shared/format.js';
import {ageText, dayAndClockText} from '../shared/times.js';
import {ageRows, makeWaits} from '../shared/waits.js';

import {Board} from './board.js';
import {ByHand} from './by_hand.js';
import {challengerRows, Challengers} from './challengers.js';
import {comparedRows, makeCompared} from './compared.js';
import {decisionRows, drawBars, makeDecision} from './decision.js';
import {driftRows, makeDrift} from './drift.js';
import {Errors} from './errors.js';
import {csvText, MODEL_FIGURES, shortNumber} from './figures.js';
import {saving} from './models_table.js';
import {Points} from './points.js';
import {pretty} from './pretty.js';
import {drawable, makeQuality, reliabilityRows} from './quality.js';
import {makeCopies} from './requests.js';
import {makeFinder, roundLink} from './rounds_page.js';
import {Tiles} from './tiles.js';
import {makeTroubles} from './troubles.js';

const LOOK_EVERY = 2000;  // milliseconds between two looks at the model's state while it changes
const MOST_WEIGHTS = 12;
const BESIDE = 700;  // pixels, from which two figures stand side by side

export class ModelPage {
  /** @param {App} app @param {string} name */
  constructor(app, name) {
    this.app = app;
    this.name = name;
    this.tiles = new Tiles();
    this.board = new Board(MODEL_FIGURES, () => app.theme);
    this.errors = new Errors();
    this.hand = new ByHand(app, name, () => this.look());
    this.challengers = new Challengers(app, name, () => this.look());
    this.about = h('p', {class: 'summary'});
    this.health = h('p', {class: 'health', role: 'status', hidden: true});
    this.troubles = h('ul', {class: 'troubles'});
    this.quality = h('div', {class: 'picture quality'});
    this.drift = h('div', {class: 'picture drift'});
    this.decision = h('div', {class: 'picture'});
    this.weights = h('div', {class: 'picture'});
    this.effects = h('div');
    this.waiting = h('tbody');
    this.waits = h('div', {class: 'picture waits'});
    this.full = h('pre', {tabindex: 0, 'aria-label': 'Specification in full'});
    this.facts = h('dl', {class: 'facts'});
    this.compared = h('div', {class: 'picture compared'});
    const csv = (what, rows) => makeButton(
        'Save CSV', () => this.save(what, rows()), {class: 'quiet-button csv', 'aria-label': `Save CSV: ${what}`});
    const section = (id, title, buttons, ...content) =>
        h('section', {id, 'aria-labelledby': `${id}-title`},
          h('div', {class: 'figure-head'}, h('h2', {id: `${id}-title`}, title), h('div', {class: 'tools'}, buttons)),
          ...content);
    this.weightsSection = section('weights', 'Largest weights', csv('weights', () => this.weightRows()), this.weights);
    this.effectsSection = section(
        'effects', 'Effect of single numbers', csv('effects', () => effectRows(this.view.curves)), this.effects);
    this.decisionSection =
        section('decision', 'The decision now', csv('decision', () => decisionRows(this.view.decision)), this.decision);
    const heads = h('tr', {}, ['Round', 'Key', 'Since', 'Waited'].map((text) => h('th', {scope: 'col'}, text)));
    const table = h('table', {class: 'results waiting'}, h('thead', {}, heads), this.waiting);
    const box =
        h('div', {class: 'table-box', tabindex: 0, role: 'group', 'aria-label': 'Oldest waiting rounds'}, table);
    const waiting = section(
        'waiting', 'Oldest waiting rounds', csv('waiting', () => this.waitingRows()), box, makeFinder(app, name));
    this.waitsSection = section('waits', 'What is known about waiting', csv('ages', () => this.ageRows()), this.waits);
    this.qualitySection = section(
        'quality', 'How good it is, as far as is known', csv('reliability', () => reliabilityRows(this.view.quality)),
        this.quality);
    this.driftSection =
        section('drift', 'Has anything changed?', csv('alarms', () => driftRows(this.view.drift)), this.drift);
    this.comparedSection = section(
        'compared', 'Beside simple rules', csv('compared', () => comparedRows(this.view.compared)), this.compared);
    this.challengersSection = section(
        'challengers', 'Challengers', csv('challengers', () => challengerRows(this.view.challengers)),
        this.challengers.element);
    this.judged = h('div', {class: 'two state'}, this.qualitySection, this.driftSection);
    const state = [
      this.challengersSection, this.comparedSection, this.decisionSection, this.weightsSection, waiting,
      this.effectsSection, this.waitsSection
    ];
    this.element =
        h('div', {class: 'page'}, h('div', {class: 'title'}, h('h1', {}, name), this.about, this.health, this.troubles),
          this.tiles.element, this.judged, this.board.element, h('div', {class: 'two state'}, state), this.hand.element,
          this.errors.element, this.makeSpec());
  }

  makeSpec() {
    const get = (what, path) => makeCopies(what, () => ({method: 'GET', path}), () => this.app.service.token !== null);
    const path = `v1/models/${this.name}`;
    const create = makeCopies(
        'create this model', () => ({method: 'PUT', path, body: JSON.stringify(this.view?.spec ?? {})}),
        () => this.app.service.token !== null);
    return h(
        'section', {class: 'spec', id: 'spec', 'aria-labelledby': 'spec-title'},
        h('div', {class: 'figure-head'}, h('h2', {id: 'spec-title'}, 'Specification')),
        h('div', {class: 'two'}, h('div', {}, h('h3', {}, 'In full, with the task spelt out'), this.full),
          h('div', {}, h('h3', {}, 'What that means'), this.facts)),
        h('ul', {class: 'requests'}, h('li', {}, h('code', {}, `PUT ${path}`), ' create this model ', create),
          h('li', {}, h('code', {}, `GET ${path}`), ' its numbers ', get('its numbers', path)),
          h('li', {}, h('code', {}, `GET ${path}/view`), ' what this page shows ',
            get('what this page shows', `${path}/view`)),
          h('li', {}, h('code', {}, `GET ${path}/rounds?key=…`), ' one round ',
            get('one round', `${path}/rounds?key=KEY`)),
          h('li', {}, h('code', {}, `GET ${path}/snapshot`), ' its whole state ',
            get('its whole state', `${path}/snapshot`))));
  }

  get livePath() {
    return `v1/live?range=${this.app.state.range}&model=${this.name}`;
  }

  take(line) {
    const row = (line.models ?? []).find(({name}) => name === this.name);
    const changed = !!line.full || (row && JSON.stringify(row) !== JSON.stringify(this.row));
    this.row = row ?? this.row;
    if (line.full) {
      this.points = new Points(line);
    } else {
      this.points?.take(line);
    }
    if (line.choices) {
      const {actions, columns, points} = line.choices;
      this.actions = actions;
      if (line.full) this.choices = new Points({...line, columns, points});
      this.choices?.take({at: line.at, points});
    }
    this.delays = line.delays ?? this.delays;
    this.errors.take(line.errors, !!line.full, this.app.state.zone, this.name);
    this.draw();
    if (changed) this.lookSoon();
  }

  /** At most one look at the state every so often. */
  lookSoon() {
    if (this.timer || this.closed) return;
    const wait = Math.max(0, (this.looked ?? 0) + LOOK_EVERY - Date.now());
    this.timer = setTimeout(() => {
      this.timer = null;
      this.look();
    }, wait);
  }

  async look() {
    this.looked = Date.now();
    const reply = await this.app.service.ask('GET', `v1/models/${this.name}/view`);
    if (this.closed || reply.status !== 200) return;
    this.view = reply.json;
    this.hand.suggest(this.view);
    this.drawState();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  draw() {
    if (!this.points || !this.row) return;
    const {zone} = this.app.state;
    const {row} = this;
    this.about.textContent = row.about;
    const saved = saving(row);
    const better = 100 * saved;
    const beside = saved === null ?
        '' :
        `${significant(Math.abs(better), 2)} % ${better > 0 ? 'below' : 'above'} a constant answer`;
    // A bound on regret of more than 1 a round says nothing about predictions.
    const says = isNumber(row.certificate) && (!isNumber(row.loss) || row.certificate < row.rounds);
    this.tiles.show([
      {
        name: 'Decisions a second',
        text: significant(row.decisions_s, 3),
        about: `${counted(row.rounds, 'round')} in all`
      },
      {name: 'Feedback a second', text: significant(row.feedback_s, 3)},
      {
        name: 'Waiting',
        text: grouped(String(row.outstanding)),
        about: isNumber(row.oldest) ? `oldest ${ageText(this.points.now - row.oldest)}` : ''
      },
      {name: 'Loss', text: shortNumber(row.loss), about: beside},
      says ? {name: 'Certificate', text: shortNumber(row.certificate), about: 'regret at most'} : null,
      {
        name: 'Duplicates',
        text: grouped(String(row.duplicates)),
        about: `${grouped(String(row.expired))} expired, ${grouped(String(row.refused))} refused`
      },
    ].filter((tile) => tile !== null));
    const {points, delays, choices, actions} = this;
    this.board.show({points, delays, choices, actions, zone, subtitle: this.name, ofModel: true});
    this.errors.show(zone, this.name);
    this.drawState();
  }

  /** What the look brought; drawn only when it says something new. */
  drawState() {
    const {view} = this;
    if (!view) return;
    const {theme, state} = this.app;
    const written = JSON.stringify([view, state.zone, state.theme, this.app.dark]);
    this.decisionSection.hidden = !view.decision;
    this.weightsSection.hidden = view.weights.length === 0;
    this.effectsSection.hidden = !view.curves?.length;
    const knows = view.waiting?.believed?.some(({from}) => from !== 'nothing');
    this.waitsSection.hidden = !knows && !(view.waiting?.believed && ageRows(view.waiting).length > 0);
    const draws = drawable(view.quality);
    this.qualitySection.hidden = !draws.expected && !draws.reliability;
    this.health.hidden = !view.quality;
    this.driftSection.hidden = !view.drift?.learns_until;
    this.judged.hidden = this.qualitySection.hidden && this.driftSection.hidden;
    this.comparedSection.hidden = !view.compared;
    this.challengersSection.hidden =
        !view.challengers || view.feedback !== 'label' || (view.spec.choose && view.spec.loss.type !== 'logistic');
    this.drawWaiting();
    if (written === this.written) return;
    this.written = written;
    this.decision.replaceChildren(...makeDecision(view.decision, view.spec.set, theme));
    const bars =
        view.weights.slice(0, MOST_WEIGHTS)
            .map((one) => ({name: one.of_class ? `${one.name} → ${one.of_class}` : one.name, value: one.weight}));
    this.weights.replaceChildren(...(bars.length ? [drawBars(bars, theme, 'Weights')] : []));
    this.drawEffects();
    this.health.textContent = (view.quality?.sentence ?? '').replace(/(\d) %/g, '$1\u00a0%');
    this.troubles.replaceChildren(...makeTroubles(view.quality?.troubles ?? [], state.zone));
    const drifts = view.drift?.alarms.some(({over}) => over === null);
    this.health.dataset.health =
        drifts || view.quality?.miscalibrated || view.quality?.overdue ? 'worse' : view.quality?.health ?? '';
    const now = this.points?.now ?? Date.now();
    const behind = (alarm) => this.app.addressOf({page: 'rounds', alarm: String(alarm), find: ''});
    this.drift.replaceChildren(...(this.driftSection.hidden ? [] : makeDrift(view.drift, now, state.zone, behind)));
    const both = draws.expected && draws.reliability;
    this.qualitySection.classList.toggle('whole', both);
    this.driftSection.classList.toggle('whole', both || this.qualitySection.hidden);
    const space = this.quality.clientWidth || 320;
    const width = Math.max(240, both && space > BESIDE ? (space - 24) / 2 : space);
    const quality = this.qualitySection.hidden ? [] : makeQuality(view.quality, this.name, state.zone, theme, width);
    this.quality.replaceChildren(...quality);
    const room = Math.max(240, this.waits.clientWidth || 320);
    if (view.waiting?.believed) this.waits.replaceChildren(...makeWaits(view.waiting, this.name, theme, room));
    if (view.challengers) this.challengers.show(view.challengers, view.spec);
    if (view.compared) this.compared.replaceChildren(...makeCompared(view.compared, view.apprentice));
    this.full.textContent = pretty(view.spec);
    const words = (value) =>
        (typeof value === 'number' ? shortNumber(value) :
             value === true        ? 'yes' :
             value === false       ? 'no' :
                                     value);
    const facts = Object.entries(view.explained)
                      .map(([key, value]) => [h('dt', {}, key.replace(/_/g, ' ')), h('dd', {}, words(value))]);
    this.facts.replaceChildren(...facts.flat());
  }

  drawEffects() {
    const {curves} = this.view;
    if (!curves?.length) return;
    const unit = curves[0].unit === 'label' ? 'in units of the label' : 'in log odds: 0.7 more doubles the odds';
    this.effects.replaceChildren(
        makeEffects(curves, this.app.theme, Math.max(240, this.effects.clientWidth || 320)),
        h('p', {class: 'note'},
          `What a number does to the prediction while other numbers are at their means, ${
              unit}. 0 is the mean over the values shown.`));
  }

  drawWaiting() {
    const {view} = this;
    const {zone} = this.app.state;
    const now = this.points?.now ?? Date.now();
    const row = (one) =>
        h('tr', {'data-round': one.round}, h('td', {class: 'short'}, roundLink(this.app, this.name, one.round)),
          h('td', {class: 'short'}, one.key ?? '–'),
          h('td', {class: 'short'}, isNumber(one.since) ? dayAndClockText(one.since, zone) : '–'),
          h('td', {class: 'short'}, isNumber(one.since) ? ageText(now - one.since) : '–'));
    const none = h('tr', {}, h('td', {colspan: 4, class: 'quiet'}, 'None.'));
    this.waiting.replaceChildren(...(view.oldest_rounds.length ? view.oldest_rounds.map(row) : [none]));
  }

  weightRows() {
    return [
      ['feature', 'class', 'weight'], ...this.view.weights.map((one) => [one.name, one.of_class ?? '', one.weight])
    ];
  }

  waitingRows() {
    const since = (one) => (isNumber(one.since) ? new Date(one.since).toISOString() : '');
    return [
      ['round', 'key', 'since (UTC)'], ...this.view.oldest_rounds.map((one) => [one.round, one.key ?? '', since(one)])
    ];
  }

  ageRows() {
    return [['age in rounds', 'open', 'given up'], ...ageRows(this.view.waiting)];
  }

  save(what, rows) {
    if (this.view) download(csvText(rows), `${fileName(['tarry', this.name, what])}.csv`, 'text/csv');
  }
}
