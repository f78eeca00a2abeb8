// A gateway's page: who folds the partitions, how far they are, and what waits here. Asked for every two seconds.

import {Service} from '../dashboard/service.js';
import {Tiles} from '../dashboard/tiles.js';
import {TokenForm} from '../dashboard/token.js';
import {h} from '../shared/dom.js';
import {grouped, NONE} from '../shared/format.js';

/**
 * @typedef {{partition: number, events: ?number, answered: number, lag: ?number, owner: ?string, host: ?string,
 *   takeovers: number}} Partition
 * @typedef {{brokers_answer: boolean, waiting: number, unacknowledged: number, partitions: Partition[]}} Told
 */

const EVERY = 2000;  // milliseconds
const COLUMNS = ['partition', 'events', 'without an outcome', 'outcomes a second', 'owner', 'host', 'takeovers'];

const shown = (number) => number === null ? NONE : grouped(String(number));
const sum = (list) => list.reduce((total, one) => total + (one ?? 0), 0);

class Page {
  constructor() {
    this.service = new Service();
    this.tiles = new Tiles();
    this.state = h('span', {class: 'live', role: 'status'});
    this.rows = h('tbody');
    this.token = new TokenForm((token) => {
      this.service.token = token;
      this.ask();
    });
    this.content =
        h('div', {class: 'page', hidden: true}, h('h1', {class: 'off-screen'}, 'Gateway'), this.tiles.element,
          h('section', {}, h('h2', {}, 'Partitions'),
            h('div', {class: 'table-box', tabindex: '0', role: 'region', 'aria-label': 'Partitions'},
              h('table', {class: 'results', id: 'partitions'},
                h('thead', {}, h('tr', {}, COLUMNS.map((name, i) => h('th', {scope: 'col', class: numeric(i)}, name)))),
                this.rows)),
            h('p', {class: 'note'},
              'Owners and ends are refreshed every two seconds; takeovers are those seen by this gateway.')));
    this.tokenless =
        h('p', {class: 'without-tokens', hidden: true},
          'This gateway runs without tokens: every user of its machine can make and delete models through it.');
    document.getElementById('gateway').append(
        h('header', {class: 'top'}, h('span', {class: 'brand'}, 'Tarry'),
          h('span', {class: 'summary'}, 'a gateway to Kafka'), this.state),
        h('main', {}, this.tokenless, this.token.element, this.content));
    /** @type {?{at: number, answered: number[]}} */
    this.before = null;
  }

  async ask() {
    clearTimeout(this.timer);
    const reply = await this.service.ask('GET', 'v1/partitions');
    const wanted = reply.status === 401 || reply.status === 403;
    if (wanted)
      this.token.show(this.service.token !== null);
    else
      this.token.hide();
    if (reply.status === 200) this.show(reply.json);
    if (wanted || reply.status === 200)  // 200: it answers, though no token was sent
      this.tokenless.hidden = wanted || this.service.token !== null;
    this.content.hidden = wanted || (reply.status !== 200 && !this.before);
    const lost = reply.status !== 200 && !wanted;
    document.body.classList.toggle('stale', lost);
    this.say(wanted ? 'token' : lost ? 'lost' : reply.json.brokers_answer ? 'live' : 'silent');
    if (!wanted) this.timer = setTimeout(() => this.ask(), EVERY);
  }

  say(state) {
    this.state.dataset.state = state === 'silent' ? 'lost' : state;
    this.state.textContent =
        {live: 'live', lost: 'not reached', silent: 'no broker answers', token: 'waits for a token'}[state];
  }

  /** @param {Told} told */
  show(told) {
    const now = performance.now(), {partitions} = told;
    const seconds = this.before ? (now - this.before.at) / 1000 : 0;
    const rates = partitions.map(
        ({answered}, i) => this.before ? Math.round((answered - this.before.answered[i]) / seconds) : null);
    this.before = {at: now, answered: partitions.map(({answered}) => answered)};
    const owners = new Set(partitions.map(({owner}) => owner).filter((owner) => owner !== null));
    this.tiles.show([
      {name: 'Partitions', text: shown(partitions.length)},
      {name: 'Workers', text: shown(owners.size), about: 'that own partitions'},
      {name: 'Without an outcome', text: shown(sum(partitions.map(({lag}) => lag))), about: 'events'},
      {name: 'Outcomes a second', text: this.before && seconds ? shown(sum(rates)) : NONE},
      {name: 'Waiting here', text: shown(told.waiting), about: `${shown(told.unacknowledged)} not acknowledged`},
      {name: 'Takeovers', text: shown(sum(partitions.map(({takeovers}) => takeovers)))},
    ]);
    this.rows.replaceChildren(...partitions.map((one, i) => rowOf(one, rates[i])));
  }
}

function numeric(column) {
  return [0, 4, 5].includes(column) ? null : 'number';
}

/** @param {Partition} one @param {?number} rate */
function rowOf(one, rate) {
  const cells =
      [shown(one.events), shown(one.lag), shown(rate), one.owner ?? 'nobody', one.host ?? NONE, shown(one.takeovers)];
  return h(
      'tr', {class: one.owner === null ? 'alone' : null, 'data-partition': one.partition},
      h('th', {scope: 'row'}, one.partition), cells.map((text, i) => h('td', {class: numeric(i + 1) ?? 'text'}, text)));
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => {
  document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
};
dark.addEventListener('change', paint);
paint();
new Page().ask();
