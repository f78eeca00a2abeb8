// The report: what is chosen, and drawing it again when that changes.

import {makeButton, makeCheck, makeSelect, refill} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {download, fileName} from '../shared/files.js';
import {makeFigure, makeSaveButton} from '../shared/frame.js';
import {addHover} from '../shared/hover.js';
import {distinct, largest} from '../shared/lists.js';
import {DARK, LIGHT} from '../shared/palette.js';
import {addZoom} from '../shared/zoom.js';

import {readAddress, writeAddress} from './address.js';
import {groupRuns, readData} from './data.js';
import {makeEffectsSection} from './effects.js';
import {evaluationsOf, makeEvaluation} from './evaluation.js';
import {allAtOnce, FIGURES, metricName, metricsOf} from './figures.js';
import {boardOf, makeLeaderboard, startingDelay} from './leaderboard.js';
import {makeHeader, makeLegend, makeScaleSwitch, makeSpec} from './page.js';
import {drawFigure, svgDocument} from './picture.js';
import {coincidingText} from './plain.js';
import {hasCalibration, makeConfusion, makeWeights, predictsNumbers} from './quality.js';
import {makeClasses, makeColumns, readingOf} from './reading.js';
import {hasRegret} from './regret.js';
import {makeRoads, networkOf} from './roads.js';
import {makeResults, makeTable} from './table.js';
import {timesOf} from './time_axis.js';
import {makeVerdict, verdictOf} from './verdict.js';
import {makeWaiting} from './waiting.js';

const OVER_NO_ROUNDS = ['delays', 'calibration', 'by-size'];

class Report {
  /** @param {any} data @param {Group[]} groups at least one */
  constructor(data, groups) {
    this.data = data;
    this.groups = groups;
    this.streams = distinct(groups.map((group) => group.stream));
    this.metric = '';  // the one shown: the wanted one where the stream has it
    this.printing = false;
    this.read(location.hash);
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.pictures = new Map();
  }

  /** What an address asks for, as far as this run has it. @param {string} hash */
  read(hash) {
    const asked = readAddress(hash);
    const [streams, names] = [this.streams, this.groups.map((group) => group.name)];
    this.stream = streams.includes(asked.stream) ? asked.stream : this.groups[0].stream;
    this.delay = this.delays().includes(asked.delay) ? asked.delay : this.usualDelay();
    this.wanted = asked.metric;
    this.bounds = asked.bounds;
    this.hidden = new Set(asked.hidden.filter((name) => names.includes(name)));
    this.axes = asked.axes;  // by figure: those that were chosen
    this.all = asked.all;    // figures whose first rounds were wished too
    this.span = asked.span;
    this.darkness = asked.dark;  // null: as the system says
    this.onlyHere = asked.only;  // in the table: the chosen stream and delay alone
    this.sorted = {name: asked.sort.replace(/^-/, ''), up: !asked.sort.startsWith('-')};
  }

  /** The address of what is shown; a page that may not change its address goes without. */
  write() {
    const {bounds, axes, all, span, darkness, onlyHere, sorted} = this;
    const hash = writeAddress({
      stream: this.stream === this.groups[0].stream ? '' : this.stream,
      delay: this.delay === this.usualDelay() ? '' : this.delay,
      metric: this.wanted,
      bounds,
      hidden: [...this.hidden],
      axes,
      all,
      span,
      dark: darkness,
      only: onlyHere,
      sort: sorted.name && !sorted.up ? `-${sorted.name}` : sorted.name,
    });
    if (hash === location.hash) return;
    try {
      history.replaceState(null, '', hash || location.pathname + location.search);
    } catch {  // in a frame without an origin
    }
  }

  /** The delays that the chosen stream met. */
  delays() {
    return distinct(this.groups.filter((group) => group.stream === this.stream).map((group) => group.delay));
  }

  usualDelay() {
    return startingDelay(this.data, this.groups.filter((group) => group.stream === this.stream));
  }

  /** @param {Figure} figure @param {View} view @returns {Axes} */
  axesOf(figure, view) {
    const chosen = this.axes[figure.id];
    return figure.axes.includes(chosen) ? chosen : figure.usual(view);
  }

  get dark() {
    return !this.printing && (this.darkness ?? this.system.matches);
  }

  get theme() {
    return this.dark ? DARK : LIGHT;
  }

  /** The groups of the chosen stream and delay. */
  here() {
    return this.groups.filter((group) => group.stream === this.stream && group.delay === this.delay);
  }

  /** @returns {View} */
  view() {
    const {stream, delay, metric, bounds, hidden, all} = this;
    const undelayed = boardOf(this.data, stream, delay)?.compared_to ?? null;
    const beside = this.groups.filter((group) => group.stream === stream && group.delay === undelayed);
    const groups = this.here().filter((group) => !hidden.has(group.name));
    const [reading, times] = [readingOf(this.data, stream), timesOf(this.here())];
    const table = !!reading?.columns || times !== null;
    return {
      stream,
      delay,
      metric,
      bounds,
      groups,
      undelayed,
      beside,
      all,
      span: this.shownSpan(groups),
      reading,
      times,
      table
    };
  }

  /** The rounds chosen, where these learners played them. @param {Group[]} groups */
  shownSpan(groups) {
    const rounds = groups.flatMap((group) => group.runs.map((run) => run.rounds));
    return this.span && this.span[0] < largest(rounds) ? [this.span[0], Math.min(this.span[1], largest(rounds))] : null;
  }

  /** Choices into the state, and all of it drawn again. */
  set(changes) {
    Object.assign(this, changes);
    this.draw();
  }

  /** @param {string} stream */
  setStream(stream) {
    this.stream = stream;
    if (!this.delays().includes(this.delay)) this.delay = this.usualDelay();
    this.set({span: null});
  }

  /** The page's elements, below `root`. @param {HTMLElement} root */
  build(root) {
    const cases = distinct(this.groups.map((group) => JSON.stringify([group.stream, group.delay]))).length;
    this.themeButton = makeButton('', () => this.set({darkness: !this.dark}), {id: 'theme'});
    this.choices = h('div', {class: 'choices', hidden: cases === 1});
    this.legend = h('div', {class: 'legend', role: 'group', 'aria-label': 'Learners'});
    this.verdict = h('div', {class: 'verdict'});
    const ranked = boardOf(this.data, this.stream, this.delay) !== null;  // predictions come before regret
    const order = (figure) => (ranked && figure.id === 'metric' ? -1 : 0);
    this.figures = [...FIGURES].sort((a, b) => order(a) - order(b)).map((figure) => this.makeFrame(figure));
    this.hovers = this.figures.map(({figure, plot, tip}) => addHover(plot, tip, () => this.shown(figure)));
    this.results = makeResults(cases > 1, this.onlyHere, (onlyHere) => {
      this.onlyHere = onlyHere;
      this.drawTable();
    });
    this.without =
        h('p', {class: 'note without', hidden: true}, 'No answer was late: each came before the next round.');
    this.board = h('section', {class: 'board-section'});
    this.roads = h('section', {class: 'roads-section'});
    this.waits = h('section', {class: 'waits-section'});
    this.confusion = h('section', {class: 'confusion-section'});
    this.weights = h('section', {class: 'weights-section'});
    this.effects = h('section', {class: 'effects-section'});
    this.classes = h('section', {class: 'classes-section'});
    this.columns = h('section', {class: 'columns-section'});
    const named = {role: 'region', 'aria-label': 'What is shown'};
    const bar = h('div', {class: 'bar', ...named, hidden: this.groups.length === 1}, this.choices, this.legend);
    const costs = ['time', 'memory'];
    const elements = (kept) => this.figures.filter(({figure}) => kept(figure.id)).map(({element}) => element);
    const [first, ...others] = elements((id) => !costs.includes(id));
    const judged = others.filter(({id}) => ['calibration', 'by-size'].includes(id));
    const figures = h(
        'div', {class: 'figures'}, first, this.board, judged, this.confusion,
        others.filter((element) => !judged.includes(element)), this.classes, this.weights, this.columns, this.effects);
    this.costs =
        h('section', {class: 'costs'}, h('h2', {}, 'What it costs'),
          h('div', {class: 'figures small'}, elements((id) => costs.includes(id))));
    root.append(
        makeHeader(this.data, this.groups, this.themeButton, this.verdict), bar,
        h('main', {}, this.roads, figures, this.without, this.waits, this.results, this.costs,
          makeSpec(this.data.spec)),
        h('footer', {}, 'Everything on this page is in this one file; it loads nothing.'));
    this.draw();
    this.drawTable();
    this.listen(root);
  }

  /** A figure's frame, with what can be done in it. @param {Figure} figure */
  makeFrame(figure) {
    const button = makeSaveButton(figure.title, () => this.save(figure));
    const frame = {...makeFigure(figure, [button]), button};
    if (OVER_NO_ROUNDS.includes(figure.id)) return frame;
    const keys = 'Left and right arrow keys read the values; plus and minus zoom, 0 shows all rounds';
    frame.plot.setAttribute('aria-description', keys);
    addZoom(frame.plot, () => this.shown(figure), (span) => this.set({span}));
    return frame;
  }

  /**
   * What changes without a choice: the address, the system's colours, the width, printing. @param {HTMLElement} root
   */
  listen(root) {
    addEventListener('hashchange', () => {
      this.read(location.hash);
      this.draw();
      this.drawTable();
    });
    this.system.addEventListener('change', () => this.draw());
    addEventListener('beforeprint', () => {
      document.querySelectorAll('details').forEach((details) => details.setAttribute('open', ''));
      this.set({printing: true});
    });
    addEventListener('afterprint', () => this.set({printing: false}));
    let width = root.clientWidth;
    const watch = new ResizeObserver(() => {
      if (root.clientWidth === width) return;
      width = root.clientWidth;
      this.drawFigures();
    });
    watch.observe(root);
  }

  draw() {
    const [now, other] = this.dark ? ['dark', 'light'] : ['light', 'dark'];
    document.documentElement.dataset.theme = now;
    this.themeButton.textContent = other[0].toUpperCase() + other.slice(1);
    this.themeButton.setAttribute('aria-label', `Switch to ${other} colours`);
    this.drawChoices();
    const judged = evaluationsOf(this.data, this.stream, this.delay);
    const board = boardOf(this.data, this.stream, this.delay);
    this.board.replaceChildren(
        ...(judged.length > 0 ? makeEvaluation(judged, this.groups, this.theme) :
                                makeLeaderboard(board, this.groups, this.theme)));
    this.verdict.replaceChildren(...makeVerdict(verdictOf(this.data, this.stream, this.delay)));
    this.drawTables();
    this.roads.replaceChildren(...makeRoads(networkOf(this.data, this.stream), this.view().groups, this.theme));
    this.drawFigures();
    if (this.onlyHere) this.drawTable();
    this.write();
  }

  /** Of whom single predictions are told: the learner that is kept, or the first that is shown. */
  chief() {
    const name = verdictOf(this.data, this.stream, this.delay)?.learner;
    const shown = this.here().filter((group) => !this.hidden.has(group.name));
    return this.here().find((group) => group.name === name) ?? shown.find((group) => group.runs[0].quality) ?? null;
  }

  /** What is told in tables. */
  drawTables() {
    const [reading, chief] = [readingOf(this.data, this.stream), this.chief()];
    this.confusion.replaceChildren(...makeConfusion(chief, reading, this.theme));
    this.weights.replaceChildren(...makeWeights(chief, reading, this.theme));
    this.classes.replaceChildren(...makeClasses(reading, this.theme));
    this.columns.replaceChildren(...makeColumns(reading));
  }

  /** The selectors, and what depends on them. */
  drawChoices() {
    const metrics = metricsOf(this.here());
    this.metric = metrics.includes(this.wanted) ? this.wanted : metrics[0];
    refill(this.choices, [
      makeSelect('Stream', this.streams, this.stream, (stream) => this.setStream(stream)),
      makeSelect('Delay', this.delays(), this.delay, (delay) => this.set({delay})),
    ]);
    refill(this.legend, makeLegend(this.here(), this.hidden, this.theme, () => this.draw()));
    this.metrics = metrics;
  }

  /** @param {Figure} figure @param {Picture} picture @param {Axes} axes those drawn @param {View} view */
  switchesOf(figure, picture, axes, view) {
    const parts = [];
    if (this.span && picture.sx && !OVER_NO_ROUNDS.includes(figure.id))
      parts.push(makeButton(view.table ? 'All rows' : 'All rounds', () => this.set({span: null}), {name: 'unzoom'}));
    if (picture.early) {
      const others = this.all.filter((id) => id !== figure.id);
      const wish = (all) => this.set({all: all ? [...others, figure.id] : others});
      parts.push(makeCheck('all', view.table ? 'First rows' : 'First rounds', this.all.includes(figure.id), wish));
    }
    if (figure.id === 'metric') {
      parts.push(makeSelect('Metric', this.metrics, this.metric, (wanted) => this.set({wanted}), metricName));
    }
    if (figure.id === 'regret') {
      parts.push(makeCheck('bounds', 'Bounds', this.bounds, (bounds) => this.set({bounds})));
    }
    if (figure.axes.length > 0) {
      const choose = (chosen) => this.set({axes: {...this.axes, [figure.id]: chosen}});
      parts.push(makeScaleSwitch(figure.axes, axes, choose));
    }
    return parts;
  }

  /** Every picture, at the width that it has now; none where there is nothing to see. */
  drawFigures() {
    this.hovers.forEach(({hide}) => hide());
    const view = this.view();
    this.waits.replaceChildren(
        ...makeWaiting(view.groups, this.theme, Math.max(240, Math.min(900, this.waits.clientWidth))));
    this.effects.replaceChildren(...makeEffectsSection(
        this.chief(), view.reading, this.theme, Math.max(240, this.effects.parentElement.clientWidth)));
    const atOnce = allAtOnce(this.here());
    this.without.hidden = !atOnce;
    let told = false;  // once is enough to say that nothing is switched on
    for (const frame of this.figures) {
      const {figure, element} = frame;
      element.hidden = this.lacks(figure.id, atOnce) || told;
      if (element.hidden) continue;
      this.drawFigure(frame, view);
      const picture = this.pictures.get(figure.id);
      told = view.groups.length === 0;
      element.hidden = !picture.sy && !told && !picture.drawable;
    }
    this.costs.hidden =
        !this.figures.some(({figure, element}) => ['time', 'memory'].includes(figure.id) && !element.hidden);
  }

  /** Whether the chosen runs have nothing for a figure. @param {string} id @param {boolean} atOnce */
  lacks(id, atOnce) {
    if (id === 'regret') return !hasRegret(this.here());
    if (id === 'calibration') return !hasCalibration(this.here());
    if (id === 'by-size') return !predictsNumbers(this.here());
    return atOnce && ['delays', 'outstanding'].includes(id);
  }

  /** @param {View} view */
  drawFigure({figure, title, switches, plot, caption, button}, view) {
    const width = Math.max(240, plot.clientWidth);
    const axes = this.axesOf(figure, view);
    const drawn = (height) => drawFigure(figure, view, axes, {width, height, titled: false}, this.theme);
    let picture = drawn(width < 500 ? Math.min(figure.height, 300) : figure.height);
    if (!picture.sy) picture = drawn(120);  // only a message
    this.pictures.set(figure.id, picture);
    title.textContent = picture.title;
    plot.replaceChildren(picture.svg);
    const said = picture.sy ? figure.caption(view, axes, picture) : [];
    const same = picture.sy && picture.lines.length > 1 ? coincidingText(picture) : '';
    caption.replaceChildren(...said, ...(same ? [' ', h('span', {class: 'same'}, same)] : []));
    button.disabled = !picture.sy;
    refill(switches, this.switchesOf(figure, picture, axes, view));
  }

  drawTable() {
    const groups = this.onlyHere ? this.here() : this.groups;
    this.results.lastElementChild.replaceWith(makeTable(groups, this.sorted, () => this.write()));
    this.write();
  }

  /** What the pointer can read. @param {Figure} figure */
  shown(figure) {
    const bounds = figure.id === 'regret' && this.bounds;
    return {picture: this.pictures.get(figure.id), theme: this.theme, bounds};
  }

  /** @param {Figure} figure */
  save(figure) {
    const stream = this.streams.length > 1 ? this.stream : '';
    const name = fileName([this.data.name ?? 'run', figure.id, stream, this.delay]);
    const view = this.view();
    download(svgDocument(figure, view, this.axesOf(figure, view)), `${name}.svg`);
  }
}

function main() {
  const root = document.getElementById('report');
  const problem = (text) => root.append(h('p', {class: 'problem', role: 'alert'}, text));
  try {
    const data = readData();
    const groups = groupRuns(data.runs, data.groups ?? []);
    document.title = `${data.title || data.name || 'Run'} – Tarry`;
    if (groups.length > 0) return new Report(data, groups).build(root);
    root.append(makeHeader(data, groups, null));
    problem('This run holds no results.');
  } catch (error) {
    problem(`The report could not be drawn: ${error.message}`);
    console.error(error);
  }
}

main();
