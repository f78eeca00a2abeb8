// What a model that chooses earned, beside what simple rules would have: a table, best estimates with their intervals.

import {h} from '../shared/dom.js';
import {counted, isNumber} from '../shared/format.js';

import {shortNumber} from './figures.js';

/**
 * @typedef {{value: ?number, low: ?number, high: ?number}} Estimate
 * @typedef {{rounds: number, ips: Estimate, snips: Estimate, dr: ?Estimate}} Policy
 * @typedef {{cost: number, share: ?number}} Cost
 * @typedef {{rounds: number, earned: Estimate, uniform: Policy, always: (Policy & {id: string})[],
 *     exploration?: Cost & {rounds: number, lately: Cost}}} Compared
 * @typedef {{name: string, by: string, rounds: number, estimate: Estimate}} Line
 */

const MOST_ACTIONS = 5;

/** The estimate that says most. @param {Policy} policy */
function bestOf({ips, snips, dr}) {
  if (isNumber(dr?.low)) return {by: 'DR', estimate: dr};
  return isNumber(ips.low) ? {by: 'IPS', estimate: ips} : {by: 'SNIPS', estimate: snips};
}

/**
 * The value of IPS can lie outside its interval, which knows that no reward is above the highest. @param {Estimate} of
 */
function within({value, low, high}) {
  return isNumber(value) && isNumber(low) && isNumber(high) ? Math.min(Math.max(value, low), high) : value;
}

/** @param {Compared} compared @returns {Line[]} */
function lines({rounds, earned, uniform, always}) {
  return [
    {name: 'as shown', by: '', rounds, estimate: earned},
    {name: 'any action alike', rounds: uniform.rounds, ...bestOf(uniform)},
    ...always.map((one) => ({name: `always ${one.id}`, rounds: one.rounds, ...bestOf(one)})),
  ];
}

/** For CSV. @param {Compared} compared */
export function comparedRows(compared) {
  const head = ['rule', 'rounds', 'estimated by', 'reward a round', 'low', 'high'];
  const rows = compared.rounds > 0 ? lines(compared) : [];
  return [
    head,
    ...rows.map(
        ({name, by, rounds, estimate: {value, low, high}}) => [name, rounds, by, value ?? '', low ?? '', high ?? ''])
  ];
}

/** @param {Cost} of */
function costText({cost, share}) {
  return shortNumber(cost) + (isNumber(share) ? ` (${shortNumber(100 * share)} %)` : '');
}

/** @param {Compared} compared */
function explorationSaid({exploration}) {
  if (!exploration) return [];
  const text = `Exploration gives up ${costText(exploration)} of the predicted reward a round, lately ${
      costText(exploration.lately)}.`;
  return [h('p', {class: 'quiet', id: 'exploration'}, text)];
}

/** @param {Compared} compared @param {?{shown: number, agreed: number}} apprentice */
export function makeCompared(compared, apprentice) {
  const said = apprentice ? [h('p', {class: 'quiet'},
                               `Something else was shown in ${
                                   counted(apprentice.shown, 'round')}; the model agreed in ${apprentice.agreed}.`)] :
                            [];
  said.unshift(...explorationSaid(compared));
  if (!(compared.rounds > 0))
    return [h('p', {class: 'quiet'}, 'No round has ended yet together with all before it.'), ...said];
  const cell = (text) => h('td', {class: 'short'}, text);
  const interval = ({low, high}) =>
      (isNumber(low) && isNumber(high) ? `${shortNumber(low)} to ${shortNumber(high)}` : '–');
  const row = ({name, by, estimate}) =>
      h('tr', {}, h('th', {scope: 'row'}, name), cell(shortNumber(within(estimate))), cell(interval(estimate)),
        cell(by || '–'));
  const heads = ['Rule', 'Reward', '95 %', 'By'].map((text) => h('th', {scope: 'col'}, text));
  const table =
      h('table', {class: 'results'}, h('thead', {}, h('tr', {}, heads)),
        h('tbody', {}, lines(compared).slice(0, 2 + MOST_ACTIONS).map(row)));
  const about = `A round, over ${counted(compared.rounds, 'round')} whose wait is over.`;
  return [
    h('div', {class: 'table-box', tabindex: 0, role: 'group', 'aria-label': 'Beside simple rules'}, table),
    h('p', {class: 'quiet'}, about), ...said
  ];
}
