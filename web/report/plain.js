// A figure of lines without anything of its own: what most figures are.

import {curveOf, SEEDS_FOR_TENTHS} from './data.js';

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
  if (seeds === 1) return 'One seed.';
  return `Mean over ${seeds} seeds; the band spans ${seeds >= SEEDS_FOR_TENTHS ? 'the middle 80 %' : 'all of them'}.`;
}

/** Why there may be nothing to draw. @param {View} view @param {Line[]} lines */
export function whyEmpty(view, lines, missing, negative) {
  if (view.groups.length === 0) return 'No learner is switched on';
  return lines.length === 0 ? missing : negative;
}

/** A line figure without anything of its own. */
export function plainChart(view, id, title, yName, log, pick, more = {}) {
  const lines = linesOf(view, pick, more.robust ?? false);
  const empty = whyEmpty(view, lines, 'Not recorded for this stream', 'No positive values to draw on logarithmic axes');
  const subtitle = `${view.stream}, delay: ${view.delay}`;
  return {
    id,
    title,
    subtitle,
    yName,
    log,
    bounds: false,
    zero: true,
    whole: false,
    settled: false,
    lines,
    empty,
    ...more
  };
}
