// The six figures: which numbers each shows, and what it says below.

import {byteUnit, grouped, isNumber, significant} from '../shared/format.js';
import {distinct, final, largest} from '../shared/lists.js';

import {averageLoss, curveOf, meanAndSpread, microseconds} from './data.js';
import {bandText, plainChart} from './plain.js';
import {regretCaption, regretChart} from './regret.js';

/**
 * @typedef {{stream: string, delay: string, groups: Group[], metric: string, bounds: boolean, undelayed: ?string,
 *            beside: Group[]}} View
 *   what is chosen now; beside: the same learners with no delay, where that is another one
 * @typedef {{id: string, title: string, wide: boolean, height: number, log: ?boolean,
 *            make: (view: View, log: boolean) => any,
 *            caption: (view: View, log: boolean, picture: Picture) => any[]}} Figure
 *   log: which axes it starts with; null where there is no choice
 */

const METRICS = {
  rmse: 'root mean squared error',
  mae: 'mean absolute error',
  log_loss: 'log loss',
  accuracy: 'accuracy',
  auc: 'area under the ROC curve',
  wealth: 'wealth',
  gain: 'gain',
  travel_time: 'mean travel time',
  beckmann_gap: 'gap of the average flow to the equilibrium',
  loss: 'average loss',
};

/** @param {string} name */
export function metricName(name) {
  return METRICS[name] ?? name.replace(/_/g, ' ');
}

/** The metrics that these runs have; the average loss always. @param {Group[]} groups */
export function metricsOf(groups) {
  const runs = groups.flatMap((group) => group.runs);
  const found = distinct(runs.flatMap((run) => Object.keys(run.checkpoints.metrics ?? {})));
  const known = Object.keys(METRICS).filter((name) => found.includes(name));
  return [...known, ...found.filter((name) => !(name in METRICS)), 'loss'];
}

/** @param {Run} run @param {string} metric */
function metricValues(run, metric) {
  return metric === 'loss' ? averageLoss(run) : run.checkpoints.metrics?.[metric] ?? null;
}

/** The delays of the chosen runs, summed. @param {View} view */
function delayTotals(view) {
  const all = view.groups.flatMap((group) => group.runs).map((run) => run.delays).filter((delays) => delays);
  const counts = Array(Math.max(0, ...all.map((delays) => delays.histogram.length))).fill(0);
  for (const {histogram} of all) histogram.forEach((count, k) => void (counts[k] += count));
  while (final(counts) === 0) counts.pop();
  return {all, counts};
}

function delayCaption(view) {
  const {all} = delayTotals(view);
  if (all.length === 0) return [];
  const most = (key) => Math.max(...all.map((delays) => delays[key]));
  const total = (key) => all.reduce((sum, delays) => sum + delays[key], 0);
  const lost = total('lost');
  const share = significant((100 * lost) / (lost + total('answered')), 2);
  const mean = meanAndSpread(all.map((delays) => delays.mean)).mean;
  const longest = grouped(String(most('largest')));
  const end = lost ? `${share} % never answered` : 'none lost';
  return [`Mean ${significant(mean, 3)} rounds, longest ${longest}, ${end}.`];
}

function metricChart(view, log) {
  const name = metricName(view.metric);
  const title = `${name[0].toUpperCase()}${name.slice(1)} over rounds`;
  const pick = (run) => metricValues(run, view.metric);
  const chart = plainChart(view, 'metric', title, name, log, pick, {zero: false, settled: true});
  for (const line of chart.lines) {
    const group = view.beside.find((other) => other.name === line.name);
    const curve = group ? curveOf(group, pick) : null;
    if (!curve) continue;
    const byRound = new Map(curve.x.map((round, i) => [round, curve.mean[i]]));
    line.beside = line.x.map((round) => byRound.get(round) ?? null);
  }
  return chart;
}

function metricCaption(view, log, picture) {
  const said = [bandText(view)];
  if (view.undelayed !== null) said.push(`Dotted: with no delay (${view.undelayed}).`);
  if (picture.cut) said.push('The first rounds lie beyond the paper.');
  return [said.join(' ')];
}

function memoryChart(view, log) {
  const runs = view.groups.flatMap((group) => group.runs);
  const unit = byteUnit(largest(runs.flatMap((run) => run.checkpoints.state_bytes ?? []).filter(isNumber)));
  const pick = (run) => run.checkpoints.state_bytes?.map((v) => (isNumber(v) ? v / unit.size : null)) ?? null;
  return plainChart(view, 'memory', 'Memory', `state (${unit.name})`, log, pick);
}

function timeCaption(view) {
  const several = view.groups.some((group) => group.runs.length > 1);
  const over = several ? '; the line is the median over the seeds, the band their middle half' : '';
  return [`Average since the checkpoint before${over}.`];
}

function outstandingCaption(view) {
  const runs = view.groups.flatMap((group) => group.runs);
  const most = runs.map((run) => run.delays?.most_outstanding).filter(isNumber);
  return most.length ? [`At most ${grouped(String(largest(most)))} at once.`] : [];
}

/** @type {Figure[]} */
export const FIGURES = [
  {
    id: 'regret',
    title: 'Regret over rounds',
    wide: true,
    height: 420,
    log: true,
    make: regretChart,
    caption: regretCaption
  },
  {
    id: 'metric',
    title: 'Quality over rounds',
    wide: true,
    height: 340,
    log: false,
    make: metricChart,
    caption: metricCaption,
  },
  {
    id: 'delays',
    title: 'Delays',
    wide: false,
    height: 280,
    log: null,
    make: (view) => ({
      title: 'Delays',
      subtitle: `${view.stream}, delay: ${view.delay}`,
      counts: delayTotals(view).counts,
      empty: view.groups.length ? 'No answer came' : 'No learner is switched on',
    }),
    caption: delayCaption,
  },
  {
    id: 'outstanding',
    title: 'Rounds waiting for an answer',
    wide: false,
    height: 280,
    log: false,
    make: (view, log) => plainChart(
        view, 'outstanding', 'Rounds waiting for an answer', 'outstanding rounds', log,
        (run) => run.checkpoints.outstanding, {whole: true}),
    caption: outstandingCaption,
  },
  {
    id: 'time',
    title: 'Time a round',
    wide: false,
    height: 280,
    log: true,
    make: (view, log) => plainChart(view, 'time', 'Time a round', 'time (µs)', log, microseconds, {robust: true}),
    caption: timeCaption,
  },
  {
    id: 'memory',
    title: 'Memory',
    wide: false,
    height: 280,
    log: false,
    make: memoryChart,
    caption: () => ['What the learner and its ledger keep between rounds.'],
  },
];
