// The dashboard: which page is shown, the stream that feeds it, and what is chosen for all of them.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {DARK, LIGHT} from '../shared/palette.js';
import {clockText} from '../shared/times.js';

import {RANGES, readAddress, writeAddress} from './address.js';
import {CreatePage} from './create_page.js';
import {ModelPage} from './model_page.js';
import {Overview} from './overview.js';
import {RoundsPage} from './rounds_page.js';
import {Service} from './service.js';
import {TokenForm} from './token.js';

const HIDDEN = 10000;  // milliseconds out of sight until a page rests

class App {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.service = new Service();
    this.state = readAddress(location.hash);
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.lastLine = null;
    this.build();
    addEventListener('hashchange', () => this.go(readAddress(location.hash)));
    this.system.addEventListener('change', () => this.paint());
    this.listen();
    this.open();
  }

  /** A page that nobody sees lets go of its stream: browsers have few connections for all pages of one service. */
  listen() {
    addEventListener('pagehide', () => this.rest());
    addEventListener('pageshow', (event) => void (event.persisted && this.follow()));
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.hiding);
      if (document.hidden) {
        this.hiding = setTimeout(() => this.rest(), HIDDEN);
      } else if (!this.stop) {
        this.follow();
      }
    });
  }

  rest() {
    this.stop?.();
    this.stop = null;
  }

  get dark() {
    return this.state.theme ? this.state.theme === 'dark' : this.system.matches;
  }

  get theme() {
    return this.dark ? DARK : LIGHT;
  }

  get rangeText() {
    return RANGES[this.state.range];
  }

  build() {
    this.nav = h('nav', {'aria-label': 'Pages'});
    this.said = h('span', {class: 'live', role: 'status'});
    this.controls = h('div', {class: 'controls'});
    this.themeButton = makeButton('', () => this.choose({theme: this.dark ? 'light' : 'dark'}), {id: 'theme'});
    this.token = new TokenForm((token) => this.useToken(token));
    this.notice = h('p', {class: 'notice', role: 'status', hidden: true});
    this.tokenless =
        h('p', {class: 'without-tokens', hidden: true},
          'This service runs without tokens: every user of its machine can make and delete models here.');
    this.place = h('div');
    this.main = h('main', {id: 'main', tabindex: -1}, this.tokenless, this.token.element, this.place);
    const skip =
        h('a', {
          class: 'skip',
          href: '#main',
          click: (event) => {
            event.preventDefault();
            this.main.focus();
          }
        },
          'Skip to the content');
    this.root.append(
        skip,
        h('header', {class: 'top'}, h('a', {class: 'brand', href: '#/', 'aria-label': 'Tarry, overview'}, 'Tarry'),
          this.nav, this.said, this.controls, this.themeButton),
        this.notice, this.main, this.foot = h('footer', {}));
    new ResizeObserver(() => {
      if (this.root.clientWidth === this.width) return;
      this.width = this.root.clientWidth;
      this.page?.draw();
    }).observe(this.root);
  }

  /** The address of another page, with what is chosen kept. @param {Partial<State>} changes */
  addressOf(changes) {
    return writeAddress({...this.state, ...changes});
  }

  /** Choices go into the address. @param {Partial<State>} changes @param {boolean} quiet not as a step to go back to */
  choose(changes, quiet = false) {
    const state = {...this.state, ...changes};
    const address = writeAddress(state);
    if (address !== location.hash) history[quiet ? 'replaceState' : 'pushState'](null, '', address);
    this.go(state);
  }

  /** @param {State} state */
  go(state) {
    const before = this.state;
    this.state = state;
    if (['page', 'model', 'find', 'alarm'].some((key) => before[key] !== state[key])) {
      this.open();
      this.main.focus({preventScroll: true});
      scrollTo(0, 0);
    } else if (before.range !== state.range) {
      this.follow();
    }
    this.paint();
  }

  /** The page that the state names, from the start. */
  open() {
    this.page?.close?.();
    const {page, model} = this.state;
    this.page = page === 'model' ? new ModelPage(this, model) :
        page === 'rounds'        ? new RoundsPage(this, model) :
        page === 'new'           ? new CreatePage(this) :
                                   new Overview(this);
    this.place.replaceChildren(this.page.element);
    document.title = `${{overview: 'Overview', new: 'New model'}[page] ?? model} – Tarry`;
    this.follow();
    this.paint();
  }

  follow() {
    this.stop?.();
    const page = this.page;
    this.stop = this.service.follow(page.livePath, (line) => {
      this.lastLine = line.at;
      if (line.version)
        this.foot.textContent =
            `Tarry ${line.version}. Everything here comes from this service; the page loads nothing else.`;
      page.take(line);
    }, (state) => this.say(state));
  }

  /** @param {string} token */
  useToken(token) {
    this.service.token = token;
    this.follow();
  }

  /** @param {LineState} state */
  say(state) {
    const words = {
      connecting: 'Connecting',
      live: 'Live',
      lost: 'Reconnecting',
      token: 'Token wanted',
      refused: 'Token refused',
      unknown: 'Not there'
    };
    this.said.textContent = words[state];
    this.said.dataset.state = state;
    if (state === 'token' || state === 'refused') this.token.show(state === 'refused');
    if (state === 'live') this.token.hide();
    if (state === 'token' || state === 'live')  // live: it answers, though no token was sent
      this.tokenless.hidden = state === 'token' || this.service.token !== null;
    if (state === 'refused') this.service.token = null;
    this.place.hidden = (state === 'token' || state === 'refused') && this.state.page !== 'new';
    this.notice.hidden = state !== 'lost' && state !== 'unknown';
    if (state === 'lost') {
      const since = this.lastLine ? ` What you see is from ${clockText(this.lastLine, this.state.zone)}.` : '';
      this.notice.textContent = `The service does not answer; trying again.${since}`;
    }
    if (state === 'unknown') this.notice.textContent = `There is no model named ${this.state.model}.`;
    document.body.classList.toggle('stale', state === 'lost');
  }

  /** What depends on the choices, and not on the stream. */
  paint() {
    const [now, other] = this.dark ? ['dark', 'light'] : ['light', 'dark'];
    document.documentElement.dataset.theme = now;
    this.themeButton.textContent = other[0].toUpperCase() + other.slice(1);
    this.themeButton.setAttribute('aria-label', `Switch to ${other} colours`);
    const link = (text, changes, here) =>
        h('a', {href: this.addressOf(changes), 'aria-current': here ? 'page' : null}, text);
    const {page, range, zone} = this.state;
    this.fill(this.nav, [
      link('Overview', {page: 'overview', model: ''}, page === 'overview'),
      link('New model', {page: 'new', model: ''}, page === 'new'),
    ]);
    const zones = {local: 'Local', utc: 'UTC'};
    this.fill(this.controls, [
      this.makeSwitch('Range', RANGES, range, (value) => this.choose({range: value})),
      this.makeSwitch('Zone', zones, zone, (value) => this.choose({zone: value})),
    ]);
    this.page.draw();
  }

  makeSwitch(name, options, value, choose) {
    const buttons = Object.entries(options).map(
        ([key, text]) =>
            h('button',
              {type: 'button', 'aria-pressed': String(key === value), 'data-choice': key, click: () => choose(key)},
              text));
    return h('div', {class: 'switch', role: 'group', 'aria-label': name}, buttons);
  }

  /** New children, with the focus where it was. @param {HTMLElement} parent @param {Node[]} children */
  fill(parent, children) {
    const focusable = () => [...parent.querySelectorAll('a, button')];
    const focused = focusable().indexOf(document.activeElement);
    parent.replaceChildren(...children);
    if (focused >= 0) focusable()[focused]?.focus({preventScroll: true});
  }
}

new App(document.getElementById('dashboard'));
