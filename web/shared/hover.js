// Values under the pointer, a finger, or the arrow keys: a crosshair in the picture and a small table beside it.

import {h, s} from './dom.js';
import {counted, grouped, isNumber, shortened, significant} from './format.js';
import {distinct} from './lists.js';
import {mark, swatch} from './palette.js';

/**
 * @param {HTMLElement} plot the element that holds the picture
 * @param {HTMLElement} tip where the values are written
 * @param {() => {picture: any, theme: Theme, bounds: boolean}} current the picture that is shown now
 * @returns {{hide: () => void, again: () => void}} again: reads the same place of a picture that was drawn anew
 */
export function addHover(plot, tip, current) {
  let at = -1;  // which of the stops is read
  const hide = () => {
    at = -1;
    tip.hidden = true;
    plot.querySelector('.crosshair')?.remove();
  };
  const show = (k) => {
    const {picture, theme, bounds} = current();
    const stops = stopsOf(picture);
    hide();
    if (stops.length === 0) return;
    at = Math.min(stops.length - 1, Math.max(0, k));
    const {round, pixel} = stops[at];
    const cross = s('g', {class: 'crosshair', 'data-pixel': pixel.toFixed(1), 'pointer-events': 'none'});
    const said = picture.bars ? readBar(picture, at, cross, theme) : readRound(picture, round, cross, theme, bounds);
    tip.replaceChildren(...said);
    picture.svg.append(cross);
    tip.hidden = false;
    placeTip(plot, tip, pixel);
  };
  const showNear = (event) => {
    const {picture} = current();
    show(nearest(stopsOf(picture), event.clientX - picture.svg.getBoundingClientRect().left));
  };
  plot.addEventListener('pointermove', showNear);
  plot.addEventListener('pointerdown', showNear);
  plot.addEventListener('pointerleave', (event) => void (event.pointerType === 'mouse' && hide()));
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
    const to = stopFor(event.key, at, stopsOf(current().picture).length);
    if (to === null) return;
    event.preventDefault();
    show(to);
  });
  const again = () => {
    if (at < 0) return;
    const k = at;
    show(k);
  };
  return {hide, again};
}

/** Where a key leads, from a stop or from none (−1). @param {string} key @param {number} at @param {number} count */
function stopFor(key, at, count) {
  if (count === 0) return null;
  if (key === 'ArrowLeft') return at < 0 ? count - 1 : at - 1;
  if (key === 'ArrowRight') return at + 1;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** Where the crosshair can stand: found once a picture. @returns {{round: number, pixel: number}[]} */
function stopsOf(picture) {
  if (picture.stops) return picture.stops;
  const {bars, sx} = picture;
  if (bars) {
    picture.stops = bars.counts.map((_, k) => ({round: k, pixel: (bars.at(k) + bars.at(k + 1)) / 2}));
  } else {
    const rounds = sx ? distinct(picture.lines.flatMap((line) => line.x)).sort((a, b) => a - b) : [];
    picture.stops = rounds.map((round) => ({round, pixel: sx.at(round)}))
                        .filter(({pixel}) => pixel >= picture.frame.left - 1 && pixel <= picture.frame.right + 1);
  }
  return picture.stops;
}

/** @param {{pixel: number}[]} stops @param {number} pixel */
function nearest(stops, pixel) {
  const distance = (k) => Math.abs(stops[k].pixel - pixel);
  return stops.reduce((best, _, k) => (distance(k) < distance(best) ? k : best), 0);
}

/** The values of every line at a round, the largest first. */
function readRound(picture, round, cross, theme, bounds) {
  const {frame, sx, sy, lines} = picture;
  const x = sx.at(round);
  cross.append(s('path', {d: `M${x.toFixed(1)},${frame.top}V${frame.bottom}`, stroke: theme.muted, 'stroke-width': 1}));
  const rows = lines.map((line) => ({line, i: line.x.indexOf(round)})).filter(({line, i}) => isNumber(line.y[i]));
  rows.sort((a, b) => b.line.y[b.i] - a.line.y[a.i]);
  for (const {line, i} of rows) {
    const y = sy.at(line.y[i]);
    if (y >= frame.top && y <= frame.bottom) cross.append(mark(line.index, x, y, theme, 4.5));
  }
  const cells = ({line, i}) => {
    const from = isNumber(line.interval?.[i]) ? `${significant(line.interval[i])} … ` : '';
    const bound = bounds && isNumber(line.bound?.[i]) ? `≤ ${significant(line.bound[i], 3)}` : '';
    return [
      h('td', {}, swatch(line.index, theme)),
      h('th', {scope: 'row'}, shortened(line.name, 32)),
      h('td', {class: 'number'}, from + (picture.yText ?? significant)(line.y[i])),
      h('td', {class: 'number quiet'}, bound),
    ];
  };
  const table = h('table', {}, h('tbody', {}, rows.map((row) => h('tr', {}, cells(row)))));
  const head = picture.xText ? picture.xText(round) : `round ${grouped(String(round))}`;
  return [h('div', {class: 'tip-head'}, head), table];
}

/** The k-th bar in words. */
function readBar(picture, k, cross, theme) {
  const {frame, bars} = picture;
  const [x, height] = [bars.at(k), frame.bottom - frame.top];
  cross.append(s('rect', {x, y: frame.top, width: bars.at(k + 1) - x, height, fill: theme.ink, 'fill-opacity': 0.07}));
  const said = `${counted(bars.counts[k], bars.noun)}, ${significant(bars.shares[k], 3)} %`;
  return [h('div', {class: 'tip-head'}, bars.name(k)), h('div', {}, said)];
}

/** Beside the crosshair, on the side with more room, inside the plot. */
function placeTip(plot, tip, pixel) {
  const room = plot.clientWidth;
  const width = tip.offsetWidth;
  const left = pixel < room / 2 ? pixel + 14 : pixel - 14 - width;
  tip.style.left = `${Math.max(0, Math.min(left, room - width))}px`;
}
