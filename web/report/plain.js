// A figure of lines without anything of its own: what most figures are.

import {isNumber} from '../shared/format.js';

import {curveOf, SEEDS_FOR_TENTHS} from './data.js';
import {timeAxis} from './time_axis.js';

/**
 * One line for each group that recorded the quantity.
 * @param {View} view @param {(run: Run) => ?number[]} pick @param {boolean} robust medians
 * @returns {Line[]}
 */
function linesOf(view, pick, robust) {
  return view.groups.flatMap((group) => {
    const curve = curveOf(group, pick, robust);
    if (!curve) return [];
    const band = curve.count > 1 ? {low: curve.low, high: curve.high} : null;
    const {name, index} = group;
    return [{name, index, x: curve.x, y: curve.mean, band, interval: null, bound: null, exponent: null}];
  });
}

/** What the bands are, in words. @param {View} view */
export function bandText(view) {
  const seeds = Math.max(1, ...view.groups.map((group) => group.runs.length));
  if (seeds === 1) return '';
  return `Mean over ${seeds} seeds (repetitions with other random numbers); the band spans ${
      seeds >= SEEDS_FOR_TENTHS ? 'the middle 80 %' : 'all of them'}.`;
}

/** Sentences in a row. @param {string[]} said empty ones are left out */
export function joined(said) {
  return said.filter((text) => text).join(' ');
}

/** Why there may be nothing to draw. @param {View} view @param {Line[]} lines */
export function whyEmpty(view, lines, missing, negative) {
  if (view.groups.length === 0) return 'No learner is switched on';
  return lines.length === 0 ? missing : negative;
}

/** The lines whose curves nobody could tell apart in this picture: lists of names. @param {Picture} picture */
function coinciding(picture) {
  const {lines, sy} = picture;
  const places =
      lines.map((line) => new Map(line.x.map((round, i) => [round, isNumber(line.y[i]) ? sy.at(line.y[i]) : NaN])));
  const together = (a, b) => {
    const shared = lines[a].x.filter((round) => isNumber(places[a].get(round)) && isNumber(places[b].get(round)));
    const apart = (round) => Math.abs(places[a].get(round) - places[b].get(round)) > 1.5;  // pixels
    const points = (k) => [...places[k].values()].filter(isNumber).length;
    // Calibration's points are at places of their own: two that happen to be shared say nothing of the rest.
    return shared.length > 1 && shared.length >= 0.9 * Math.max(points(a), points(b)) && !shared.some(apart);
  };
  const taken = new Set();
  return lines.flatMap((line, a) => {
    if (taken.has(a)) return [];
    const others = lines.map((_, b) => b).filter((b) => b > a && !taken.has(b) && together(a, b));
    others.forEach((b) => taken.add(b));
    return others.length ? [[line.name, ...others.map((b) => lines[b].name)]] : [];
  });
}

/** Which lines lie on each other, in a sentence for each. @param {Picture} picture */
export function coincidingText(picture) {
  const comma = (names) => (names.some((name) => name.includes(',')) ? '; ' : ', ');
  const listed = (names) => `${names.slice(0, -1).join(comma(names))} and ${names[names.length - 1]}`;
  return coinciding(picture).map((names) => `The lines of ${listed(names)} coincide.`).join(' ');
}

/** A line figure without anything of its own. */
export function plainChart(view, id, title, yName, axes, pick, more = {}) {
  const lines = linesOf(view, pick, more.robust ?? false);
  const empty = whyEmpty(view, lines, 'Not recorded for this stream', 'No positive values to draw on logarithmic axes');
  const subtitle = `${view.stream}, delay: ${view.delay}`;
  return {
    id,
    title,
    subtitle,
    yName,
    log: axes !== 'linear',
    logX: axes === 'log',
    span: view.span,
    all: view.all.includes(id),
    bounds: false,
    zero: true,
    whole: false,
    settled: false,
    lines,
    empty,
    xName: view.table ? 'row' : 'round',
    ...(view.times && axes !== 'log' ? timeAxis(view.times, view.span) : {}),
    ...more
  };
}
