// The figures over a history: which numbers each shows, what it says below, and the same as rows for a file.

import {byteUnit, grouped, isNumber, significant} from '../shared/format.js';
import {largest} from '../shared/lists.js';
import {ageScale, ageText, clockText, dayAndClockText, timeScale} from '../shared/times.js';

import {RIPE, ripeSteps} from './points.js';

const OTHERS = 6;  // the column of actions that have none of their own

/**
 * @typedef {{points: Points, choices: ?Points, actions: string[]}} Choices of a model that chooses
 * @typedef {{points: Points, delays: number[], zone: Zone, subtitle: string, ofModel: boolean}&Partial<Choices>} View
 * @typedef {{id: string, title: string, wide: boolean, height: number, make: (view: View) => any,
 *            caption: (view: View) => string, when?: (view: View) => boolean}} Figure
 */

/** @param {string} name @param {number} index @param {number[]} x @param {(number|null)[]} y */
function line(name, index, x, y, more = {}) {
  return {name, index, x, y, band: null, interval: null, bound: null, exponent: null, ...more};
}

/** A chart over the time of day. @param {View} view @param {any} about @param {Line[]} lines */
function overTime(view, about, lines) {
  const {points, zone} = view;
  const drawn = lines.filter(({y}) => y.some(isNumber));
  return {
    subtitle: view.subtitle,
    log: false,
    bounds: false,
    zero: true,
    whole: false,
    settled: false,
    empty: 'Nothing yet',
    xName: '',
    marks: lines.length > 1,
    tickSpace: 36,
    scaleX: (left, right) => timeScale(points.from, points.now, [left, right], zone),
    xText: (at) => `from ${points.step < 60000 ? clockText(at, zone) : dayAndClockText(at, zone)}`,
    ...about,
    lines: drawn,
  };
}

/** The steps' starts; the first may lie before the paper. @param {Points} points */
function starts(points) {
  return points.times().map((at) => Math.max(at, points.from));
}

/** @param {View} view */
function trafficChart(view) {
  const x = starts(view.points);
  return overTime(view, {id: 'traffic', title: 'Decisions and feedback', yName: 'a second'}, [
    line('decisions', 0, x, view.points.rate('decisions')),
    line('feedback', 1, x, view.points.rate('feedback')),
  ]);
}

function outstandingChart(view) {
  const y = view.points.column('outstanding');
  const lines = [line('outstanding', 0, starts(view.points), y, {band: {low: y.map(() => 0), high: y}})];
  return overTime(view, {id: 'outstanding', title: 'Rounds that wait', yName: 'rounds', whole: true}, lines);
}

/** The unit for a chart of durations. @param {(number|null)[]} values milliseconds */
function durationUnit(values) {
  const most = largest(values.filter(isNumber));
  if (most >= 2 * 86400000) return {name: 'days', size: 86400000};
  if (most >= 2 * 3600000) return {name: 'hours', size: 3600000};
  if (most >= 120000) return {name: 'minutes', size: 60000};
  return most >= 2000 ? {name: 'seconds', size: 1000} : {name: 'milliseconds', size: 1};
}

/** A chart of one duration. @param {View} view @param {(number|null)[]} values milliseconds */
function durationChart(view, about, name, values) {
  const unit = durationUnit(values);
  const y = values.map((value) => (isNumber(value) ? value / unit.size : null));
  return overTime(view, {...about, yName: unit.name}, [line(name, 0, starts(view.points), y)]);
}

function oldestChart(view) {
  const about = {id: 'oldest', title: 'Age of the oldest'};
  return durationChart(view, about, 'oldest', view.points.column('oldest_ms'));
}

/** By age, youngest first: what share of the decisions of each step has its label. @param {View} view */
function maturityChart(view) {
  const {points} = view;
  const [decisions, answered, closed] = [points.column('decisions'), points.column('answered'), points.closed()];
  const rows = points.times()
                   .map((at, i) => ({
                          age: points.now - at - Math.min(points.step, points.now - at) / 2,
                          come: decisions[i] > 0 ? (100 * answered[i]) / decisions[i] : null,
                          closed: isNumber(closed[i]) ? 100 * closed[i] : null,
                        }))
                   .reverse();
  const x = rows.map(({age}) => age);
  const y = rows.map(({come}) => come);
  const lines = [line('labels that have come', 0, x, y, {band: {low: y.map((v) => (v === null ? null : 0)), high: y}})];
  if (rows.some((row) => isNumber(row.come) && row.closed > row.come + 0.5)) {
    lines.push(line('or given up', 1, x, rows.map((row) => row.closed)));
  }
  const high = points.now - points.from;
  return {
    ...overTime(view, {id: 'maturity', title: 'Maturity by age of the decision', yName: '% of decisions'}, lines),
    xName: 'age of the decision',
    scaleX: (left, right) => ageScale(high, [left, right]),
    xText: (age) => `${ageText(age)} old`,
    yText: (share) => `${significant(share, 3)} %`,
  };
}

/** When nine of ten labels had come. @param {View} view */
function maturityCaption(view) {
  const chart = maturityChart(view);
  const [first] = chart.lines;
  if (!first) return '';
  const k = first.y.findIndex((share) => isNumber(share) && share >= 100 * RIPE);
  return k < 0 ? `No step in this range has ${100 * RIPE} % of its labels yet.` :
                 `${100 * RIPE} % of the labels have come for decisions that are ${ageText(first.x[k])} old.`;
}

function delayHistogram(view) {
  const counts = [...(view.delays ?? [])];
  while (counts.length > 0 && counts[counts.length - 1] === 0) counts.pop();
  const first = Math.max(0, counts.findIndex((count) => count > 0));
  const edgeText = (k) => ageText(2 ** (k + first));
  return {
    id: 'delays',
    title: 'Delays',
    subtitle: view.subtitle,
    counts: counts.slice(first),
    empty: 'No answer came yet',
    xName: 'delay of the answer',
    edgeText,
    rangeText: (k) => `${edgeText(k)} to ${edgeText(k + 1)}`,
  };
}

/** @param {View} view */
function lossChart(view) {
  const {points} = view;
  const x = starts(points);
  const ripe = ripeSteps(points);
  const about = {
    id: 'loss',
    title: 'Loss beside that of a constant answer',
    yName: view.ofModel ? 'mean loss of a decision' : 'mean loss, constant answer = 1',
    empty: 'No labels with a loss yet',
  };
  return overTime(view, about, [
    line(view.ofModel ? 'this model' : 'the models', 0, x, points.ratio('loss', 'losses'), {ripe}),
    line('constant answer', 1, x, points.ratio('constant', 'losses'), {ripe}),
  ]);
}

function lossCaption(view) {
  const said = 'By the time of the decision, each judged by its own label.';
  const unripe = ripeSteps(view.points) < view.points.times().length;
  return unripe ? `${said} Dashed: fewer than ${100 * RIPE} % of the labels have come, and late ones may differ.` :
                  said;
}

/** What was predicted beside what came of it: a mean of the decisions of each step that have their label. */
function calibrationChart(view) {
  const {points} = view;
  const x = starts(points);
  const ripe = ripeSteps(points);
  const about = {
    id: 'calibration',
    title: 'Mean prediction beside mean outcome',
    yName: 'mean',
    empty: 'No labels to compare with yet',
  };
  return overTime(view, about, [
    line('prediction', 0, x, points.ratio('predicted', 'losses'), {ripe}),
    line('outcome', 1, x, points.ratio('outcome', 'losses'), {ripe}),
  ]);
}

function calibrationCaption(view) {
  const said = 'By the time of the decision, over those whose label has come.';
  const unripe = ripeSteps(view.points) < view.points.times().length;
  return unripe ? `${said} Dashed: the labels still to come may be of another kind.` : said;
}

function certificateChart(view) {
  const y = view.points.column('certificate');
  const about = {id: 'certificate', title: 'Certificate', yName: 'regret at most'};
  return overTime(view, about, [line('certificate', 0, starts(view.points), y)]);
}

function updateChart(view) {
  const about = {id: 'updates', title: 'Time of an update', empty: 'No update yet'};
  return durationChart(view, about, 'update', view.points.ratio('update_ms', 'updates'));
}

function backlogChart(view) {
  const lines = [line('backlog', 0, starts(view.points), view.points.column('backlog'))];
  return overTime(
      view, {id: 'backlog', title: 'Backlog', yName: 'events waiting to be applied, at most', whole: true}, lines);
}

function refusedChart(view) {
  const x = starts(view.points);
  const unit = view.points.step < 60000 ? `in ${view.points.step / 1000} s` : `in ${view.points.step / 60000} min`;
  return overTime(view, {id: 'refused', title: 'Duplicates, expired, refused', yName: unit, whole: true}, [
    line('duplicates', 0, x, view.points.column('duplicates')),
    line('expired', 1, x, view.points.column('expired')),
    line('refused', 2, x, view.points.column('refused')),
  ]);
}

function storeChart(view) {
  const bytes = view.points.column('store_bytes');
  const unit = byteUnit(largest(bytes.filter(isNumber)));
  const y = bytes.map((value) => (isNumber(value) ? value / unit.size : null));
  return overTime(view, {id: 'store', title: 'Store', yName: unit.name}, [line('store', 0, starts(view.points), y)]);
}

function syncChart(view) {
  const about = {id: 'sync', title: 'Time of a sync', empty: 'No sync yet'};
  return durationChart(view, about, 'sync', view.points.ratio('sync_ms', 'syncs'));
}

/** What share of the choices of each step took which action. @param {View} view */
function actionsChart(view) {
  const {choices, actions} = view;
  const x = starts(choices);
  const taken = [...actions, 'others'].map(
      (name, k) => ({name, counts: choices.column(`taken${k === actions.length ? OTHERS : k}`)}));
  const all = x.map((_, i) => taken.reduce((sum, {counts}) => sum + counts[i], 0));
  const lines = taken.filter(({counts}) => counts.some((count) => count > 0))
                    .map(
                        ({name, counts}, k) =>
                            line(name, k, x, counts.map((count, i) => (all[i] > 0 ? (100 * count) / all[i] : null))));
  return overTime(
      view, {
        id: 'actions',
        title: 'Share of each action',
        yName: '% of choices',
        yText: (share) => `${significant(share, 3)} %`
      },
      lines);
}

/** @param {View} view */
function rewardChart(view) {
  const {choices} = view;
  const x = starts(choices);
  const ripe = ripeSteps(view.points);
  const about =
      {id: 'reward', title: 'Reward, and what was predicted', yName: 'mean of a choice', empty: 'No reward yet'};
  return overTime(view, about, [
    line('earned', 0, x, choices.ratio('reward', 'rewards'), {ripe}),
    line('predicted', 1, x, choices.ratio('predicted', 'rewards'), {ripe}),
  ]);
}

function rewardCaption(view) {
  const said = 'By the time of the choice; a default reward counts as one.';
  const unripe = ripeSteps(view.points) < view.points.times().length;
  return unripe ? `${said} Dashed: fewer than ${100 * RIPE} % of the choices have theirs.` : said;
}

const nothing = () => '';
const figure = (id, title, make, caption = nothing, more = {}) =>
    ({id, title, make, caption, wide: false, height: 250, ...more});

/** @type {Figure[]} */
const BOTH = [
  figure('traffic', 'Decisions and feedback', trafficChart),
  figure('maturity', 'Maturity', maturityChart, maturityCaption),
  figure('loss', 'Loss', lossChart, lossCaption),
  figure('delays', 'Delays', delayHistogram, () => 'As far back as the history goes.'),
  figure('outstanding', 'Rounds that wait', outstandingChart),
  figure('oldest', 'Age of the oldest', oldestChart),
  figure('refused', 'Duplicates, expired, refused', refusedChart),
  figure(
      'certificate', 'Certificate', certificateChart,
      (view) =>
          (view.ofModel ? 'The regret that the learner cannot have exceeded.' :
                          'The regret that all learners together cannot have exceeded.'),
      {when: (view) => view.points.column('certificate').some(isNumber)}),
  figure('updates', 'Time of an update', updateChart),
  figure('backlog', 'Backlog', backlogChart),
];

const chooses = {
  when: (view) => !!view.choices
};

export const MODEL_FIGURES = [
  figure('actions', 'Share of each action', actionsChart, nothing, chooses),
  figure('reward', 'Reward, and what was predicted', rewardChart, rewardCaption, chooses),
  ...BOTH.slice(0, 3),
  figure(
      'calibration', 'Prediction and outcome', calibrationChart, calibrationCaption, {when: (view) => !view.choices}),
  ...BOTH.slice(3),
];
/** @type {Figure[]} */
export const SERVICE_FIGURES = [
  ...BOTH,
  figure('store', 'Store', storeChart, () => 'Size of the journal and the snapshots on disk.'),
  figure('sync', 'Time of a sync', syncChart, () => 'Mean over the syncs of a step: what a reply waits for.'),
];

/** A figure's numbers as CSV. @param {Figure} of @param {View} view */
export function figureRows(of, view) {
  const content = of.make(view);
  if (content.counts) {
    const rows = content.counts.map((count, k) => [content.rangeText(k), count]);
    return [['delay', 'answers'], ...rows];
  }
  const byAge = of.id === 'maturity';
  const head =
      [byAge ? 'age in seconds' : 'time (UTC)', ...content.lines.map(({name}) => `${name} (${content.yName})`)];
  const x = content.lines[0]?.x ?? [];
  const first = (at) => (byAge ? String(at / 1000) : new Date(at).toISOString());
  return [head, ...x.map((at, i) => [first(at), ...content.lines.map(({y}) => y[i] ?? '')])];
}

/** @param {any[][]} rows */
export function csvText(rows) {
  const cell = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replace(/"/g, '""')}"` : String(value));
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** 0.25 → 0.25, 1234.5 → 1 235. @param {number|null} value */
export function shortNumber(value) {
  if (!isNumber(value)) return '–';
  return Number.isInteger(value) ? grouped(String(value)) : significant(value, 3);
}
