// Curves over rounds: bands, intervals, bounds, lines, marks, and names at the ends of the lines.

/**
 * @typedef {{name: string, index: number, x: number[], y: (number|null)[], exponent: ?number,
 *            band: ?{low: (number|null)[], high: (number|null)[]},
 *            interval: ?(number|null)[], bound: ?(number|null)[]}} Line
 *   band: over the seeds; interval: the lower end, where y is only the upper end of what is known
 * @typedef {{id: string, title: string, subtitle: string, yName: string, log: boolean, bounds: boolean, zero: boolean,
 *            whole: boolean, settled: boolean, lines: Line[], empty: string}} Chart
 *   settled: what happens in the first rounds may leave the paper, where it would flatten all the rest
 * @typedef {{svg: SVGElement, frame: Frame, sx: Scale, sy: Scale, lines: Line[], ended: boolean, cut: boolean}} Picture
 *   ended: the lines' names stand at their ends; cut: the first rounds leave the paper
 */

/** Can any of it be drawn on this kind of axis? @param {?(number|null)[]} values @param {boolean} log */
function drawable(values, log) {
  return !!values && values.some((v) => isNumber(v) && (!log || v > 0));
}

/** @param {Chart} chart @param {Box} box @param {Theme} theme @returns {Picture} */
function drawChart(chart, box, theme) {
  const lines = chart.lines.filter((line) => drawable(line.y, chart.log));
  const svg = newPicture(box, theme, { ...chart, label: `${chart.title}, ${chart.subtitle}: ${lines.map((l) => l.name).join(', ')}` });
  const frame = outerFrame(box);
  if (lines.length === 0) {
    drawMessage(svg, box, chart.empty, theme);
    return { svg, frame, sx: null, sy: null, lines, ended: false, cut: false };
  }
  const side = frame.left;
  const ends = endLabels(chart, lines, box, frame);
  if (box.titled && !ends) frame.bottom -= drawLegend(svg, chart, lines, box, theme);
  const { cut, ...sy } = verticalScale(chart, lines, frame);
  frame.left += labelsWidth(sy) + 10;
  if (ends) frame.right -= ends.width;
  else frame.right -= 8;
  const sx = horizontalScale(chart, lines, frame);
  drawVertical(svg, frame, side, sy, chart.yName, theme);
  drawHorizontal(svg, frame, sx, 'round', theme);
  const curves = s('g', { class: 'curves', fill: 'none', 'stroke-linejoin': 'round', 'stroke-linecap': 'round', 'clip-path': cut ? `url(#${chart.id}-paper)` : null });
  if (cut) svg.append(s('clipPath', { id: `${chart.id}-paper` }, s('rect', { x: frame.left, y: frame.top - 1, width: frame.right - frame.left + 6, height: frame.bottom - frame.top + 2 })));
  svg.append(curves);
  for (const line of lines) drawAreas(curves, chart, line, sx, sy, theme);
  for (const line of lines) drawLine(curves, line, sx, sy, theme);
  if (ends) drawEnds(svg, chart, lines, frame, sy, theme);
  if (box.titled && chart.bounds && lines.some((line) => drawable(line.bound, chart.log))) {
    svg.append(words(20, box.height - 21, 'dashed: the proven bound'));
  }
  return { svg, frame, sx, sy, lines, ended: !!ends, cut };
}

/** @param {Chart} chart @param {Line[]} lines @param {Frame} frame */
function verticalScale(chart, lines, frame) {
  const main = lines.flatMap((line) => line.y);
  const more = lines.flatMap((line) => [line.band?.low, line.band?.high, line.interval, chart.bounds ? line.bound : null].flatMap((v) => v ?? []));
  const pixels = /** @type {[number, number]} */ ([frame.bottom, frame.top]);
  const ticks = Math.max(2, Math.floor((frame.bottom - frame.top) / (chart.log ? 30 : 46)));
  const numbers = [...main, ...more].filter(isNumber);
  const high = largest(numbers);
  if (!chart.log) {
    const span = chart.settled ? settledSpan(lines, smallest(numbers), high) : null;
    const [bottom, top] = span ?? [smallest(numbers), high];
    const ends = chart.zero ? [Math.min(0, bottom), Math.max(0, top)] : [bottom, top];
    return { ...linearScale(ends[0], ends[1], pixels, { ticks, round: true, whole: chart.whole }), cut: !!span };
  }
  // Bands may dip to nothing: the lines decide how far down the paper goes, and no further than six powers of ten.
  const low = Math.max(high * 1e-6, smallest(main.filter((v) => isNumber(v) && v > 0)));
  return { ...logScale(low * 0.85, high * 1.1, pixels, { ticks }), cut: false };
}

/** The share of the rounds, at the start, that may leave the paper. */
const UNSETTLED = 0.02;

/** What the values span after the first rounds, where that is far less than the whole. @param {Line[]} lines */
function settledSpan(lines, low, high) {
  const later = lines.flatMap((line) => {
    const start = UNSETTLED * line.x[line.x.length - 1];
    return [line.y, line.band?.low, line.band?.high].flatMap((values) => values?.filter((v, i) => isNumber(v) && line.x[i] >= start) ?? []);
  });
  if (later.length === 0) return null;
  const span = /** @type {[number, number]} */ ([smallest(later), largest(later)]);
  return span[1] > span[0] && high - low > 2.5 * (span[1] - span[0]) ? span : null;
}

/** @param {Chart} chart @param {Line[]} lines @param {Frame} frame */
function horizontalScale(chart, lines, frame) {
  const rounds = lines.flatMap((line) => [line.x[0], line.x[line.x.length - 1]]);
  const pixels = /** @type {[number, number]} */ ([frame.left, frame.right]);
  const ticks = Math.max(2, Math.floor((frame.right - frame.left) / (chart.log ? 40 : 84)));
  if (chart.log) return logScale(Math.max(1, smallest(rounds)), largest(rounds), pixels, { ticks });
  return linearScale(0, largest(rounds), pixels, { ticks, round: false, whole: true });
}

/** Without spreading a long list over a call's arguments. @param {number[]} values */
function largest(values) {
  return values.reduce((most, v) => Math.max(most, v), -Infinity);
}
function smallest(values) {
  return values.reduce((least, v) => Math.min(least, v), Infinity);
}

/**
 * Indices worth drawing: of many points in one pixel column, the first, the last and the extremes.
 * @param {number[]} x @param {(number|null)[]} y @param {Scale} sx
 */
function thinned(x, y, sx) {
  if (x.length < 1500) return x.map((_, i) => i);
  const columns = new Map();
  x.forEach((round, i) => {
    const column = Math.floor(sx.at(round));
    const kept = columns.get(column) ?? { first: i, last: i, least: i, most: i };
    kept.last = i;
    if (y[i] < y[kept.least]) kept.least = i;
    if (y[i] > y[kept.most]) kept.most = i;
    columns.set(column, kept);
  });
  return [...new Set([...columns.values()].flatMap((k) => [k.first, k.least, k.most, k.last]))].sort((a, b) => a - b);
}

/** The path of a line; it pauses where there is no value. */
function linePath(x, y, sx, sy) {
  let path = '';
  let drawing = false;
  for (const i of thinned(x, y, sx)) {
    const [px, py] = [sx.at(x[i]), isNumber(y[i]) ? sy.at(y[i]) : NaN];
    const there = isNumber(px) && isNumber(py);
    if (there) path += `${drawing ? 'L' : 'M'}${px.toFixed(1)},${py.toFixed(1)}`;
    drawing = there;
  }
  return path;
}

/** The path around what lies between two lines. */
function areaPath(x, low, high, sx, sy) {
  const kept = thinned(x, high, sx).filter((i) => isNumber(low[i]) && isNumber(high[i]) && isNumber(sx.at(x[i])) && (!sy.log || high[i] > 0));
  if (kept.length < 2) return '';
  const point = (i, side) => `${sx.at(x[i]).toFixed(1)},${sy.clamped(side[i]).toFixed(1)}`;
  return `M${kept.map((i) => point(i, high)).join('L')}L${kept.reverse().map((i) => point(i, low)).join('L')}Z`;
}

/** What lies behind the lines: the seeds' band, the interval of what is known, the bound. */
function drawAreas(curves, chart, line, sx, sy, theme) {
  const colour = theme.colours[styleOf(line.index).colour];
  const area = (kind, low, high, opacity) => {
    const d = areaPath(line.x, low, high, sx, sy);
    if (d) curves.append(s('path', { class: kind, 'data-name': line.name, d, fill: colour, 'fill-opacity': opacity }));
  };
  if (line.band) area('band', line.band.low, line.band.high, 0.13);
  if (line.interval) {
    area('interval', line.interval, line.y, 0.28);
    const d = linePath(line.x, line.interval, sx, sy);
    if (d) curves.append(s('path', { class: 'interval-low', d, stroke: colour, 'stroke-width': 0.9 }));
  }
  if (chart.bounds && drawable(line.bound, chart.log)) {
    const d = linePath(line.x, line.bound, sx, sy);
    curves.append(s('path', { class: 'bound', 'data-name': line.name, d, stroke: colour, 'stroke-width': 1.3, 'stroke-dasharray': '5 4', 'stroke-opacity': 0.85 }));
  }
}

/** The line itself, with a mark every 90 pixels or so, each curve's shifted a little. */
function drawLine(curves, line, sx, sy, theme) {
  const colour = theme.colours[styleOf(line.index).colour];
  curves.append(s('path', { class: 'curve', 'data-name': line.name, d: linePath(line.x, line.y, sx, sy), stroke: colour, 'stroke-width': 2 }));
  const step = 90;
  let next = sx.at(sx.low) + 12 + ((line.index * 37) % step);
  line.x.forEach((round, i) => {
    const [px, py] = [sx.at(round), isNumber(line.y[i]) ? sy.at(line.y[i]) : NaN];
    if (!isNumber(px) || !isNumber(py) || (px < next && line.x.length > 1)) return;
    curves.append(mark(line.index, px, py, theme));
    while (next <= px) next += step;
  });
}

/** A line's name as its end shows it. @param {Chart} chart @param {Line} line */
function endText(chart, line) {
  return { text: shortened(line.name) + (chart.log && isNumber(line.exponent) ? '\u2002T' : ''), power: chart.log && isNumber(line.exponent) ? exponentText(line.exponent) : null };
}

/** The room that names at the lines' ends need, or null where they do not fit. */
function endLabels(chart, lines, box, frame) {
  if (box.width < 700 || lines.length * 16 > frame.bottom - frame.top) return null;
  const width = Math.max(...lines.map((line) => {
    const { text, power } = endText(chart, line);
    return textWidth(text, 12, '600') + (power ? textWidth(power, 10, '600') : 0);
  })) + 16;
  return width > box.width / 3 ? null : { width };
}

/** Names beside the lines' ends, moved apart where lines end close together. */
function drawEnds(svg, chart, lines, frame, sy, theme) {
  const spots = lines.map((line) => {
    const i = line.y.findLastIndex((v) => isNumber(v) && isNumber(sy.at(v)));
    const y = i < 0 ? frame.bottom : sy.at(line.y[i]);
    return { line, y, to: y };
  }).sort((a, b) => a.y - b.y);
  const gap = 16;
  spots.forEach((spot, k) => { if (k) spot.to = Math.max(spot.to, spots[k - 1].to + gap); });
  for (let k = spots.length - 1; k >= 0; --k) {
    spots[k].to = Math.min(spots[k].to, k === spots.length - 1 ? frame.bottom - 2 : spots[k + 1].to - gap);
  }
  const labels = s('g', { class: 'ends', 'font-weight': 600 });
  for (const { line, y, to } of spots) {
    const fill = theme.colours[styleOf(line.index).colour];
    const { text, power } = endText(chart, line);
    if (Math.abs(to - y) > 3) labels.append(s('path', { d: `M${frame.right + 2},${y.toFixed(1)}L${frame.right + 10},${to.toFixed(1)}`, stroke: fill, 'stroke-opacity': 0.6, fill: 'none' }));
    labels.append(words(frame.right + 13, to + 4, text, { fill }, power));
  }
  svg.append(labels);
}

/** Names below the plot of a saved picture. Returns the height that they take. */
function drawLegend(svg, chart, lines, box, theme) {
  const rows = [[]];
  let x = 20;
  for (const line of lines) {
    const { text, power } = endText(chart, line);
    const width = 34 + textWidth(text) + (power ? textWidth(power, 10) : 0) + 22;
    if (x + width > box.width - 20 && rows.at(-1).length) { rows.push([]); x = 20; }
    rows.at(-1).push({ line, text, power, x });
    x += width;
  }
  const height = rows.length * 20 + 8;
  const legend = s('g', { class: 'legend' });
  rows.forEach((row, k) => row.forEach(({ line, text, power, x: at }) => {
    const y = box.height - 40 - height + 20 * (k + 1);
    legend.append(s('path', { d: `M${at},${y - 4}h26`, stroke: theme.colours[styleOf(line.index).colour], 'stroke-width': 2 }),
      mark(line.index, at + 13, y - 4, theme), words(at + 34, y, text, { fill: theme.ink }, power));
  }));
  svg.append(legend);
  return height;
}
