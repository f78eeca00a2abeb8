// Points joined: the outlines of lines and of what lies between them.

import {isNumber} from './format.js';

/**
 * Indices worth drawing: of many points in one pixel column, the first, the last and the extremes.
 * @param {number[]} x @param {(number|null)[]} y @param {Scale} sx
 */
function thinned(x, y, sx) {
  if (x.length < 1500) return x.map((_, i) => i);
  const columns = new Map();
  x.forEach((round, i) => {
    const column = Math.floor(sx.at(round));
    const kept = columns.get(column) ?? {first: i, last: i, least: i, most: i};
    kept.last = i;
    if (y[i] < y[kept.least]) kept.least = i;
    if (y[i] > y[kept.most]) kept.most = i;
    columns.set(column, kept);
  });
  return [...new Set([...columns.values()].flatMap((k) => [k.first, k.least, k.most, k.last]))].sort((a, b) => a - b);
}

/** The path of a line; it pauses where there is no value. */
export function linePath(x, y, sx, sy) {
  let path = '';
  let drawing = false;
  for (const i of thinned(x, y, sx)) {
    const [px, py] = [sx.at(x[i]), isNumber(y[i]) ? sy.at(y[i]) : NaN];
    const there = isNumber(px) && isNumber(py);
    if (there) path += `${drawing ? 'L' : 'M'}${px.toFixed(1)},${py.toFixed(1)}`;
    drawing = there;
  }
  return path;
}

/** The path around what lies between two lines. */
export function areaPath(x, low, high, sx, sy) {
  const there = (i) => isNumber(low[i]) && isNumber(high[i]) && isNumber(sx.at(x[i])) && (!sy.log || high[i] > 0);
  const kept = thinned(x, high, sx).filter(there);
  if (kept.length < 2) return '';
  const point = (i, side) => `${sx.at(x[i]).toFixed(1)},${sy.clamped(side[i]).toFixed(1)}`;
  return `M${kept.map((i) => point(i, high)).join('L')}L${kept.reverse().map((i) => point(i, low)).join('L')}Z`;
}
