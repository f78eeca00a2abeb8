// What is shown, as it stands in the address behind the #: no server sees it, and a reload brings it back.

/**
 * @typedef {{page: 'overview'|'model'|'new', model: string, range: string, zone: Zone, theme: string, sort: string,
 *            filter: string, part: number}} State
 *   theme: empty as the system says; sort: a column's key, with - before it from the largest down; part: of the table
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
  range: '10m',
  zone: 'local',
  theme: '',
  sort: 'name',
  filter: '',
  part: 1
};
const KEYS = ['range', 'zone', 'theme', 'sort', 'filter', 'part'];

/** @param {string} hash @returns {State} */
export function readAddress(hash) {
  const [path, query] = hash.replace(/^#/, '').split('?');
  const asked = new URLSearchParams(query ?? '');
  const state = {...USUAL};
  for (const key of KEYS) state[key] = asked.get(key) ?? USUAL[key];
  const model = /^\/models\/([a-z0-9_-]{1,64})$/.exec(path);
  if (model) Object.assign(state, {page: 'model', model: model[1]});
  if (path === '/new') state.page = 'new';
  if (!(state.range in RANGES)) state.range = USUAL.range;
  if (state.zone !== 'utc') state.zone = 'local';
  state.part = Math.max(1, Math.floor(Number(state.part)) || 1);
  return state;
}

/** @param {State} state */
export function writeAddress(state) {
  const path = {overview: '/', new: '/new', model: `/models/${state.model}`}[state.page];
  const kept = new URLSearchParams();
  const own = state.page === 'overview' ? KEYS : ['range', 'zone', 'theme'];  // the table's are the overview's
  for (const key of own) {
    if (state[key] !== USUAL[key]) kept.set(key, String(state[key]));
  }
  const query = kept.toString();
  return `#${path}${query ? `?${query}` : ''}`;
}
