// Curves over rounds, or over whatever the chart has a scale for: bands, intervals, bounds, lines and marks.

import {drawHorizontal, drawMessage, drawVertical, labelsWidth, newPicture, outerFrame, textWidth, words} from './axes.js';
import {s} from './dom.js';
import {drawEnds, drawLegend, endLabels} from './ends.js';
import {isNumber} from './format.js';
import {distinct, final, largest, smallest} from './lists.js';
import {mark, styleOf} from './palette.js';
import {areaPath, linePath} from './paths.js';
import {linearScale, logScale} from './scales.js';

/**
 * @typedef {{name: string, index: number, x: number[], y: (number|null)[], exponent: ?number,
 *            band: ?{low: (number|null)[], high: (number|null)[]},
 *            interval: ?(number|null)[], bound: ?(number|null)[], beside?: (number|null)[], ripe?: number, plain?:
 * boolean}} Line band: over the seeds; interval: the lower end, where y is only the upper end of what is known; beside:
 * the same with no delay; plain: thin, without marks; ripe: how many of the first points are final, where the others
 * may still change
 * @typedef {{id: string, title: string, subtitle: string, yName: string, log: boolean, bounds: boolean, zero: boolean,
 *            whole: boolean, settled: boolean, lines: Line[], empty: string, xName?: string,
 *            scaleX?: (left: number, right: number) => Scale, xText?: (x: number) => string,
 *            yText?: (y: number) => string, marks?: boolean, tickSpace?: number, logX?: boolean, all?: boolean,
 *            span?: ?[number, number], endValue?: (y: number) => string}} Chart
 *   log: of values, and of rounds too unless logX says otherwise; settled: what happens in the first rounds may leave
 *   the paper, where it would flatten all the rest, unless `all` is wished; span: the rounds shown, where not all are;
 *   scaleX, xName, xText, yText: where it is not over rounds, its scale, its name, and how values are read out
 * @typedef {{svg: SVGElement, frame: Frame, sx: Scale, sy: Scale, lines: Line[], rounds: number[], ended: boolean, cut:
 * boolean, early: boolean}} Picture ended: the lines' names stand at their ends; cut: something lies off the chart;
 * early: the first rounds do, or would if not all were wished; off: lines that end too far from the best to be shown
 */

/** Can any of it be drawn on this kind of axis? @param {?(number|null)[]} values @param {boolean} log */
export function drawable(values, log) {
  return !!values && values.some((v) => isNumber(v) && (!log || v > 0));
}

/** @param {Chart} chart @param {Box} box @param {Theme} theme @returns {Picture} */
export function drawChart(chart, box, theme) {
  const lines = chart.lines.map((line) => croppedLine(line, chart.span)).filter((line) => drawable(line.y, chart.log));
  const svg = newPicture(
      box, theme, {...chart, label: `${chart.title}, ${chart.subtitle}: ${lines.map((l) => l.name).join(', ')}`});
  const frame = outerFrame(box, chart.xName !== '');
  if (lines.length === 0) {
    drawMessage(svg, box, chart.empty, theme);
    return {svg, frame, sx: null, sy: null, lines, ended: false, cut: false, early: false, off: []};
  }
  const side = frame.left;
  const ends = endLabels(chart, lines, box, frame);
  if (box.titled && !ends) frame.bottom -= drawLegend(svg, chart, lines, box, theme);
  const {near, off} = partedLines(chart, lines);
  const {cut, early, ...sy} = verticalScale(chart, near, frame);
  frame.left += labelsWidth(sy) + 10;
  frame.right -= ends ? ends.width : 8;
  const sx = chart.scaleX ? chart.scaleX(frame.left, frame.right) : horizontalScale(chart, lines, frame);
  drawVertical(svg, frame, side, sy, chart.yName, theme);
  drawHorizontal(svg, frame, sx, chart.xName ?? 'round', theme);
  drawUnripe(svg, lines, sx, frame, theme);
  const curves = s('g', {class: 'curves', fill: 'none', 'stroke-linejoin': 'round', 'stroke-linecap': 'round'});
  if (cut || chart.span || off.length > 0 || leaves(lines, sy)) clip(svg, curves, frame, `${chart.id}-paper`);
  svg.append(curves);
  for (const line of lines) drawAreas(curves, chart, line, sx, sy, theme);
  for (const line of lines) drawLine(curves, line, sx, sy, theme, chart.marks ?? true);
  if (ends) drawEnds(svg, chart, lines, box, frame, sx, sy, theme);
  if (box.titled && chart.bounds && lines.some((line) => drawable(line.bound, chart.log))) {
    svg.append(words(20, box.height - 21, 'dashed: the proven bound'));
  }
  if (box.titled && lines.some((line) => drawable(line.beside, chart.log))) {
    svg.append(words(20, box.height - 21, 'dotted: with no delay'));
  }
  const rounds = distinct(chart.lines.flatMap((line) => line.x)).sort((a, b) => a - b);
  return {svg, frame, sx, sy, lines, rounds, ended: !!ends, cut, early, off, xText: chart.xText, yText: chart.yText};
}

const FAR = 100;  // times the best line's end: what ends beyond would hide all the others

/** Lines that share a scale, and those that went astray. @param {Chart} chart @param {Line[]} lines */
function partedLines(chart, lines) {
  const ends = lines.map((line) => final(line.y.filter(isNumber)));
  const best = smallest(ends);
  if (!chart.settled || !(best > 0)) return {near: lines, off: []};
  const astray = (_, k) => ends[k] > FAR * best;
  return {near: lines.filter((line, k) => !astray(line, k)), off: lines.filter(astray)};
}

/** Whether a line goes off the paper somewhere. @param {Line[]} lines @param {Scale} sy */
function leaves(lines, sy) {
  const outside = (v) => isNumber(v) && (v < sy.low || v > sy.high);
  return lines.some((line) => line.y.some(outside) || (line.beside ?? []).some(outside));
}

/** What of a line lies in a span of rounds, with a point more on either side. @param {Line} line @returns {Line} */
function croppedLine(line, span) {
  if (!span) return line;
  const inside = (round) => round >= span[0] && round <= span[1];
  const from = Math.max(0, line.x.findIndex(inside) - 1);
  const to = line.x.findLastIndex(inside) + 2;
  const part = (values) => values?.slice(from, Math.max(from, to)) ?? null;
  const band = line.band ? {low: part(line.band.low), high: part(line.band.high)} : null;
  const [x, y, interval] = [part(line.x), part(line.y), part(line.interval)];
  return {...line, x, y, band, interval, bound: part(line.bound), beside: part(line.beside)};
}

/** Where lines are not final yet, the paper is shaded. */
function drawUnripe(svg, lines, sx, frame, theme) {
  const starts = lines.filter((line) => line.ripe < line.x.length).map((line) => line.x[Math.max(0, line.ripe - 1)]);
  if (starts.length === 0) return;
  const from = sx.clamped(smallest(starts));
  const width = frame.right - from;
  if (width < 1) return;
  const height = frame.bottom - frame.top;
  svg.append(
      s('rect',
        {class: 'unripe', x: from.toFixed(1), y: frame.top, width, height, fill: theme.muted, 'fill-opacity': 0.09}));
  if (width < textWidth('still arriving') + 12) return;
  svg.append(words(frame.right - 6, frame.top + 14, 'still arriving', {'text-anchor': 'end', 'font-style': 'italic'}));
}

/** Nothing of `content` beyond the plot. @param {Frame} frame @param {string} id */
function clip(svg, content, frame, id) {
  const [width, height] = [frame.right - frame.left, frame.bottom - frame.top];
  svg.append(s('clipPath', {id}, s('rect', {x: frame.left, y: frame.top - 1, width: width + 6, height: height + 2})));
  content.setAttribute('clip-path', `url(#${id})`);
}

/** How many times higher than every line a bound may take the paper. */
const HEADROOM = {
  linear: 12,
  log: 1000
};

/** @param {Chart} chart @param {Line[]} lines @param {Frame} frame @returns {Scale & {cut: boolean}} */
function verticalScale(chart, lines, frame) {
  const numbers = lines.flatMap((line) => [line.y, line.band?.low, line.band?.high, line.interval, line.beside])
                      .flatMap((values) => values ?? [])
                      .filter(isNumber);
  const pixels = [frame.bottom, frame.top];
  const span = chart.settled && !(chart.logX ?? chart.log) && !chart.span ? settledSpan(chart, lines, numbers) : null;
  const early = span !== null;
  const tight = early && !chart.all;
  const ticks = Math.max(2, Math.floor((frame.bottom - frame.top) / (chart.log ? 30 : chart.tickSpace ?? 46)));
  const most = tight ? span[1] : largest(numbers);
  const limit = largest(numbers.map(Math.abs)) * (chart.log ? HEADROOM.log : HEADROOM.linear);
  // A bound that would come into sight may raise the paper; one that is all beyond the limit does not.
  const bounds = lines.map((line) => (chart.bounds && line.bound ? line.bound.filter(isNumber) : []));
  const seen = bounds.filter((values) => smallest(values) < limit).flat();
  const high = Math.max(most, Math.min(limit, largest(seen)));
  const beyond = largest(bounds.flat()) > high;
  if (chart.log) {
    // Bands may dip to nothing: the lines decide how far down the paper goes, and no further than six powers of ten,
    // unless one ends below that.
    const positive = (v) => isNumber(v) && v > 0;
    const least = smallest(lines.flatMap((line) => [...line.y, ...(line.beside ?? [])]).filter(positive));
    const ends = smallest(lines.map((line) => final(line.y.filter(positive))).filter(positive));
    const low = tight ? span[0] : Math.min(ends, Math.max(most * 1e-6, least));
    return {...logScale(low * 0.9, high * 1.1, pixels, {ticks, loose: tight}), cut: tight || beyond, early};
  }
  const [bottom, top] = tight ? span : [smallest(numbers), high];
  const ends = chart.zero ? [Math.min(0, bottom), Math.max(0, top)] : [bottom, top];
  const wish = {ticks, round: true, whole: chart.whole};
  return {...linearScale(ends[0], ends[1], pixels, wish), cut: tight || beyond, early};
}

/** What may leave the paper at the start: a share of the rounds, or the first points, whichever is more. */
const EARLY = {
  share: 0.02,
  points: 10,
  most: 0.2,    // of the rounds, at any rate
  waste: 1.35,  // times as high a paper is what they must cost to be left out
};

/** What the values span after the first rounds, where that is less than the whole. @param {Line[]} lines */
function settledSpan(chart, lines, numbers) {
  const kept = (v) => isNumber(v) && (!chart.log || v > 0);
  const later = lines.flatMap((line) => {
    const most = EARLY.most * final(line.x);
    const start = Math.max(EARLY.share * final(line.x), Math.min(line.x[EARLY.points] ?? 0, most));
    const settled = (values) => values.filter((v, i) => kept(v) && line.x[i] >= start);
    return [line.y, line.band?.low ?? [], line.band?.high ?? [], line.beside ?? []].flatMap(settled);
  });
  if (later.length === 0) return null;
  const height = (values) => {
    const ends = [smallest(values), largest(values)].map((v) => (chart.log ? Math.log(v) : v));
    return chart.zero && !chart.log ? Math.max(0, ends[1]) - Math.min(0, ends[0]) : ends[1] - ends[0];
  };
  return height(later) > 0 && height(numbers.filter(kept)) > EARLY.waste * height(later) ?
      [smallest(later), largest(later)] :
      null;
}

/** @param {Chart} chart @param {Line[]} lines @param {Frame} frame */
function horizontalScale(chart, lines, frame) {
  const rounds = chart.span ?? lines.flatMap((line) => [line.x[0], final(line.x)]);
  const pixels = [frame.left, frame.right];
  const log = chart.logX ?? chart.log;
  const ticks = Math.max(2, Math.floor((frame.right - frame.left) / (log ? 56 : frame.right < 500 ? 62 : 84)));
  if (log) return logScale(Math.max(1, smallest(rounds)), largest(rounds), pixels, {ticks, loose: !!chart.span});
  return linearScale(chart.span ? rounds[0] : 0, largest(rounds), pixels, {ticks, round: false, whole: true});
}

/** What lies behind the lines: the seeds' band, the interval of what is known, the bound. */
function drawAreas(curves, chart, line, sx, sy, theme) {
  const colour = theme.colours[styleOf(line.index).colour];
  const area = (kind, low, high, opacity) => {
    const d = areaPath(line.x, low, high, sx, sy);
    if (d) curves.append(s('path', {class: kind, 'data-name': line.name, d, fill: colour, 'fill-opacity': opacity}));
  };
  if (line.band) area('band', line.band.low, line.band.high, 0.13);
  if (line.interval) {
    area('interval', line.interval, line.y, 0.28);
    const d = linePath(line.x, line.interval, sx, sy);
    if (d) curves.append(s('path', {class: 'interval-low', d, stroke: colour, 'stroke-width': 0.9}));
  }
  if (drawable(line.beside, chart.log)) {
    const d = linePath(line.x, line.beside, sx, sy);
    curves.append(s('path', {
      class: 'beside',
      'data-name': line.name,
      d,
      stroke: colour,
      'stroke-width': 1.5,
      'stroke-dasharray': '1.5 4'
    }));
  }
  if (chart.bounds && drawable(line.bound, chart.log)) {
    const d = linePath(line.x, line.bound, sx, sy);
    curves.append(s('path', {
      class: 'bound',
      'data-name': line.name,
      d,
      stroke: colour,
      'stroke-width': 1.3,
      'stroke-dasharray': '5 4',
      'stroke-opacity': 0.85
    }));
  }
}

/** The line itself, with a mark every 90 pixels or so, each curve's shifted a little. */
function drawLine(curves, line, sx, sy, theme, marked) {
  const colour = theme.colours[styleOf(line.index).colour];
  const ripe = line.ripe ?? line.x.length;
  const part = (kind, from, to, more) => {
    const d = linePath(line.x.slice(from, to), line.y.slice(from, to), sx, sy);
    const width = line.plain ? 1 : 2;
    curves.append(s('path', {class: kind, 'data-name': line.name, d, stroke: colour, 'stroke-width': width, ...more}));
  };
  part('curve', 0, ripe, {});
  if (ripe < line.x.length) part('curve-unripe', Math.max(0, ripe - 1), line.x.length, {'stroke-dasharray': '3 4'});
  if (line.plain) return;
  if (!marked) {  // only where it stands now
    const drawn = (value, i) => isNumber(value) && isNumber(sy.at(value)) && isNumber(sx.at(line.x[i]));
    const last = line.y.findLastIndex(drawn);
    if (last >= 0) curves.append(mark(line.index, sx.at(line.x[last]), sy.at(line.y[last]), theme));
    return;
  }
  const step = 90;
  let next = sx.at(sx.low) + 12 + ((line.index * 37) % step);
  line.x.forEach((round, i) => {
    const [px, py] = [sx.at(round), isNumber(line.y[i]) ? sy.at(line.y[i]) : NaN];
    if (!isNumber(px) || !isNumber(py) || (px < next && line.x.length > 1)) return;
    curves.append(mark(line.index, px, py, theme));
    while (next <= px) next += step;
  });
}
