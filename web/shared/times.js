// Times of day in the reader's zone or in UTC, ages, and an axis of time.

import {significant} from './format.js';

/** @typedef {'local'|'utc'} Zone */

const formats = new Map();

/** @param {Zone} zone @param {Intl.DateTimeFormatOptions} options */
function formatOf(zone, options) {
  const key = JSON.stringify([zone, options]);
  if (!formats.has(key)) {
    const timeZone = zone === 'utc' ? 'UTC' : undefined;
    formats.set(key, new Intl.DateTimeFormat('en-GB', {...options, timeZone, hourCycle: 'h23'}));
  }
  return formats.get(key);
}

/** 14:05:30. @param {number} at milliseconds since 1970 @param {Zone} zone */
export function clockText(at, zone, seconds = true) {
  const options = {hour: '2-digit', minute: '2-digit'};
  return formatOf(zone, seconds ? {...options, second: '2-digit'} : options).format(at);
}

/** 15 Nov. @param {number} at @param {Zone} zone */
function dayText(at, zone) {
  return formatOf(zone, {day: 'numeric', month: 'short'}).format(at);
}

/** 15 Nov, 14:05:30. @param {number} at @param {Zone} zone */
export function dayAndClockText(at, zone) {
  return `${dayText(at, zone)}, ${clockText(at, zone)}`;
}

const UNITS = [['d', 86400], ['h', 3600], ['min', 60]];

/** Two digits, without a useless zero. @param {number} value */
function short(value) {
  return significant(value, 2).replace(/\.0$/, '');
}

/** 95000 → 1.6 min. @param {number|null} ms */
export function ageText(ms) {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return '–';
  const seconds = Math.max(0, ms / 1000);
  const unit = UNITS.find(([, size]) => seconds >= size);
  if (unit) return `${short(seconds / unit[1])} ${unit[0]}`;
  return seconds < 1 ? `${Math.round(ms)} ms` : `${short(seconds)} s`;
}

const STEPS = [
  1,    2,    5,    10,    15,    30,    60,    120,    300,    600,    900,
  1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 259200, 604800, 1209600
];

/**
 * An axis of time whose ticks are round in the reader's zone.
 * @param {number} low @param {number} high milliseconds @param {[number, number]} pixels @param {Zone} zone
 * @returns {Scale}
 */
export function timeScale(low, high, pixels, zone) {
  const most = Math.max(2, Math.floor((pixels[1] - pixels[0]) / 72));
  const step = 1000 * (STEPS.find((seconds) => (high - low) / (1000 * seconds) <= most) ?? 1209600);
  const offset = zone === 'utc' ? 0 : -60000 * new Date(high).getTimezoneOffset();
  const slope = (pixels[1] - pixels[0]) / (high - low);
  const at = (value) => (value >= low && value <= high ? pixels[0] + (value - low) * slope : NaN);
  const clamped = (value) => at(Math.min(high, Math.max(low, value)));
  const ticks = [];
  for (let value = Math.ceil((low + offset) / step) * step - offset; value <= high; value += step) {
    const isDay = (value + offset) % 86400000 === 0 && high - low > 86400000;
    ticks.push({value, text: isDay ? dayText(value, zone) : clockText(value, zone, step < 60000)});
  }
  return {log: false, low, high, ticks, minor: [], at, clamped};
}

/**
 * An axis of ages, from now on the left. @param {number} high milliseconds @param {[number, number]}
 * pixels @returns {Scale}
 */
export function ageScale(high, pixels) {
  const most = Math.max(2, Math.floor((pixels[1] - pixels[0]) / 72));
  const step = 1000 * (STEPS.find((seconds) => high / (1000 * seconds) <= most) ?? 1209600);
  const at = (value) => (value >= 0 && value <= high ? pixels[0] + (value * (pixels[1] - pixels[0])) / high : NaN);
  const clamped = (value) => at(Math.min(high, Math.max(0, value)));
  const ticks = [];
  for (let value = 0; value <= high; value += step) ticks.push({value, text: value === 0 ? '0' : ageText(value)});
  return {log: false, low: 0, high, ticks, minor: [], at, clamped};
}
