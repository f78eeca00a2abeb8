// What is shown, as it stands in the address behind the #: no server sees it, and a reload brings it back.

/**
 * @typedef {{page: 'overview'|'model'|'rounds'|'new', model: string, find: string, alarm: string, range: string, zone:
 * Zone, theme: string, sort: string, filter: string, part: number}} State find: a key, a ticket, or # and the number of
 * a round; alarm: the number of one, instead; theme: empty as the system says; sort: a column's key, with - before it
 * from the largest down; part: of the table
 */

export const RANGES = {
  '10m': '10 min',
  '3h': '3 h',
  '24h': '24 h'
};

/** @type {State} */
const USUAL = {
  page: 'overview',
  model: '',
  find: '',
  alarm: '',
  range: '10m',
  zone: 'local',
  theme: '',
  sort: 'name',
  filter: '',
  part: 1
};
const KEYS = ['range', 'zone', 'theme', 'sort', 'filter', 'part', 'find', 'alarm'];

const OWN = {
  overview: ['sort', 'filter', 'part'],
  rounds: ['find', 'alarm']
};  // what no other page has

/** @param {string} hash @returns {State} */
export function readAddress(hash) {
  const [path, query] = hash.replace(/^#/, '').split('?');
  const asked = new URLSearchParams(query ?? '');
  const state = {...USUAL};
  for (const key of KEYS) state[key] = asked.get(key) ?? USUAL[key];
  const model = /^\/models\/([a-z0-9_-]{1,64})(\/rounds)?$/.exec(path);
  if (model) Object.assign(state, {page: model[2] ? 'rounds' : 'model', model: model[1]});
  if (path === '/new') state.page = 'new';
  if (!(state.range in RANGES)) state.range = USUAL.range;
  if (state.zone !== 'utc') state.zone = 'local';
  state.part = Math.max(1, Math.floor(Number(state.part)) || 1);
  return state;
}

/** @param {State} state */
export function writeAddress(state) {
  const own = OWN[state.page] ?? [];
  const path = {
    overview: '/',
    new: '/new',
    model: `/models/${state.model}`,
    rounds: `/models/${state.model}/rounds`,
  }[state.page];
  const kept = new URLSearchParams();
  for (const key of ['range', 'zone', 'theme', ...own]) {
    if (state[key] !== USUAL[key]) kept.set(key, String(state[key]));
  }
  const query = kept.toString();
  return `#${path}${query ? `?${query}` : ''}`;
}
