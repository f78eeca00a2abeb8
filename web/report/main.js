// The report: what is chosen, and drawing it again when that changes.

import {drawable} from '../shared/chart.js';
import {makeButton, makeCheck, makeSelect, refill} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {download, fileName} from '../shared/files.js';
import {makeFigure, makeSaveButton} from '../shared/frame.js';
import {addHover} from '../shared/hover.js';
import {distinct} from '../shared/lists.js';
import {DARK, LIGHT} from '../shared/palette.js';

import {groupRuns, readData} from './data.js';
import {FIGURES, metricName, metricsOf} from './figures.js';
import {boardOf, makeLeaderboard, startingDelay} from './leaderboard.js';
import {makeHeader, makeLegend, makeScaleSwitch, makeSpec} from './page.js';
import {drawFigure, svgDocument} from './picture.js';
import {hasRegret, regretLines} from './regret.js';
import {makeRoads, networkOf} from './roads.js';
import {makeResults, makeTable} from './table.js';

class Report {
  /** @param {any} data @param {Group[]} groups at least one */
  constructor(data, groups) {
    this.data = data;
    this.groups = groups;
    this.streams = distinct(groups.map((group) => group.stream));
    this.stream = groups[0].stream;
    this.delay = startingDelay(data, groups);
    this.metric = '';  // the one shown: the wanted one where the stream has it
    this.wanted = '';
    this.bounds = true;
    this.hidden = new Set();  // learners' names
    this.log = Object.fromEntries(FIGURES.map((figure) => [figure.id, figure.log]));
    this.onlyHere = false;  // in the table: the chosen stream and delay alone
    this.sorted = {name: '', up: true};
    this.darkness = null;  // null: as the system says
    this.printing = false;
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.pictures = new Map();
    if (!regretLines(this.view()).some((line) => drawable(line.y, true))) this.log.regret = false;
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
    const {stream, delay, metric, bounds, hidden} = this;
    const undelayed = boardOf(this.data, stream, delay)?.compared_to ?? null;
    const beside = this.groups.filter((group) => group.stream === stream && group.delay === undelayed);
    const groups = this.here().filter((group) => !hidden.has(group.name));
    return {stream, delay, metric, bounds, groups, undelayed, beside};
  }

  /** Choices into the state, and all of it drawn again. */
  set(changes) {
    Object.assign(this, changes);
    this.draw();
  }

  /** The page's elements, below `root`. @param {HTMLElement} root */
  build(root) {
    const cases = distinct(this.groups.map((group) => JSON.stringify([group.stream, group.delay]))).length;
    this.themeButton = makeButton('', () => this.set({darkness: !this.dark}), {id: 'theme'});
    this.choices = h('div', {class: 'choices', hidden: cases === 1});
    this.legend = h('div', {class: 'legend', role: 'group', 'aria-label': 'Learners'});
    this.figures = FIGURES.map((figure) => {
      const button = makeSaveButton(figure.title, () => this.save(figure));
      return {...makeFigure(figure, [button]), button};
    });
    this.hovers = this.figures.map(({figure, plot, tip}) => addHover(plot, tip, () => this.shown(figure)));
    this.results = makeResults(cases > 1, (onlyHere) => {
      this.onlyHere = onlyHere;
      this.drawTable();
    });
    this.board = h('section', {class: 'board-section'});
    this.roads = h('section', {class: 'roads-section'});
    const bar = h('div', {class: 'bar', hidden: this.groups.length === 1}, this.choices, this.legend);
    const figures = h('div', {class: 'figures'}, this.figures.map(({element}) => element));
    root.append(
        makeHeader(this.data, this.groups, this.themeButton), bar,
        h('main', {}, this.board, this.roads, figures, this.results, makeSpec(this.data.spec)),
        h('footer', {}, 'Everything on this page is in this one file; it loads nothing.'));
    this.draw();
    this.drawTable();
    this.listen(root);
  }

  /** What changes without a choice: the system's colours, the width, printing. @param {HTMLElement} root */
  listen(root) {
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
    this.board.replaceChildren(
        ...makeLeaderboard(boardOf(this.data, this.stream, this.delay), this.groups, this.theme));
    this.roads.replaceChildren(...makeRoads(networkOf(this.data, this.stream), this.view().groups, this.theme));
    this.drawFigures();
    if (this.onlyHere) this.drawTable();
  }

  /** The selectors, and what depends on them. */
  drawChoices() {
    const delays = distinct(this.groups.filter((group) => group.stream === this.stream).map((group) => group.delay));
    if (!delays.includes(this.delay)) this.delay = delays[0];
    const metrics = metricsOf(this.here());
    this.metric = metrics.includes(this.wanted) ? this.wanted : metrics[0];
    refill(this.choices, [
      makeSelect('Stream', this.streams, this.stream, (stream) => this.set({stream})),
      makeSelect('Delay', delays, this.delay, (delay) => this.set({delay})),
    ]);
    refill(this.legend, makeLegend(this.here(), this.hidden, this.theme, () => this.draw()));
    for (const {figure, switches} of this.figures) refill(switches, this.switchesOf(figure, metrics));
  }

  /** @param {Figure} figure @param {string[]} metrics */
  switchesOf(figure, metrics) {
    const parts = [];
    if (figure.id === 'metric') {
      parts.push(makeSelect('Metric', metrics, this.metric, (wanted) => this.set({wanted}), metricName));
    }
    if (figure.id === 'regret') {
      parts.push(makeCheck('bounds', 'Bounds', this.bounds, (bounds) => this.set({bounds})));
    }
    if (figure.log !== null) {
      const choose = (log) => this.set({log: {...this.log, [figure.id]: log}});
      parts.push(makeScaleSwitch(this.log[figure.id], choose));
    }
    return parts;
  }

  /** Every picture, at the width that it has now. */
  drawFigures() {
    this.hovers.forEach(({hide}) => hide());
    const view = this.view();
    for (const {figure, element, title, plot, caption, button} of this.figures) {
      element.hidden = figure.id === 'regret' && !hasRegret(this.here());
      if (element.hidden) continue;
      const width = Math.max(240, plot.clientWidth);
      const log = this.log[figure.id];
      const drawn = (height) => drawFigure(figure, view, log, {width, height, titled: false}, this.theme);
      let picture = drawn(width < 500 ? Math.min(figure.height, 300) : figure.height);
      if (!picture.sy) picture = drawn(120);  // only a message
      this.pictures.set(figure.id, picture);
      title.textContent = picture.title;
      plot.replaceChildren(picture.svg);
      caption.replaceChildren(...(picture.sy ? figure.caption(view, log, picture) : []));
      button.disabled = !picture.sy;
    }
  }

  drawTable() {
    this.results.lastElementChild.replaceWith(makeTable(this.onlyHere ? this.here() : this.groups, this.sorted));
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
    download(svgDocument(figure, this.view(), this.log[figure.id]), `${name}.svg`);
  }
}

function main() {
  const root = document.getElementById('report');
  const problem = (text) => root.append(h('p', {class: 'problem', role: 'alert'}, text));
  try {
    const data = readData();
    const groups = groupRuns(data.runs, data.groups ?? []);
    document.title = `${data.name || 'Run'} – Tarry`;
    if (groups.length > 0) return new Report(data, groups).build(root);
    root.append(makeHeader(data, groups, null));
    problem('This run holds no results.');
  } catch (error) {
    problem(`The report could not be drawn: ${error.message}`);
    console.error(error);
  }
}

main();
