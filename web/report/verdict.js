// What the results mean, in words: the first thing on the page.

import {h} from '../shared/dom.js';

/**
 * @typedef {{stream: string, delay: string, learner: string, against: string, loses: boolean, says: string[]}} Verdict
 */

/** @param {any} data @param {string} stream @param {string} delay @returns {?Verdict} */
export function verdictOf(data, stream, delay) {
  return (data.verdicts ?? []).find((one) => one.stream === stream && one.delay === delay) ?? null;
}

/** @param {?Verdict} verdict */
export function makeVerdict(verdict) {
  if (!verdict) return [];
  const [first, ...others] = verdict.says;
  return [
    h('p', {class: verdict.loses ? 'first loses' : 'first'}, first),
    ...others.map((text) => h('p', {}, text)),
  ];
}
