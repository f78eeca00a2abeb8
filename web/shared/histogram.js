// How long answers took: bars whose width doubles, over the delays 1, 2–3, 4–7 and so on.

import {drawHorizontal, drawMessage, drawVertical, labelsWidth, newPicture, outerFrame, textWidth} from './axes.js';
import {s} from './dom.js';
import {grouped} from './format.js';
import {largest} from './lists.js';
import {linearScale} from './scales.js';

/**
 * @typedef {{title: string, subtitle: string, counts: number[], empty: string, xName?: string,
 *            edgeText?: (k: number) => string, rangeText?: (k: number) => string}} Histogram
 *   counts[k]: of the delays from 2^k to 2^(k+1) − 1; edgeText and rangeText: where these are no rounds, the bars'
 * edges and what they hold
 */

/** The delays of the k-th bar in words. @param {number} k */
export function delayRange(k) {
  return k === 0 ? '1' : `${grouped(String(2 ** k))}–${grouped(String(2 ** (k + 1) - 1))}`;
}

/** 64, 16,384. @param {number} k */
function powerOfTwoText(k) {
  return grouped(String(2 ** k));
}

/** @param {Histogram} histogram @param {Box} box @param {Theme} theme */
export function drawHistogram(histogram, box, theme) {
  const {counts} = histogram;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const svg = newPicture(box, theme, {...histogram, label: `${histogram.title}, ${histogram.subtitle}`});
  const frame = outerFrame(box);
  if (total === 0) {
    drawMessage(svg, box, histogram.empty, theme);
    return {svg, frame, sx: null, sy: null, lines: []};
  }
  const shares = counts.map((count) => (100 * count) / total);
  const side = frame.left;
  const wish = {ticks: Math.floor((frame.bottom - frame.top) / 46), round: true};
  const sy = linearScale(0, largest(shares), [frame.bottom, frame.top], wish);
  frame.left += labelsWidth(sy) + 10;
  frame.right -= 8;
  const bars = Math.max(4, counts.length);
  const at = (edge) => frame.left + ((frame.right - frame.left) * edge) / bars;
  const edges = Array.from({length: bars + 1}, (_, k) => ({value: k, text: (histogram.edgeText ?? powerOfTwoText)(k)}));
  const stride = Math.ceil((largest(edges.map(({text}) => textWidth(text))) + 10) / (at(1) - at(0)));
  const ticks = edges.filter(({value}) => value % stride === 0);
  drawVertical(svg, frame, side, sy, 'share of answers (%)', theme);
  const rectangles = s('g', {class: 'bars', fill: theme.bar});
  counts.forEach((count, k) => {
    if (count === 0) return;
    const y = sy.at(shares[k]);
    rectangles.append(s('rect', {
      'data-bar': k,
      x: (at(k) + 1).toFixed(1),
      width: Math.max(1, at(k + 1) - at(k) - 2).toFixed(1),
      y: y.toFixed(1),
      height: Math.max(0.5, frame.bottom - y).toFixed(1)
    }));
  });
  svg.append(rectangles);
  drawHorizontal(svg, frame, {ticks, minor: [], at}, histogram.xName ?? 'delay (rounds)', theme);
  return {
    svg,
    frame,
    sx: null,
    sy,
    lines: [],
    bars: {at, counts, shares, noun: 'answer', name: histogram.rangeText ?? ((k) => `delay ${delayRange(k)}`)}
  };
}
