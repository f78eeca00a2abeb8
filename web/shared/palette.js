// Colours and marks. The hues are Okabe and Ito's, which colour-blind readers can tell apart, shifted in lightness so
// that each stands out on its paper. Marks differ too, so that no curve is told by its colour alone; dashes are kept
// for bounds.

import {s} from './dom.js';

/**
 * @typedef {{paper: string, ink: string, muted: string, grid: string, axis: string, bar: string,
 *            colours: string[]}} Theme
 */

/** @type {Theme} */
export const LIGHT = {
  paper: '#ffffff',
  ink: '#1b1f24',
  muted: '#5c6570',
  grid: '#e7eaed',
  axis: '#8b949e',
  bar: '#7d8893',
  colours: ['#0072b2', '#d55e00', '#009e73', '#b8538f', '#d08c00', '#3fa3df', '#8a7c00', '#30363d'],
};

/** @type {Theme} */
export const DARK = {
  paper: '#14171a',
  ink: '#e8eaed',
  muted: '#9aa4ae',
  grid: '#272c31',
  axis: '#69727c',
  bar: '#77828d',
  colours: ['#4a9fe0', '#f0814a', '#2fbf94', '#dd8fbd', '#efb134', '#8ccdf5', '#d9cf52', '#c9d1d9'],
};

const SHAPES = ['circle', 'square', 'triangle', 'diamond', 'down', 'cross', 'plus', 'ring'];

/** What sets the i-th curve apart. After eight, colours come again with other marks. @param {number} i */
export function styleOf(i) {
  const turn = Math.floor(i / 8);
  return {colour: i % 8, shape: SHAPES[(i + 3 * turn) % SHAPES.length]};
}

/** The outlines of the marks about the origin, of half width 1. */
const OUTLINES = {
  circle: 'M-1,0A1,1 0 1 1 1,0A1,1 0 1 1 -1,0Z',
  ring: 'M-1,0A1,1 0 1 1 1,0A1,1 0 1 1 -1,0Z',
  square: 'M-1,-1H1V1H-1Z',
  triangle: 'M0,-1.25L1.15,0.85H-1.15Z',
  down: 'M0,1.25L1.15,-0.85H-1.15Z',
  diamond: 'M0,-1.35L1.35,0L0,1.35L-1.35,0Z',
  cross: 'M-1,-1L1,1M-1,1L1,-1',
  plus: 'M-1.2,0H1.2M0,-1.2V1.2',
};

/** A mark at a place. @param {number} i the curve's number @param {Theme} theme */
export function mark(i, x, y, theme, r = 3.2) {
  const {colour, shape} = styleOf(i);
  const open = shape === 'ring' || shape === 'cross' || shape === 'plus';
  return s('path', {
    d: OUTLINES[shape],
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${r})`,
    fill: open ? (shape === 'ring' ? theme.paper : 'none') : theme.colours[colour],
    stroke: open ? theme.colours[colour] : theme.paper,
    'stroke-width': ((open ? 1.6 : 1) / r).toFixed(3),
  });
}

/** The small picture of a curve that legends show. @param {number} i @param {Theme} theme */
export function swatch(i, theme) {
  return s(
      'svg', {width: 26, height: 12, viewBox: '0 0 26 12', 'aria-hidden': 'true', class: 'swatch'},
      s('path', {d: 'M1,6H25', stroke: theme.colours[styleOf(i).colour], 'stroke-width': 2, fill: 'none'}),
      mark(i, 13, 6, theme, 3.4));
}
