// What is chosen, as it stands in the address behind the #: a link shows the same view, and a reload brings it back.

/**
 * @typedef {'linear'|'logy'|'log'} Axes  logy: logarithmic values over plain rounds; log: both logarithmic
 * @typedef {{stream: string, delay: string, metric: string, bounds: boolean, hidden: string[],
 *            axes: Object<string, Axes>, all: string[], span: ?[number, number], dark: ?boolean, only: boolean,
 *            sort: string}} Chosen
 *   axes and all: by figure, where the reader chose them; span: the rounds shown, null for all; sort: a column's name,
 *   with - before it from the largest down
 */

const AXES = ['linear', 'logy', 'log'];

/** What an address asks for; what it does not name is left to the page. @param {string} hash @returns {Chosen} */
export function readAddress(hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ''));
  const word = (key) => asked.get(key) ?? '';
  const axes = [...asked].filter(([key, value]) => key.startsWith('axes.') && AXES.includes(value));
  const span = /^(\d{1,15})-(\d{1,15})$/.exec(word('rounds'));
  const theme = word('theme');
  return {
    stream: word('stream'),
    delay: word('delay'),
    metric: word('metric'),
    bounds: word('bounds') !== 'off',
    hidden: asked.getAll('hide'),
    axes: Object.fromEntries(axes.map(([key, value]) => [key.slice('axes.'.length), value])),
    all: asked.getAll('all'),
    span: span && Number(span[1]) < Number(span[2]) ? [Number(span[1]), Number(span[2])] : null,
    dark: theme === 'dark' ? true :
        theme === 'light'  ? false :
                             null,
    only: word('only') === 'here',
    sort: word('sort'),
  };
}

/** The shortest address that asks for this. @param {Chosen} chosen what is usual is empty there */
export function writeAddress(chosen) {
  const kept = new URLSearchParams();
  for (const key of ['stream', 'delay', 'metric', 'sort']) {
    if (chosen[key]) kept.set(key, chosen[key]);
  }
  if (!chosen.bounds) kept.set('bounds', 'off');
  for (const [figure, axes] of Object.entries(chosen.axes)) kept.set(`axes.${figure}`, axes);
  for (const name of chosen.hidden) kept.append('hide', name);
  for (const figure of chosen.all) kept.append('all', figure);
  if (chosen.span) kept.set('rounds', chosen.span.join('-'));
  if (chosen.dark !== null) kept.set('theme', chosen.dark ? 'dark' : 'light');
  if (chosen.only) kept.set('only', 'here');
  const query = kept.toString();
  return query ? `#${query}` : '';
}
