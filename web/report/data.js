// The run as it was written, and what the figures ask of it: runs that differ only in their seed are one group.

import {isNumber} from '../shared/format.js';
import {distinct, final} from '../shared/lists.js';

/**
 * @typedef {{round: number[], loss: number[], regret_low: ?number[], regret_high: ?number[], bound: ?number[],
 *            outstanding: ?number[], oracle_calls: ?number[], seconds: ?number[], state_bytes: ?number[],
 *            metrics: Object<string, number[]>}} Checkpoints  loss, regret, oracle_calls and seconds are sums so far
 * @typedef {{mean: number, largest: number, lost: number, on_its_way: ?number, answered: number, most_outstanding:
 * number, histogram: number[]}} Delays  histogram[k] counts delays from 2^k to 2^(k+1) − 1
 * @typedef {{stream: string, delay: string, learner: string, set: string, seed: number, rounds: number,
 *            checkpoints: Checkpoints, delays: ?Delays, seconds: number, state_bytes: number,
 *            oracle_calls: number}} Run
 * @typedef {{stream: string, delay: string, name: string, index: number, exponent: ?number, runs: Run[]}} Group
 *   `index` picks its style; `exponent` of its regret in T, as the summary has it
 * @typedef {{x: number[], mean: (number|null)[], low: (number|null)[], high: (number|null)[], count: number}} Curve
 */

/** The JSON of the page. */
export function readData() {
  const data = JSON.parse(document.getElementById('data').textContent);
  if (data.format !== 'tarry-run/1' || !Array.isArray(data.runs)) {
    throw new Error(`this page reads tarry-run/1, and its data is ${data.format ?? 'empty'}`);
  }
  return data;
}

/** @param {Run[]} runs @param {any[]} summaries of the groups @returns {Group[]} */
export function groupRuns(runs, summaries) {
  // A learner that met one stream under one delay on several sets is told apart by its set.
  const games = distinct(runs.map((run) => JSON.stringify([run.stream, run.delay, run.learner, run.set])));
  const several = distinct(games.map((game) => JSON.stringify(JSON.parse(game).slice(0, 3)))).length < games.length;
  const nameOf = (run) => (several ? `${run.learner} · ${run.set}` : run.learner);
  const names = distinct(runs.map(nameOf));
  const groups = new Map();
  for (const run of runs) {
    const name = nameOf(run);
    const key = JSON.stringify([run.stream, run.delay, name]);
    if (!groups.has(key)) {
      const {stream, delay, learner} = run;
      const same = summaries.find((of) => of.stream === stream && of.delay === delay && of.learner === learner);
      groups.set(key, {stream, delay, name, index: names.indexOf(name), exponent: same?.exponent ?? null, runs: []});
    }
    groups.get(key).runs.push(run);
  }
  return [...groups.values()];
}

/** The rounds that every run recorded. @param {Run[]} runs */
function sharedRounds(runs) {
  const others = runs.slice(1).map((run) => new Set(run.checkpoints.round));
  return runs[0].checkpoints.round.filter((round) => others.every((set) => set.has(round)));
}

/** @param {number[]} sorted @param {number} p between 0 and 1 */
function quantile(sorted, p) {
  const at = p * (sorted.length - 1);
  const k = Math.floor(at);
  return sorted[k] + (at - k) * ((sorted[k + 1] ?? sorted[k]) - sorted[k]);
}

/** From so many seeds on a band leaves out the outer tenths; below, it spans all. */
export const SEEDS_FOR_TENTHS = 10;

/**
 * The middle and the band over the seeds of one quantity: the mean, or the median with the middle half.
 * @param {Group} group @param {(run: Run) => ?number[]} pick @param {boolean} robust
 * @returns {?Curve}
 */
export function curveOf(group, pick, robust = false) {
  const picked = group.runs.map((run) => ({run, values: pick(run)})).filter(({values}) => values);
  if (picked.length === 0) return null;
  const x = sharedRounds(picked.map(({run}) => run));
  const columns = picked.map(({run, values}) => {
    const byRound = new Map(run.checkpoints.round.map((round, i) => [round, values[i]]));
    return x.map((round) => byRound.get(round));
  });
  /** @type {Curve} */
  const curve = {x, mean: [], low: [], high: [], count: picked.length};
  const tail = robust ? 0.25 : picked.length >= SEEDS_FOR_TENTHS ? 0.1 : 0;
  const middle = robust ? (sorted) => quantile(sorted, 0.5) : (sorted) => meanAndSpread(sorted).mean;
  x.forEach((_, i) => {
    const here = columns.map((column) => column[i]).filter(isNumber).sort((a, b) => a - b);
    curve.mean.push(here.length ? middle(here) : null);
    curve.low.push(here.length ? quantile(here, tail) : null);
    curve.high.push(here.length ? quantile(here, 1 - tail) : null);
  });
  return curve.mean.some(isNumber) ? curve : null;
}

/** Mean and standard deviation over the seeds. @param {(number|null|undefined)[]} values */
export function meanAndSpread(values) {
  const here = values.filter(isNumber);
  if (here.length === 0) return {mean: null, spread: null};
  const mean = here.reduce((sum, v) => sum + v, 0) / here.length;
  if (here.length === 1) return {mean, spread: null};
  return {mean, spread: Math.sqrt(here.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (here.length - 1))};
}

/** The last number of a list. @param {?number[]} values */
export function lastOf(values) {
  return final((values ?? []).filter(isNumber)) ?? null;
}

/** Microseconds a round between checkpoints. @param {Run} run */
export function microseconds(run) {
  const {round, seconds} = run.checkpoints;
  if (!seconds) return null;
  return round.map((t, i) => {
    const [t0, s0] = i ? [round[i - 1], seconds[i - 1]] : [0, 0];
    return isNumber(seconds[i]) && isNumber(s0) && t > t0 ? (1e6 * (seconds[i] - s0)) / (t - t0) : null;
  });
}

/** Average loss a round, up to each checkpoint. @param {Run} run */
export function averageLoss(run) {
  const {round, loss} = run.checkpoints;
  return loss ? loss.map((sum, i) => (isNumber(sum) ? sum / round[i] : null)) : null;
}
