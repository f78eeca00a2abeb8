// The first figure: regret, what is known of it, and the bound.

import {drawable} from '../shared/chart.js';
import {h} from '../shared/dom.js';
import {counted, exponentText, isNumber, scientific, shortened, significant} from '../shared/format.js';
import {final, largest, smallest} from '../shared/lists.js';

import {curveOf} from './data.js';
import {bandText, joined, plainChart, whyEmpty} from './plain.js';

/** The regret's lines: the upper end, with the lower one where they differ. @param {View} view @returns {Line[]} */
export function regretLines(view) {
  return view.groups.flatMap((group) => {
    const high = curveOf(group, (run) => run.checkpoints.regret_high);
    if (!high) return [];
    const low = curveOf(group, (run) => run.checkpoints.regret_low);
    const bound = curveOf(group, (run) => run.checkpoints.bound);
    const along = (curve, side) => {
      if (!curve) return null;
      const byRound = new Map(curve.x.map((round, i) => [round, curve[side][i]]));
      return high.x.map((round) => byRound.get(round) ?? null);
    };
    const lower = along(low, 'mean');
    const size = largest(high.mean.filter(isNumber).map(Math.abs));
    const wide = !!lower && high.mean.some((v, i) => isNumber(v) && isNumber(lower[i]) && v - lower[i] > 1e-3 * size);
    const band = high.count > 1 ? {low: wide ? along(low, 'low') : high.low, high: high.high} : null;
    return [{
      name: group.name,
      index: group.index,
      x: high.x,
      y: high.mean,
      band,
      interval: wide ? lower : null,
      bound: along(bound, 'mean'),
      exponent: group.exponent,
    }];
  });
}

/** Logarithms, unless they would leave much of a line out. @param {View} view @returns {Axes} */
export function regretAxes(view) {
  const lines = regretLines(view);
  const kept = (line) => line.y.filter((v) => v > 0).length >= 0.7 * line.y.filter(isNumber).length;
  return lines.length > 0 && lines.every(kept) ? 'log' : 'linear';
}

/** Whether there is any regret to show. @param {Group[]} groups */
export function hasRegret(groups) {
  return groups.some((group) => curveOf(group, (run) => run.checkpoints.regret_high));
}

export function regretChart(view, axes) {
  const lines = regretLines(view);
  const empty =
      whyEmpty(view, lines, 'No regret was recorded for this stream', 'No positive regret to draw on logarithmic axes');
  const plain = plainChart(view, 'regret', 'Regret over rounds', 'regret', axes, () => null);
  return {...plain, lines, empty, bounds: view.bounds};
}

/** The finding in one sentence. @param {Line[]} lines */
function leastRegret(lines) {
  const ended = lines.filter((line) => isNumber(final(line.y)));
  if (ended.length < 2) return null;
  const best = ended.reduce((one, other) => (final(other.y) < final(one.y) ? other : one));
  const [end, bound] = [final(best.y), best.bound ? final(best.bound) : null];
  const share = end > 0 && bound > 0 ? `, ${shareText((100 * end) / bound)} of its bound` : '';
  const rounds = counted(final(best.x), 'round');
  return `After ${rounds}, ${best.name} has the least regret: ${significant(end, 3)}${share}.`;
}

/** A share in per cent, without false precision. @param {number} percent */
function shareText(percent) {
  return percent < 0.1 ? 'less than 0.1 %' : `${significant(percent, 2)} %`;
}

/** @param {Line[]} lines @param {Picture} picture */
function boundText(lines, picture) {
  const bounded = lines.filter((line) => line.bound && line.bound.some(isNumber));
  const beyond = bounded.filter((line) => smallest(line.bound.filter(isNumber)) > picture.sy.high);
  if (beyond.length === 0) return 'Dashed: the proven bound.';
  const last = (line) => `${line.name} (${scientific(final(line.bound.filter(isNumber)), 2)} in the end)`;
  return `Dashed: the proven bound; off the chart for ${beyond.map(last).join(', ')}.`;
}

export function regretCaption(view, axes, picture) {
  const log = axes === 'log';
  const lines = regretLines(view);
  if (lines.length === 0) return [];
  const said = [bandText(view)];
  const best = leastRegret(lines);
  if (best) said.unshift(best);
  if (lines.some((line) => line.interval)) {
    said.push(
        'The best fixed decision is known only within limits: the regret is in the darker strip, at most at the line.');
  }
  if (view.bounds && lines.some((line) => drawable(line.bound, log))) said.push(boundText(lines, picture));
  if (!log) return [joined(said)];
  const none = lines.filter((line) => !drawable(line.y, true)).map((line) => line.name);
  if (none.length > 0 && none.length < lines.length) said.push(`No positive regret to draw: ${none.join(', ')}.`);
  const fitted = lines.filter((line) => isNumber(line.exponent));
  if (fitted.length > 0) said.push('T to a power: the growth fitted over the last half of the checkpoints.');
  if (fitted.length === 0 || picture.ended) return [joined(said)];
  const fit = (line) =>
      h('span', {class: 'fit'}, `${shortened(line.name)} T`, h('sup', {}, exponentText(line.exponent)));
  const parts = fitted.flatMap((line, k) => [k ? ' · ' : ' ', fit(line)]);
  return [joined(said), ...parts, '.'];
}
