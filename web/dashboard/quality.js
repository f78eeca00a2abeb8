// How good a model is before its labels have come: the loss that is expected of each span of decisions beside what has
// come of it, whether probabilities come true, and how far earlier estimates were off.

import {drawChart} from '../shared/chart.js';
import {h} from '../shared/dom.js';
import {counted, isNumber, significant} from '../shared/format.js';
import {swatch} from '../shared/palette.js';
import {linearScale} from '../shared/scales.js';
import {dayAndClockText, timeScale} from '../shared/times.js';

/**
 * @typedef {{so_far: ?number, expected: ?number, low: ?number, high: ?number}} Expected
 * @typedef {{from: number, to: number, decisions: number, labels: number, share: number, loss: Expected,
 *            gain: Expected}} Prospect
 * @typedef {{health: string, miscalibrated: boolean, overdue: boolean, sentence: string,
 *            troubles: import('./troubles.js').Trouble[], lately: Prospect, complete: ?Prospect, spans: Prospect[],
 *            reliability: [number, number, number][], checks: {share: number, estimates: number, off: number,
 *            last_known_off: number, within: number}[]}} Quality
 */

const PLAIN = {
  band: null,
  interval: null,
  bound: null,
  exponent: null
};
const FEWEST = 20;  // labels of a bin, without which nothing is drawn of it

function plainChart(id, title, subtitle, more) {
  return {
    id,
    title,
    subtitle,
    log: false,
    bounds: false,
    zero: true,
    whole: false,
    settled: false,
    tickSpace: 36,
    ...more
  };
}

/** @param {Quality} quality */
function expectedChart(quality, subtitle, zone) {
  const spans = quality.spans.filter(({labels, loss}) => labels > 0 || isNumber(loss.expected));
  const x = spans.map(({from, to}) => (from + to) / 2);
  const constant = (span) =>
      (isNumber(span.loss.expected) && isNumber(span.gain.expected) ? span.loss.expected + span.gain.expected : null);
  return plainChart('expected', 'Loss once all labels are there', subtitle, {
    yName: 'mean loss of a decision',
    empty: 'Too early to expect anything',
    xName: 'when it was decided',
    scaleX: (left, right) => timeScale(x[0], Math.max(x[0] + 1000, x[x.length - 1]), [left, right], zone),
    xText: (at) => dayAndClockText(at, zone),
    yText: (loss) => significant(loss, 3),
    lines: [
      {
        ...PLAIN,
        name: 'expected',
        index: 0,
        x,
        y: spans.map(({loss}) => loss.expected),
        band: {low: spans.map(({loss}) => loss.low), high: spans.map(({loss}) => loss.high)},
      },
      {...PLAIN, name: 'labels that came', index: 2, x, y: spans.map(({loss}) => loss.so_far)},
      {...PLAIN, name: 'constant answer', index: 1, x, y: spans.map(constant)},
    ],
  });
}

/** @param {Quality} quality */
function reliabilityChart(quality, subtitle) {
  const bins = quality.reliability.filter(([labels]) => labels >= FEWEST);
  const top = Math.min(1, 1.1 * Math.max(...bins.flatMap(([, predicted, happened]) => [predicted, happened]), 0.01));
  return plainChart('reliability', 'Do its probabilities come true?', subtitle, {
    yName: '% that happened',
    empty: 'Too few labels yet',
    xName: '% predicted',
    scaleX: (left, right) =>
        linearScale(0, 100 * top, [left, right], {ticks: Math.max(2, Math.floor((right - left) / 70)), round: false}),
    xText: (predicted) => `${significant(predicted, 3)} % predicted`,
    yText: (happened) => `${significant(happened, 3)} %`,
    lines: [
      {
        ...PLAIN,
        name: 'what happened',
        index: 0,
        x: bins.map(([, predicted]) => 100 * predicted),
        y: bins.map(([, , happened]) => 100 * happened),
      },
      {...PLAIN, name: 'as predicted', index: 1, x: [0, 100 * top], y: [0, 100 * top]},
    ],
  });
}

/** What became of earlier estimates, a sentence each. @param {Quality} quality */
export function checkWords(quality) {
  return quality.checks.map(
      ({share, estimates, off, last_known_off: last, within}) =>
          `With ${significant(100 * share, 2)} % of the labels in: ${counted(estimates, 'estimate')}, off by ` +
          `${significant(off, 2)} on average (the last complete value: ${significant(last, 2)}); ` +
          `${significant(100 * within, 3)} % within their interval.`);
}

/** What there is to draw. @param {?Quality} quality */
export function drawable(quality) {
  return {
    expected: !!quality && quality.spans.filter(({labels}) => labels > 0).length > 1,
    reliability: !!quality && quality.reliability.some(([labels]) => labels >= FEWEST),
  };
}

/** @param {Quality} quality @param {string} subtitle @param {string} zone @param {Theme} theme @param {number} width */
export function makeQuality(quality, subtitle, zone, theme, width) {
  const figure = (chart) => {
    const picture = drawChart(chart, {width, height: 230, titled: false}, theme);
    const names = picture.lines.map(({name, index}) => h('span', {class: 'player'}, swatch(index, theme), name));
    return h(
        'div', {class: 'plot quality-plot', id: chart.id}, h('h3', {}, chart.title), picture.svg,
        h('p', {class: 'names note'}, names));
  };
  const draws = drawable(quality);
  return [
    draws.expected ? figure(expectedChart(quality, subtitle, zone)) : null,
    draws.reliability ? figure(reliabilityChart(quality, subtitle)) : null,
    h('ul', {class: 'waits-words'}, checkWords(quality).map((text) => h('li', {}, text))),
  ].filter((element) => element !== null);
}

/** Bins with their labels, for a file. @param {Quality} quality */
export function reliabilityRows(quality) {
  return [['labels', 'predicted', 'happened'], ...quality.reliability];
}
