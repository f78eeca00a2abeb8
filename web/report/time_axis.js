// Rows by when they were seen: an axis of time under curves that are recorded by the row.

import {grouped} from '../shared/format.js';
import {final} from '../shared/lists.js';
import {ageText} from '../shared/times.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
const STEPS = [1, 5, 15, 60, 300, 900, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120];
const FIRST_DATE = 1e8;  // seconds since 1970: times before 1973 are counted from somewhere else

/**
 * When rows were seen, where these runs say so. @param {Group[]} groups @returns {?{round: number[], time: number[]}}
 */
export function timesOf(groups) {
  const run = groups.flatMap((group) => group.runs).find(({checkpoints}) => checkpoints.time?.length > 1);
  if (!run) return null;
  const {round, time} = run.checkpoints;
  return final(time) > time[0] ? {round, time} : null;
}

/** The value of a curve between its points. @param {number[]} x ascending @param {number[]} y @param {number} at */
function between(x, y, at) {
  const k = Math.max(1, x.findIndex((value) => value >= at));
  if (at >= final(x)) return final(y);
  const share = x[k] > x[k - 1] ? (at - x[k - 1]) / (x[k] - x[k - 1]) : 1;
  return y[k - 1] + Math.max(0, share) * (y[k] - y[k - 1]);
}

/** 15 Jan, Jan 2024, 14:00. @param {number} seconds @param {Intl.DateTimeFormatOptions} options */
function dateText(seconds, options) {
  return new Intl.DateTimeFormat('en-GB', {...options, timeZone: 'UTC', hourCycle: 'h23'}).format(1000 * seconds);
}

/** Round dates between two times, at most so many. */
function dateTicks(low, high, most) {
  const step = STEPS.find((seconds) => (high - low) / seconds <= most);
  if (step) {
    const options = step >= DAY ? {day: 'numeric', month: 'short'} : {hour: '2-digit', minute: '2-digit'};
    const week = 7 * DAY;
    const offset = step % week === 0 ? 4 * DAY : 0;  // weeks begin on Mondays, and 1970 on a Thursday
    const ticks = [];
    for (let t = Math.ceil((low - offset) / step) * step + offset; t <= high; t += step) {
      ticks.push({
        time: t,
        text: step < DAY && t % DAY === 0 ? dateText(t, {day: 'numeric', month: 'short'}) : dateText(t, options)
      });
    }
    return ticks;
  }
  const months = MONTHS.find((count) => (high - low) / (30.4 * DAY * count) <= most) ?? final(MONTHS);
  const first = new Date(1000 * low);
  const ticks = [];
  for (let k = Math.floor((12 * first.getUTCFullYear() + first.getUTCMonth()) / months) * months;; k += months) {
    const time = Date.UTC(Math.floor(k / 12), k % 12) / 1000;
    if (time > high) return ticks;
    if (time >= low)
      ticks.push({time, text: dateText(time, months >= 12 ? {year: 'numeric'} : {month: 'short', year: 'numeric'})});
  }
}

/** Round lengths of time since the first row. */
function ageTicks(low, high, most) {
  const step = STEPS.find((seconds) => (high - low) / seconds <= most) ??
      30 * DAY * MONTHS.find((count) => (high - low) / (30 * DAY * count) <= most || count === final(MONTHS));
  const ticks = [];
  for (let t = Math.ceil(low / step) * step; t <= high; t += step) {
    ticks.push({time: t, text: t === 0 ? '0' : ageText(1000 * t)});
  }
  return ticks;
}

/**
 * What a chart over rows needs to be one over time; its lines stay by the row.
 * @param {{round: number[], time: number[]}} times @param {?[number, number]} span rows
 */
export function timeAxis(times, span) {
  const dated = times.time[0] >= FIRST_DATE;
  const time = dated ? times.time : times.time.map((t) => t - times.time[0]);
  const timeOf = (row) => between(times.round, time, row);
  const rowOf = (t) => between(time, times.round, t);
  const scaleX = (left, right) => {
    const [low, high] = [timeOf(span ? span[0] : times.round[0]), timeOf(span ? span[1] : final(times.round))];
    const slope = (right - left) / (high - low || 1);
    const at = (row) => left + (timeOf(row) - low) * slope;
    const most = Math.max(2, Math.floor((right - left) / 76));
    const ticks = (dated ? dateTicks : ageTicks)(low, high, most).map(({time: t, text}) => ({value: rowOf(t), text}));
    const rows = [rowOf(low), rowOf(high)];
    const clamped = (row) => at(Math.min(rows[1], Math.max(rows[0], row)));
    const valueAt = (pixel) => rowOf(low + (pixel - left) / slope);
    return {log: false, low: rows[0], high: rows[1], ticks, minor: [], at, clamped, valueAt};
  };
  const xText = (row) => {
    const t = timeOf(row);
    const when = dated ?
        dateText(t, {day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit'}) :
        `${ageText(1000 * t)} after the first`;
    return `row ${grouped(String(row))}, ${when}`;
  };
  return {scaleX, xText, xName: dated ? 'when the row was seen' : 'time since the first row'};
}
