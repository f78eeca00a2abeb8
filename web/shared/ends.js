// Names of lines: at their ends, or below the picture where that is too crowded.

import {textWidth, words} from './axes.js';
import {s} from './dom.js';
import {exponentText, isNumber, shortened} from './format.js';
import {final, largest} from './lists.js';
import {mark, styleOf} from './palette.js';

/** A line's name as a picture of some width shows it. @param {Chart} chart @param {Line} line */
function endText(chart, line, width) {
  const last = final(line.y.filter(isNumber));
  const value = chart.endValue && isNumber(last) ? `\u2002${chart.endValue(last)}` : '';
  const name = shortened(line.name, Math.floor(width / 32)) + value;
  if (!chart.log || !isNumber(line.exponent)) return {text: name, power: null};
  return {text: `${name}\u2002T`, power: exponentText(line.exponent)};
}

/** The room that names at the lines' ends need, or null where they do not fit. */
export function endLabels(chart, lines, box, frame) {
  if (box.width < 700 || lines.length * 16 > frame.bottom - frame.top) return null;
  const widths = lines.map((line) => {
    const {text, power} = endText(chart, line, box.width);
    return 16 + textWidth(text, 12, '600') + (power ? textWidth(power, 10, '600') : 0);
  });
  return largest(widths) > box.width / 3 ? null : {width: largest(widths)};
}

/** Names beside the lines' ends, moved apart where lines end close together. */
export function drawEnds(svg, chart, lines, box, frame, sx, sy, theme) {
  const spots = lines.map((line) => {
    const inside = line.y.filter((_, i) => !(line.x[i] > sx.high));
    const drawn = (inside.some(isNumber) ? inside : line.y).filter(isNumber).map(sy.at).filter(isNumber);
    const y = Math.min(frame.bottom, Math.max(frame.top, final(drawn) ?? frame.bottom));
    return {line, y, to: y};
  });
  spots.sort((a, b) => a.y - b.y);
  const gap = 16;
  spots.forEach((spot, k) => {
    if (k) spot.to = Math.max(spot.to, spots[k - 1].to + gap);
  });
  for (let k = spots.length - 1; k >= 0; --k) {
    spots[k].to = Math.min(spots[k].to, k === spots.length - 1 ? frame.bottom - 2 : spots[k + 1].to - gap);
  }
  const labels = s('g', {class: 'ends', 'font-weight': 600});
  for (const {line, y, to} of spots) {
    const fill = theme.colours[styleOf(line.index).colour];
    const {text, power} = endText(chart, line, box.width);
    if (Math.abs(to - y) > 3) {
      const d = `M${frame.right + 2},${y.toFixed(1)}L${frame.right + 10},${to.toFixed(1)}`;
      labels.append(s('path', {d, stroke: fill, 'stroke-opacity': 0.6, fill: 'none'}));
    }
    labels.append(words(frame.right + 13, to + 4, text, {fill}, power));
  }
  svg.append(labels);
}

/** Names below the plot of a saved picture. Returns the height that they take. */
export function drawLegend(svg, chart, lines, box, theme) {
  const rows = [[]];
  let x = 20;
  for (const line of lines) {
    const {text, power} = endText(chart, line, box.width);
    const width = 34 + textWidth(text) + (power ? textWidth(power, 10) : 0) + 22;
    if (x + width > box.width - 20 && final(rows).length > 0) {
      rows.push([]);
      x = 20;
    }
    final(rows).push({line, text, power, x});
    x += width;
  }
  const height = rows.length * 20 + 8;
  const legend = s('g', {class: 'legend'});
  rows.forEach((row, k) => row.forEach(({line, text, power, x: at}) => {
    const y = box.height - 40 - height + 20 * (k + 1);
    const stroke = theme.colours[styleOf(line.index).colour];
    legend.append(
        s('path', {d: `M${at},${y - 4}h26`, stroke, 'stroke-width': 2}), mark(line.index, at + 13, y - 4, theme),
        words(at + 34, y, text, {fill: theme.ink}, power));
  }));
  svg.append(legend);
  return height;
}
