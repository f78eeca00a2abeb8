// From values to pixels, with ticks at 1, 2 and 5 times a power of ten, or at powers of ten.

import {grouped, scientific} from './format.js';

/**
 * @typedef {{value: number, text: string, power?: number}} Tick  with `power`, the label is text to that power
 * @typedef {{log: boolean, low: number, high: number, ticks: Tick[], minor: number[],
 *            at: (value: number) => number, clamped: (value: number) => number,
 *            valueAt?: (pixel: number) => number}} Scale
 *   at: NaN where there is no place for the value; clamped: moved to the nearer end; valueAt: back from a pixel
 */

/** The smallest of 1, 2, 5 × 10^k that is not below a step. @param {number} step */
function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].map((m) => m * power).find((nice) => nice >= step * (1 - 1e-9)) ?? 10 * power;
}

const UNITS = [{name: 'T', size: 1e12}, {name: 'G', size: 1e9}, {name: 'M', size: 1e6}];

/** A tick's label: 20,000, 0.05, and 2 M from a million on. @param {number} value @param {number} step */
function tickText(value, step) {
  if (value === 0) return '0';
  if (step >= 1e15 || step < 1e-6) return scientific(value, 2);
  const large = UNITS.find(({size}) => step >= size / 10 && Math.abs(value) >= size / 2);
  if (large) return `${grouped(String(Number((value / large.size).toFixed(1))))} ${large.name}`;
  return grouped(value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));
}

/**
 * @param {number} low @param {number} high @param {[number, number]} pixels
 * @param {{ticks: number, round: boolean, whole?: boolean}} wish about so many ticks; ends at ticks; whole steps
 * @returns {Scale}
 */
export function linearScale(low, high, pixels, wish) {
  if (!(high > low)) [low, high] = low === 0 ? [0, 1] : [Math.min(low, 0), Math.max(low, 0)];
  let step = niceStep((high - low) / Math.max(1, wish.ticks));
  if (wish.whole) step = Math.max(1, step);
  const slack = 0.03;  // of a step: too little to see, and not worth another tick
  if (wish.round) [low, high] = [Math.floor(low / step + slack) * step, Math.ceil(high / step - slack) * step];
  if (!(high > low)) high = low + step;
  const slope = (pixels[1] - pixels[0]) / (high - low);
  const at = (value) => pixels[0] + (value - low) * slope;
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + 1e-9 * step; ++k) {
    ticks.push({value: k * step, text: tickText(k * step, step)});
  }
  const clamped = (value) => at(Math.min(high, Math.max(low, value)));
  const valueAt = (pixel) => low + (pixel - pixels[0]) / slope;
  return {log: false, low, high, ticks, minor: [], at, clamped, valueAt};
}

/**
 * @param {number} low positive @param {number} high @param {[number, number]} pixels
 * @param {{ticks: number, loose?: boolean}} wish loose: values below the low end have a place too, off the paper
 * @returns {Scale}
 */
export function logScale(low, high, pixels, wish) {
  if (!(high > low * 1.05)) [low, high] = [low / 2, high * 2];
  const [from, to] = [Math.log10(low), Math.log10(high)];
  const slope = (pixels[1] - pixels[0]) / (to - from);
  const least = wish.loose ? Number.MIN_VALUE : low * (1 - 1e-9);
  const at = (value) => (value >= least ? pixels[0] + (Math.log10(value) - from) * slope : NaN);
  const {ticks, minor} = logTicks(low, high, wish.ticks);
  const clamped = (value) => at(Math.min(high, Math.max(low, value)));
  const valueAt = (pixel) => 10 ** (from + (pixel - pixels[0]) / slope);
  return {log: true, low, high, ticks, minor, at, clamped, valueAt};
}

/** Ticks at powers of ten, and at 2 and 5 times one where there is room; otherwise at plain numbers. */
function logTicks(low, high, most) {
  const inside = (value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const decades = Array.from({length: last - first + 1}, (_, i) => first + i);
  const multiples = (factors) =>
      decades.flatMap((k) => factors.map((m) => ({value: m * 10 ** k, k}))).filter(({value}) => inside(value));
  const powers = decades.filter((k) => inside(10 ** k));
  const fine = multiples([1, 2, 5]);
  const minor = multiples([2, 3, 4, 5, 6, 7, 8, 9]).map(({value}) => value);
  const plain = ({value, k}) => ({value, text: tickText(value, 10 ** k)});
  if (fine.length >= 2 && fine.length <= Math.max(3, most) && fine.every(({k}) => readable(k))) {
    return {ticks: fine.map(plain), minor};
  }
  if (powers.length >= 2) {
    const stride = Math.max(1, Math.ceil(powers.length / Math.max(2, most)));
    const kept = powers.filter((k) => k % stride === 0);
    return {ticks: kept.map((k) => powerTick(k, kept.every(readable))), minor: stride === 1 ? minor : []};
  }
  if (fine.length >= 2) return {ticks: fine.map(plain), minor: []};
  const {ticks} = linearScale(low, high, [0, 1], {ticks: Math.max(2, most - 1), round: false});
  return {ticks, minor: []};
}

/** Whether ten to this power is read more easily written out. @param {number} k */
function readable(k) {
  return k >= -4 && k <= 6;
}

/** 1, 10, 100 …; beyond what can be read, 10 to a power. @param {number} k @returns {Tick} */
function powerTick(k, written) {
  if (written || k === 0 || k === 1) return {value: 10 ** k, text: tickText(10 ** k, 10 ** k)};
  return {value: 10 ** k, text: '10', power: k};
}
