// What policies would have earned on a log of choices, with intervals, and what is to be said against them.

import {h} from '../shared/dom.js';
import {decimalsFor, fixed, grouped, isNumber, NONE} from '../shared/format.js';
import {swatch} from '../shared/palette.js';

/**
 * @typedef {{value: ?number, low: ?number, high: ?number}} Estimate
 * @typedef {{stream: string, delay: string, policy: string, dr: ?Estimate, ips: Estimate, snips: Estimate,
 *            effective_rounds: ?number, warnings: string[]}} Evaluated
 */

const ESTIMATORS = [['dr', 'DR'], ['ips', 'IPS'], ['snips', 'SNIPS']];
const NOTE =
    'Reward a round. DR uses a model of the reward, whose predictions were made before the rewards were known; ' +
    'IPS uses none, and SNIPS divides by the sum of the weights. 95 % intervals: those of DR and IPS hold at any time, ' +
    'that of SNIPS is asymptotic. Effective rounds: how many of the policy\'s own the log is worth.';

/** The policies judged on one stream under one delay. @returns {Evaluated[]} */
export function evaluationsOf(data, stream, delay) {
  return (data.evaluations ?? []).filter((one) => one.stream === stream && one.delay === delay);
}

/** @param {Evaluated[]} evaluated @param {Group[]} groups for the policies' styles @param {Theme} theme */
export function makeEvaluation(evaluated, groups, theme) {
  const decimals = decimalsFor(evaluated.flatMap((one) => ESTIMATORS.map(([key]) => one[key]?.value)).filter(isNumber));
  const styleIndex = (name) => groups.find((group) => group.runs[0].learner === name)?.index ?? 0;
  const cell = (text) => h('td', {class: text === NONE ? 'number none' : 'number'}, text);
  const interval = (estimate) => isNumber(estimate?.low) && isNumber(estimate?.high) ?
      `${fixed(estimate.low, decimals)} to ${fixed(estimate.high, decimals)}` :
      NONE;
  const makeRow = (one) => {
    const player = h('span', {class: 'player'}, swatch(styleIndex(one.policy), theme), one.policy);
    const estimates = ESTIMATORS.flatMap(([key]) => [cell(fixed(one[key]?.value, decimals)), cell(interval(one[key]))]);
    const rounds = isNumber(one.effective_rounds) ? grouped(one.effective_rounds.toFixed(0)) : NONE;
    return h('tr', {}, h('th', {scope: 'row'}, player), ...estimates, cell(rounds));
  };
  const heads = ['Policy', ...ESTIMATORS.flatMap(([, name]) => [name, '95 %']), 'Effective rounds'];
  const head = heads.map((text) => h('th', {scope: 'col', class: text === 'Policy' ? 'text' : 'number'}, text));
  const table =
      h('table', {class: 'results board'}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, evaluated.map(makeRow)));
  const warnings = evaluated.flatMap((one) => one.warnings.map((warning) => `${one.policy}: ${warning}.`));
  return [
    h('div', {class: 'figure-head'}, h('h2', {}, 'What policies would have earned')),
    h('div', {class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'What policies would have earned'}, table),
    ...warnings.map((warning) => h('p', {class: 'note warning'}, warning)),
    h('p', {class: 'note'}, NOTE),
  ];
}
