// The figures: which numbers each shows, and what it says below.

import {byteUnit, counted, grouped, isNumber, significant} from '../shared/format.js';
import {distinct, final, largest, smallest} from '../shared/lists.js';
import {ageText} from '../shared/times.js';

import {averageLoss, curveOf, meanAndSpread, microseconds} from './data.js';
import {bandText, joined, plainChart} from './plain.js';
import {calibrationChart, predictsNumbers, sizeChart} from './quality.js';
import {regretAxes, regretCaption, regretChart} from './regret.js';

/**
 * @typedef {{stream: string, delay: string, groups: Group[], metric: string, bounds: boolean, undelayed: ?string,
 *            beside: Group[], span: ?[number, number], all: string[], table: boolean, reading: ?Reading,
 *            times: ?{round: number[], time: number[]}}} View
 *   what is chosen now; beside: the same learners with no delay, where that is another one; table: rounds are its rows;
 *   times: when they were seen
 * @typedef {{id: string, title: string, wide: boolean, height: number, axes: Axes[],
 *            usual: (view: View) => Axes, make: (view: View, axes: Axes) => any,
 *            caption: (view: View, axes: Axes, picture: Picture) => any[]}} Figure
 *   axes: which there are to choose from; usual: those it starts with
 */

const METRICS = {
  rmse: 'root mean squared error',
  mae: 'mean absolute error',
  log_loss: 'log loss',
  accuracy: 'accuracy',
  auc: 'area under the ROC curve',
  wealth: 'wealth',
  gain: 'gain',
  dr: 'reward by the doubly robust estimate',
  ips: 'reward by inverse propensity scores',
  snips: 'reward by self-normalised scores',
  effective_rounds: 'effective rounds',
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

const MORE_IS_BETTER =
    ['accuracy', 'auc', 'wealth', 'gain', 'reward', 'best_action', 'dr', 'ips', 'snips', 'effective_rounds'];

/**
 * Where lines end many times as high as others, only logarithms show them all. @param {(run: Run) => ?number[]} pick
 */
function axesFor(view, pick) {
  const ends = view.groups.map((group) => final((curveOf(group, pick)?.mean ?? []).filter(isNumber))).filter(isNumber);
  return smallest(ends) > 0 && largest(ends) > 8 * smallest(ends) ? 'logy' : 'linear';
}

/** Whether it is known that every answer came at once. @param {Group[]} groups */
export function allAtOnce(groups) {
  const all = groups.flatMap((group) => group.runs).map((run) => run.delays).filter((delays) => delays);
  return all.length > 0 && all.every((delays) => delays.lost === 0 && delays.largest <= 1);
}

/** The delays of the chosen runs, summed. @param {View} view */
function delayTotals(view) {
  const all = view.groups.flatMap((group) => group.runs).map((run) => run.delays).filter((delays) => delays);
  const counts = Array(Math.max(0, ...all.map((delays) => delays.histogram.length))).fill(0);
  for (const {histogram} of all) histogram.forEach((count, k) => void (counts[k] += count));
  while (final(counts) === 0) counts.pop();
  return {all, counts};
}

/** The waits of the data in hours and days, where the delays are the data's. @param {View} view */
function waitsShown(view) {
  const recorded = view.groups.flatMap((group) => group.runs).some((run) => run.delays?.seconds);
  return recorded ? view.reading?.waits ?? null : null;
}

/** @param {View} view */
function delaysHistogram(view) {
  const shared = {
    title: view.table ? 'How late labels come' : 'Delays',
    subtitle: `${view.stream}, delay: ${view.delay}`
  };
  const waits = waitsShown(view);
  if (!waits || view.groups.length === 0) {
    return {
      ...shared,
      counts: delayTotals(view).counts,
      empty: view.groups.length ? 'No answer came' : 'No learner is switched on',
      xName: view.table ? 'delay (rows)' : 'delay (rounds)',
    };
  }
  const text = (k) => (k >= waits.edges.length ? '' : waits.edges[k] === 0 ? '0' : ageText(1000 * waits.edges[k]));
  const rangeText = (k) => `after ${text(k)} to ${text(k + 1)}`;
  return {
    ...shared,
    counts: waits.counts,
    empty: 'No answer came',
    xName: 'wait for the label',
    edgeText: text,
    rangeText
  };
}

function delayCaption(view) {
  const {all} = delayTotals(view);
  if (all.length === 0) return [];
  const most = (key) => Math.max(...all.map((delays) => delays[key]));
  const total = (key) => all.reduce((sum, delays) => sum + delays[key], 0);
  const lost = total('lost');
  const waiting = all.reduce((sum, delays) => sum + (delays.on_its_way ?? 0), 0);
  const share = (count) => significant((100 * count) / (lost + waiting + total('answered')), 2);
  const mean = meanAndSpread(all.map((delays) => delays.mean)).mean;
  const longest = grouped(String(most('largest')));
  const waits = waitsShown(view) ? all.find((delays) => delays.seconds)?.seconds : null;
  const end = lost ? `${share(lost)} % never answered` : 'none lost';
  const still = waiting ? `, ${share(waiting)} % on their way at the end` : '';
  if (waits) {
    const [half, most9, last] = [waits.half, waits.nine_in_ten, waits.longest].map((wait) => ageText(1000 * wait));
    const rows = `${significant(mean, 3)} rows on average`;
    return [`Half within ${half}, nine in ten within ${most9}, the last after ${last} (${rows}); ${end}${still}.`];
  }
  return [`Mean ${significant(mean, 3)} ${view.table ? 'rows' : 'rounds'}, longest ${longest}, ${end}${still}.`];
}

function metricChart(view, axes) {
  const name = metricName(view.metric);
  const over = view.times && axes !== 'log' ? 'time' : view.table ? 'rows' : 'rounds';
  const title = `${name[0].toUpperCase()}${name.slice(1)} over ${over}`;
  const pick = (run) => metricValues(run, view.metric);
  const more = {zero: false, settled: true, endValue: (y) => significant(y, 3)};
  const better = MORE_IS_BETTER.includes(view.metric) ? 'more is better' : 'less is better';
  const chart = plainChart(view, 'metric', title, `${name} (${better})`, axes, pick, more);
  for (const line of chart.lines) {
    const group = view.beside.find((other) => other.name === line.name);
    const curve = group ? curveOf(group, pick) : null;
    if (!curve) continue;
    const byRound = new Map(curve.x.map((round, i) => [round, curve.mean[i]]));
    line.beside = line.x.map((round) => byRound.get(round) ?? null);
  }
  return chart;
}

/** The finding in one sentence. @param {View} view @param {Line[]} lines */
function bestMetric(view, lines) {
  const ended = lines.filter((line) => isNumber(final(line.y)));
  if (ended.length < 2 || view.span) return '';
  const more = MORE_IS_BETTER.includes(view.metric);
  const better = (a, b) => (more ? a > b : a < b);
  const best = ended.reduce((one, other) => (better(final(other.y), final(one.y)) ? other : one));
  const rounds = counted(final(best.x), view.table ? 'row' : 'round');
  const name = metricName(view.metric);
  return `After ${rounds}, ${best.name} has the ${more ? 'highest' : 'least'} ${name}: ${
      significant(final(best.y), 3)}.`;
}

function metricCaption(view, axes, picture) {
  const said = [bestMetric(view, picture.lines), bandText(view)];
  if (picture.lines.some((line) => line.beside)) said.push(`Dotted: with no delay (${view.undelayed}).`);
  return [joined([...said, cutText(view, picture)])];
}

/** What is not to be seen in a picture, and why. @param {View} view @param {Picture} picture */
function cutText(view, picture) {
  const early = picture.cut && picture.early ? `The first ${view.table ? 'rows' : 'rounds'} are off the chart.` : '';
  const end = (line) => `${line.name} (${significant(final(line.y.filter(isNumber)), 2)} at the end)`;
  const astray = picture.off.length > 0 ? `Off the chart: ${picture.off.map(end).join(', ')}.` : '';
  return joined([early, astray]);
}

function memoryValues(run, unit) {
  return run.checkpoints.state_bytes?.map((v) => (isNumber(v) ? v / unit.size : null)) ?? null;
}

function memoryChart(view, axes) {
  const runs = view.groups.flatMap((group) => group.runs);
  const unit = byteUnit(largest(runs.flatMap((run) => run.checkpoints.state_bytes ?? []).filter(isNumber)));
  return plainChart(view, 'memory', 'Memory', `state (${unit.name})`, axes, (run) => memoryValues(run, unit));
}

function timeCaption(view, axes, picture) {
  const several = view.groups.some((group) => group.runs.length > 1);
  const over = several ? '; the line is the median over the seeds, the band their middle half' : '';
  return [joined([`Average since the checkpoint before${over}.`, cutText(view, picture)])];
}

/** How many rounds wait is the delays' doing, not the learners': one line, where all agree. */
function outstandingChart(view, axes) {
  const pick = (run) => run.checkpoints.outstanding;
  const chart = plainChart(
      view, 'outstanding', 'Waiting for an answer', `${view.table ? 'rows' : 'rounds'} without an answer`, axes, pick,
      {whole: true});
  const first = chart.lines[0];
  const same = (line) => line.y.length === first.y.length && line.y.every((v, i) => v === first.y[i]);
  if (chart.lines.length > 1 && chart.lines.every(same)) chart.lines = [{...first, name: 'every learner', index: 7}];
  return chart;
}

function outstandingCaption(view, axes, picture) {
  const runs = view.groups.flatMap((group) => group.runs);
  const most = runs.map((run) => run.delays?.most_outstanding).filter(isNumber);
  const same = view.groups.length > 1 && picture.lines.length === 1 ? 'The same for every learner. ' : '';
  return most.length ? [`${same}At most ${grouped(String(largest(most)))} at once.`] : [same.trim()];
}

function calibrationCaption(view) {
  return [
    predictsNumbers(view.groups) ?
        'Tenths of the rows, from the smallest prediction to the largest: on the thin line, predictions are right on average.' :
        'Of all predictions of about so many per cent, how many came true: on the thin line, probabilities mean what they say.'
  ];
}

/** @type {Figure[]} */
export const FIGURES = [
  {
    id: 'regret',
    title: 'Regret over rounds',
    wide: true,
    height: 420,
    axes: ['linear', 'log'],
    usual: regretAxes,
    make: regretChart,
    caption: regretCaption
  },
  {
    id: 'metric',
    title: 'Quality over rounds',
    wide: true,
    height: 340,
    axes: ['linear', 'logy', 'log'],
    usual: (view) => axesFor(view, (run) => metricValues(run, view.metric)),
    make: metricChart,
    caption: metricCaption,
  },
  {
    id: 'calibration',
    title: 'Calibration',
    wide: false,
    height: 300,
    axes: [],
    usual: () => 'linear',
    make: (view) => calibrationChart(
        view.groups, predictsNumbers(view.groups), view.reading?.label?.unit ?? '',
        `${view.stream}, delay: ${view.delay}`),
    caption: calibrationCaption,
  },
  {
    id: 'by-size',
    title: 'Error by size',
    wide: false,
    height: 300,
    axes: [],
    usual: () => 'linear',
    make: (view) => sizeChart(view.groups, view.reading?.label?.unit ?? '', `${view.stream}, delay: ${view.delay}`),
    caption: (
        view, axes,
        picture) => [joined(['Tenths of the rows, from the smallest outcome to the largest.', cutText(view, picture)])],
  },
  {
    id: 'delays',
    title: 'Delays',
    wide: false,
    height: 280,
    axes: [],
    usual: () => 'linear',
    make: delaysHistogram,
    caption: delayCaption,
  },
  {
    id: 'outstanding',
    title: 'Waiting for an answer',
    wide: false,
    height: 280,
    axes: [],
    usual: () => 'linear',
    make: outstandingChart,
    caption: outstandingCaption,
  },
  {
    id: 'time',
    title: 'Time a round',
    wide: false,
    height: 280,
    axes: ['linear', 'logy'],
    usual: () => 'logy',
    make: (view, axes) =>
        plainChart(view, 'time', 'Time a round', 'time (µs)', axes, microseconds, {robust: true, settled: true}),
    caption: timeCaption,
  },
  {
    id: 'memory',
    title: 'Memory',
    wide: false,
    height: 280,
    axes: ['linear', 'logy'],
    usual: (view) => axesFor(view, (run) => memoryValues(run, {size: 1})),
    make: memoryChart,
    caption: () => ['Memory of the learner and its ledger between rounds.'],
  },
];
