// A span of rounds chosen in a picture: by dragging the mouse over it, by pinching a touchpad, or by keys.

import {s} from './dom.js';

const LEAST_DRAG = 6;  // pixels: less is a click
const STEP = 0.5;      // of the span, at each press of a key

/**
 * @param {HTMLElement} plot the element that holds the picture
 * @param {() => {picture: any, theme: Theme}} current the picture that is shown now
 * @param {(span: ?[number, number]) => void} choose null: all rounds
 */
export function addZoom(plot, current, choose) {
  let from = null;  // where a drag began, in pixels of the picture
  const pixelOf = (event) => {
    const {svg, frame} = current().picture;
    const pixel = event.clientX - svg.getBoundingClientRect().left;
    return Math.min(frame.right, Math.max(frame.left, pixel));
  };
  const end = () => {
    from = null;
    plot.querySelector('.chosen')?.remove();
  };
  plot.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch' || event.button !== 0 || !current().picture?.sx) return;
    from = pixelOf(event);
    plot.setPointerCapture(event.pointerId);
  });
  plot.addEventListener('pointermove', (event) => {
    if (from === null) return;
    const {picture, theme} = current();
    const [left, right] = [from, pixelOf(event)].sort((a, b) => a - b);
    plot.querySelector('.chosen')?.remove();
    const {top, bottom} = picture.frame;
    const place = {x: left, y: top, width: right - left, height: bottom - top};
    picture.svg.append(s('rect', {class: 'chosen', ...place, fill: theme.ink, 'fill-opacity': 0.08}));
  });
  plot.addEventListener('pointerup', (event) => {
    if (from === null) return;
    const edges = [from, pixelOf(event)].sort((a, b) => a - b);
    end();
    if (edges[1] - edges[0] >= LEAST_DRAG) chooseSpan(current().picture, edges, choose);
  });
  plot.addEventListener('pointercancel', end);
  plot.addEventListener('dblclick', () => choose(null));
  plot.addEventListener('wheel', (event) => {
    if (!event.ctrlKey || !current().picture?.sx) return;  // pinching a touchpad; a plain wheel scrolls the page
    event.preventDefault();
    zoomAbout(current().picture, pixelOf(event), Math.exp(event.deltaY / 100), choose);
  }, {passive: false});
  plot.addEventListener('keydown', (event) => onKey(event, plot, current().picture, choose));
}

/** + and − zoom about what is read, 0 shows all. */
function onKey(event, plot, picture, choose) {
  if (event.ctrlKey || event.metaKey || event.altKey || !picture?.sx) return;
  if (event.key === '0') return choose(null);
  const factor = {'+': STEP, '=': STEP, '-': 1 / STEP, '−': 1 / STEP}[event.key];
  if (factor === undefined) return;
  event.preventDefault();
  const read = Number(plot.querySelector('.crosshair')?.dataset.pixel ?? NaN);
  const {left, right} = picture.frame;
  zoomAbout(picture, Number.isFinite(read) ? read : (left + right) / 2, factor, choose);
}

/** What stands at a pixel stays there. */
function zoomAbout(picture, pixel, factor, choose) {
  const {left, right} = picture.frame;
  const edges = [pixel - factor * (pixel - left), pixel + factor * (right - pixel)];
  chooseSpan(picture, edges, choose);
}

/** The rounds between two pixels; all of them where that is no less, and nothing where too few are recorded there. */
function chooseSpan(picture, edges, choose) {
  const rounds = picture.rounds;
  const [low, high] = [rounds[0], rounds[rounds.length - 1]];
  const from = Math.max(low, Math.floor(picture.sx.valueAt(edges[0])));
  const to = Math.min(high, Math.ceil(picture.sx.valueAt(edges[1])));
  if (rounds.filter((round) => round >= from && round <= to).length < 3) return;
  choose(from <= low && to >= high ? null : [from, to]);
}
