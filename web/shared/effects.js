// What single numbers say to a model: a small figure for each, over its values, all on one scale so that they can be
// compared. The dashboard and the report show the same.

import {drawHorizontal, drawVertical, labelsWidth, newPicture, outerFrame} from './axes.js';
import {h, s} from './dom.js';
import {shortened, significant} from './format.js';
import {addHover} from './hover.js';
import {largest, smallest} from './lists.js';
import {linePath} from './paths.js';
import {linearScale} from './scales.js';

/**
 * @typedef {{name: string, unit: 'label'|'log odds', whole: boolean, at: number[], effect: number[]}} Effect
 *   effect: more or less than in the mean of its values; whole: few values, each of which is there
 */

const [HEIGHT, LEAST_WIDTH, GAP] = [176, 270, 28];
const SPACE = {
  x: 56,
  y: 34
};  // pixels between ticks

/** Where it is highest and lowest, for those who do not see it. @param {Effect} effect */
export function effectWords({name, at, effect}) {
  const [low, high] = [effect.indexOf(smallest(effect)), effect.indexOf(largest(effect))];
  const place = (k) => `${significant(effect[k], 2)} at ${significant(at[k], 3)}`;
  return `Effect of ${name}: highest ${place(high)}, lowest ${place(low)}`;
}

/** @param {Effect} effect @param {[number, number]} span of all effects @param {number} width @param {Theme} theme */
function drawEffect(effect, span, width, theme) {
  const {name, at, unit, whole} = effect;
  const box = {width, height: HEIGHT, titled: false};
  const svg = newPicture(box, theme, {title: name, subtitle: '', label: effectWords(effect)});
  const frame = outerFrame(box, false);
  const side = frame.left;
  const fits = (pixels, space) => Math.max(2, Math.floor(pixels / space));
  const sy =
      linearScale(...span, [frame.bottom, frame.top], {ticks: fits(frame.bottom - frame.top, SPACE.y), round: true});
  frame.left += labelsWidth(sy) + 10;
  frame.right -= 8;
  const wish = {ticks: fits(frame.right - frame.left, SPACE.x), round: false, whole};
  const sx = linearScale(at[0], at[at.length - 1], [frame.left, frame.right], wish);
  drawVertical(svg, frame, side, sy, unit === 'label' ? 'adds to the prediction' : 'adds to the log odds', theme);
  drawHorizontal(svg, frame, sx, '', theme);
  const [colour] = theme.colours;
  svg.append(
      s('path',
        {class: 'effect', d: linePath(at, effect.effect, sx, sy), fill: 'none', stroke: colour, 'stroke-width': 2}));
  if (whole) {
    const dot = (x, k) => s('circle', {cx: sx.at(x).toFixed(1), cy: sy.at(effect.effect[k]).toFixed(1), r: 2.4});
    svg.append(s('g', {class: 'values', fill: colour}, at.map(dot)));
  }
  const line = {name, index: 0, x: at, y: effect.effect};
  return {
    svg,
    frame,
    sx,
    sy,
    lines: [line],
    xText: (x) => `${shortened(name)} ${significant(x, 3)}`,
    yText: (y) => significant(y, 3)
  };
}

/** The figures, in as many columns as fit. @param {Effect[]} effects @param {Theme} theme @param {number} width */
export function makeEffects(effects, theme, width) {
  const columns = Math.max(1, Math.min(3, Math.floor((width + GAP) / (LEAST_WIDTH + GAP))));
  const each = Math.floor((width - GAP * (columns - 1)) / columns);
  const all = effects.flatMap(({effect}) => effect);
  const span = /** @type {[number, number]} */ ([smallest(all), largest(all)]);
  const figure = (effect, k) => {
    const picture = drawEffect(effect, span, each, theme);
    const id = `effect-${k}`;
    const named = {'aria-labelledby': id, 'aria-description': 'Left and right arrow keys read the values'};
    const plot = h('div', {class: 'plot', tabindex: 0, role: 'group', ...named}, picture.svg);
    const tip = h('div', {class: 'tip', role: 'status', hidden: true});
    addHover(plot, tip, () => ({picture, theme, bounds: false}));
    return h('figure', {class: 'effect-figure'}, h('h3', {id}, effect.name), h('div', {class: 'plot-box'}, plot, tip));
  };
  return h('div', {class: 'effects'}, effects.map(figure));
}

/** For a file. @param {Effect[]} effects */
export function effectRows(effects) {
  return [
    ['number', 'value', 'effect'], ...effects.flatMap(({name, at, effect}) => at.map((x, k) => [name, x, effect[k]]))
  ];
}
