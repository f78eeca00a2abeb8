// How good predictions are, beyond one number: whether probabilities can be believed, what is taken for what, how large
// errors are by size, and which features the model goes by.

import {h, s} from '../shared/dom.js';
import {grouped, isNumber, significant} from '../shared/format.js';
import {largest, smallest} from '../shared/lists.js';
import {styleOf} from '../shared/palette.js';
import {linearScale} from '../shared/scales.js';

import {makeHead} from './heads.js';

/**
 * @typedef {{rounds: number, predicted: number, outcome: number, error: number}} Bin
 * @typedef {{calibration: Bin[], by_size: Bin[], classes: string[], confusion: number[][],
 *            weights: {name: string, weight: number, class?: string}[]}} Quality
 */

/** The first run's: seeds of one learner differ little. @param {Group} group @returns {?Quality} */
function qualityOf(group) {
  return group.runs[0].quality ?? null;
}

/** A line through bins. @param {Group} group @param {number[]} x @param {number[]} y */
function lineOf(group, x, y) {
  const {name, index} = group;
  return {name, index, x, y, band: null, interval: null, bound: null, exponent: null};
}

const CHART = {
  log: false,
  bounds: false,
  whole: false,
  settled: false,
  marks: true,
  tickSpace: 40,
  empty: 'Not recorded for this stream',
};

/** All outcomes, and the predictions that are no farther from them than they are apart. */
function spanOf(lines) {
  const [outcomes, predictions] = [lines.flatMap((line) => line.y), lines.flatMap((line) => line.x)];
  const [low, high] = [smallest(outcomes), largest(outcomes)];
  return [
    Math.min(low, Math.max(smallest(predictions), low - (high - low))),
    Math.max(high, Math.min(largest(predictions), high + (high - low)))
  ];
}

/** @param {Group[]} groups @param {boolean} numbers @param {string} unit */
export function calibrationChart(groups, numbers, unit, subtitle) {
  const scaled = numbers ? 1 : 100;
  const lines = groups.filter((group) => qualityOf(group)?.calibration.length > 1).map((group) => {
    const bins = qualityOf(group).calibration.filter((bin) => isNumber(bin.predicted) && isNumber(bin.outcome));
    return lineOf(group, bins.map((bin) => scaled * bin.predicted), bins.map((bin) => scaled * bin.outcome));
  });
  const near = lines.filter((line) => largest(line.x.map(Math.abs)) < 1e6 * (1 + largest(line.y.map(Math.abs))));
  const [low, high] = numbers ? spanOf(near) : [0, 100];
  const right = {
    name: 'as it should be',
    index: 7,
    x: [low, high],
    y: [low, high],
    band: null,
    interval: null,
    bound: null,
    exponent: null,
    plain: true
  };
  const of = unit ? ` (${unit})` : '';
  return {
    ...CHART,
    id: 'calibration',
    title: 'Calibration',
    subtitle,
    zero: false,
    yName: numbers ? `outcome, mean${of}` : 'came true (%)',
    xName: numbers ? `prediction, mean of a tenth of the rows${of}` : 'predicted probability (%)',
    scaleX: (from, to) =>
        linearScale(low, high, [from, to], {ticks: Math.max(2, Math.floor((to - from) / 70)), round: false}),
    xText: (x) => (numbers ? `predicted ${significant(x, 3)}` : `predicted ${significant(x, 3)} %`),
    yText: (y) => (numbers ? significant(y, 3) : `${significant(y, 3)} %`),
    span: [low, high],
    lines: lines.length ? [right, ...near] : [],
  };
}

/** @param {Group[]} groups @param {string} unit */
export function sizeChart(groups, unit, subtitle) {
  const lines = groups.filter((group) => qualityOf(group)?.by_size.length > 1).map((group) => {
    const bins = qualityOf(group).by_size;
    return lineOf(group, bins.map((bin) => bin.outcome), bins.map((bin) => bin.error));
  });
  const ends = lines.flatMap((line) => line.x);
  const of = unit ? ` (${unit})` : '';
  return {
    ...CHART,
    id: 'by-size',
    title: 'Error by size',
    subtitle,
    zero: true,
    settled: true,
    yName: `mean absolute error${of}`,
    xName: `outcome, mean of a tenth of the rows${of}`,
    scaleX: (from, to) => linearScale(
        smallest(ends), largest(ends), [from, to], {ticks: Math.max(2, Math.floor((to - from) / 70)), round: false}),
    xText: (x) => `outcomes of about ${significant(x, 3)}`,
    lines,
  };
}

/** Whether predictions of these learners are numbers. @param {Group[]} groups */
export function predictsNumbers(groups) {
  return groups.some((group) => qualityOf(group)?.by_size.length > 0);
}

/** @param {Group[]} groups */
export function hasCalibration(groups) {
  return groups.some((group) => qualityOf(group)?.calibration.length > 1);
}

/**
 * What a table of classes calls them: two classes have no names in it. @param {Quality} quality @param {?Reading}
 * reading
 */
function classNames(quality, reading) {
  if (quality.classes.length > 0) return quality.classes;
  const positive = reading?.label?.positive || 'yes';
  return [`not ${positive}`, positive];
}

/** Labels and predictions, by one learner. @param {?Group} group @param {?Reading} reading @param {Theme} theme */
export function makeConfusion(group, reading, theme) {
  const quality = group ? qualityOf(group) : null;
  if (!quality || quality.confusion.length === 0) return [];
  const names = classNames(quality, reading);
  const sums = quality.confusion.map((row) => row.reduce((sum, count) => sum + count, 0));
  const head = ['', ...names].map(
      (name, k) =>
          h(k ? 'th' : 'td', k ? {scope: 'col', class: 'number'} : {class: 'corner'}, k ? name : 'is ↓ taken for →'));
  const colour = theme.colours[styleOf(group.index).colour];
  const row = (counts, k) => h('tr', {}, h('th', {scope: 'row'}, names[k]), counts.map((count, j) => {
    const share = sums[k] > 0 ? count / sums[k] : 0;
    const shade =
        s('svg', {class: 'shade', 'aria-hidden': 'true', preserveAspectRatio: 'none', viewBox: '0 0 1 1'},
          s('rect',
            {width: 1, height: 1, fill: k === j ? colour : theme.bar, 'fill-opacity': (0.45 * share).toFixed(3)}));
    return h(
        'td', {class: k === j ? 'number right' : 'number'}, shade, h('span', {}, grouped(String(count))),
        h('span', {class: 'quiet'}, ` ${Math.round(100 * share)} %`));
  }));
  return [
    h('div', {class: 'figure-head'}, h('h2', {}, 'Labels and predictions')),
    h('div', {class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'Labels and predictions'},
      h('table', {class: 'results confusion'}, h('thead', {}, h('tr', {}, head)),
        h('tbody', {}, quality.confusion.map(row)))),
    h('p', {class: 'note'}, `By ${group.name}. Rows are labels, columns predictions; shares are of the row.`),
  ];
}

const SHOWN = 12;

/** Two words of one column never come together, and the square of a word is the word. @param {string} name */
function tellsSomething(name) {
  const columns = name.split(' × ').map((part) => part.split('=')[0]);
  return name !== '(intercept)' && !/=.*²$/.test(name) && (columns.length < 2 || columns[0] !== columns[1]);
}

/** The weights that a model ended with. @param {?Group} group @param {?Reading} reading @param {Theme} theme */
export function makeWeights(group, reading, theme) {
  const weights =
      (group ? qualityOf(group)?.weights ?? [] : []).filter(({name}) => tellsSomething(name)).slice(0, SHOWN);
  if (weights.length === 0) return [];
  const most = largest(weights.map(({weight}) => Math.abs(weight)));
  const [width, middle] = [160, 80];
  const classes = weights.some((one) => one.class);
  const picture = (weight) => {
    const length = (middle * Math.abs(weight)) / most;
    return s(
        'svg', {width, height: 10, viewBox: `0 0 ${width} 10`, class: 'bar-picture', 'aria-hidden': 'true'}, s('rect', {
          x: (weight > 0 ? middle : middle - length).toFixed(1),
          width: Math.max(0.5, length).toFixed(1),
          height: 10,
          fill: theme.colours[weight > 0 ? 0 : 1]
        }),
        s('path', {d: `M${middle},0V10`, stroke: theme.axis}));
  };
  const row = (one) =>
      h('tr', {}, h('th', {scope: 'row'}, one.name),
        ...(classes ? [h('td', {class: 'text', 'data-head': 'Class'}, one.class ?? '')] : []),
        h('td', {class: 'bar-cell'}, picture(one.weight)),
        h('td', {class: 'number', 'data-head': 'Weight'}, significant(one.weight, 3)));
  const heads = ['Feature', ...(classes ? ['Class'] : []), '', 'Weight'];
  const kind = (text) => (text === 'Weight' ? 'number' : text ? 'text' : 'bar-head');
  const head = heads.map((text) => makeHead(text, kind(text)));
  const towards = classes      ? 'towards the class' :
      reading?.label?.positive ? `towards "${reading.label.positive}"` :
                                 'upwards';
  return [
    h('div', {class: 'figure-head'}, h('h2', {}, 'What the model relies on')),
    h('div', {class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'What the model relies on'},
      h('table', {class: 'results weights'}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, weights.map(row)))),
    h('p', {class: 'note'},
      `The largest weights of ${group.name} at the end; positive ones lead ${towards}. Features are brought ` +
          'to a common size first: numbers count by how far they are from their mean, in standard deviations. × joins two features that count together.'),
  ];
}
