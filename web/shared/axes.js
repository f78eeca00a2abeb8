// The paper, the axes and the words of a picture: what curves and bars share. Every colour and font is an attribute,
// so that a saved picture looks the same without the page's style.

import {s} from './dom.js';

const FONT = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const FONT_SIZE = 12;

/**
 * @typedef {{width: number, height: number, titled: boolean}} Box  titled: to be saved, with its title and paper
 * @typedef {{left: number, right: number, top: number, bottom: number}} Frame  the plot's edges, in pixels
 */

const measure = document.createElement('canvas').getContext('2d');

/** @param {string} text @param {string} weight */
export function textWidth(text, size = FONT_SIZE, weight = 'normal') {
  measure.font = `${weight} ${size}px ${FONT}`;
  return measure.measureText(text).width;
}

/** Words at a place; `power` is raised. @param {Object<string, any>} attributes */
export function words(x, y, text, attributes = {}, power = null) {
  const element = s('text', {x: x.toFixed(1), y: y.toFixed(1), ...attributes}, text);
  if (power !== null) element.append(s('tspan', {dy: '-0.45em', 'font-size': '80%'}, String(power).replace('-', '−')));
  return element;
}

/**
 * An empty picture.
 * @param {Box} box @param {Theme} theme @param {{title: string, subtitle: string, label: string}} about
 */
export function newPicture(box, theme, about) {
  const svg = s('svg', {
    width: box.width,
    height: box.height,
    viewBox: `0 0 ${box.width} ${box.height}`,
    role: 'img',
    'aria-label': about.label,
    'font-family': FONT,
    'font-size': FONT_SIZE,
    fill: theme.muted,
  });
  if (box.titled) {
    svg.append(
        s('title', {}, `${about.title}, ${about.subtitle}`),
        s('rect', {width: '100%', height: '100%', fill: theme.paper}),
        words(20, 32, about.title, {'font-size': 17, 'font-weight': 600, fill: theme.ink}),
        words(20, 52, about.subtitle, {'font-size': 13}));
  }
  return svg;
}

/**
 * Room around the plot, before the labels' widths are known.
 * @param {Box} box @param {boolean} named whether the horizontal axis has a name @returns {Frame}
 */
export function outerFrame(box, named = true) {
  const side = box.titled ? 20 : 0;
  return {
    left: side,
    right: box.width - side - 2,
    top: box.titled ? 96 : 28,
    bottom: box.height -
        (box.titled ? 58 :
             named  ? 42 :
                      24)
  };
}

/** How wide the labels of a vertical scale are. @param {Scale} scale */
export function labelsWidth(scale) {
  const width = (tick) =>
      textWidth(tick.text) + (tick.power === undefined ? 0 : textWidth(String(tick.power), FONT_SIZE * 0.8));
  return Math.max(16, ...scale.ticks.map(width));
}

/** Horizontal grid with its labels, and the vertical axis' name above them. */
export function drawVertical(svg, frame, side, scale, name, theme) {
  const grid = s('g', {class: 'grid', stroke: theme.grid});
  const labels = s('g', {class: 'ticks', 'text-anchor': 'end'});
  for (const tick of scale.ticks) {
    const y = scale.at(tick.value);
    const line = {x1: frame.left, x2: frame.right, y1: y.toFixed(1), y2: y.toFixed(1)};
    grid.append(s('line', tick.value === 0 ? {...line, stroke: theme.axis} : line));
    labels.append(words(frame.left - 8, y + 4, tick.text, {}, tick.power ?? null));
  }
  svg.append(grid, labels, words(side, frame.top - 14, name, {class: 'axis-name', fill: theme.ink}));
  if (scale.minor.length === 0) return;  // the grid says it all
  const tick = (value, length) => `M${frame.left - length},${scale.at(value).toFixed(1)}h${length}`;
  const marks = [...scale.ticks.map(({value}) => tick(value, 5)), ...scale.minor.map((value) => tick(value, 3))];
  const axis = `M${frame.left},${frame.top}V${frame.bottom}${marks.join('')}`;
  svg.append(s('path', {class: 'axis', d: axis, stroke: theme.axis, 'stroke-width': 0.75, fill: 'none'}));
}

/** The line below the plot with its ticks, labels and name. */
export function drawHorizontal(svg, frame, scale, name, theme) {
  const y = frame.bottom;
  const marks = scale.ticks.map((tick) => `M${scale.at(tick.value).toFixed(1)},${y}v5`)
                    .concat(scale.minor.map((value) => `M${scale.at(value).toFixed(1)},${y}v3`))
                    .join('');
  const labels = s('g', {class: 'ticks', 'text-anchor': 'middle'});
  for (const tick of scale.ticks) {
    const half = textWidth(tick.text) / 2;
    const x = Math.min(scale.at(tick.value), frame.right + 14 - half);
    labels.append(words(x, y + 18, tick.text, {}, tick.power ?? null));
  }
  svg.append(s('path', {d: `M${frame.left},${y}H${frame.right}${marks}`, stroke: theme.axis, fill: 'none'}), labels);
  if (name) svg.append(words(frame.right, y + 37, name, {class: 'axis-name', 'text-anchor': 'end', fill: theme.ink}));
}

/** A picture that only says why there is nothing to see. */
export function drawMessage(svg, box, message, theme) {
  svg.append(words(
      box.width / 2, box.height / 2, message,
      {class: 'empty', 'text-anchor': 'middle', fill: theme.muted, 'font-size': 13}));
}
