// Values under the pointer, a finger, or the arrow keys: a crosshair in the picture and a small table beside it.

/**
 * @param {HTMLElement} plot the element that holds the picture
 * @param {HTMLElement} tip where the values are written
 * @param {() => {picture: any, theme: Theme, bounds: boolean}} current the picture that is shown now
 */
function addHover(plot, tip, current) {
  let at = -1;  // which of the rounds (or bars) is read
  const hide = () => {
    at = -1;
    tip.hidden = true;
    plot.querySelector('.crosshair')?.remove();
  };
  const show = (k) => {
    const { picture, theme, bounds } = current();
    const stops = stopsOf(picture);
    if (stops.length === 0) return hide();
    at = Math.min(stops.length - 1, Math.max(0, k));
    plot.querySelector('.crosshair')?.remove();
    const cross = s('g', { class: 'crosshair', 'pointer-events': 'none' });
    tip.replaceChildren(...(picture.bars ? readBar(picture, at, cross, theme) : readRound(picture, stops[at].round, cross, theme, bounds)));
    picture.svg.append(cross);
    tip.hidden = false;
    placeTip(plot, tip, stops[at].pixel);
  };
  plot.addEventListener('pointermove', (event) => {
    const { picture } = current();
    const pixel = event.clientX - picture.svg.getBoundingClientRect().left;
    show(nearest(stopsOf(picture), pixel));
  });
  plot.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse') show(nearest(stopsOf(current().picture), event.clientX - current().picture.svg.getBoundingClientRect().left));
  });
  plot.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') hide(); });
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', (event) => {
    const count = stopsOf(current().picture).length;
    const to = { ArrowLeft: at < 0 ? count - 1 : at - 1, ArrowRight: at < 0 ? 0 : at + 1, Home: 0, End: count - 1 }[event.key];
    if (event.key === 'Escape') hide();
    if (to === undefined || count === 0) return;
    event.preventDefault();
    show(to);
  });
  return hide;
}

/** Where the crosshair can stand. @returns {{round: number, pixel: number}[]} */
function stopsOf(picture) {
  if (picture.bars) return picture.bars.counts.map((_, k) => ({ round: k, pixel: (picture.bars.at(k) + picture.bars.at(k + 1)) / 2 }));
  if (!picture.sx) return [];
  return distinct(picture.lines.flatMap((line) => line.x)).sort((a, b) => a - b)
    .map((round) => ({ round, pixel: picture.sx.at(round) })).filter(({ pixel }) => isNumber(pixel));
}

function nearest(stops, pixel) {
  let best = 0;
  stops.forEach((stop, k) => { if (Math.abs(stop.pixel - pixel) < Math.abs(stops[best].pixel - pixel)) best = k; });
  return best;
}

/** The values of every line at a round, the largest first. */
function readRound(picture, round, cross, theme, bounds) {
  const { frame, sx, sy, lines } = picture;
  const x = sx.at(round).toFixed(1);
  cross.append(s('path', { d: `M${x},${frame.top}V${frame.bottom}`, stroke: theme.muted, 'stroke-width': 1 }));
  const rows = lines.flatMap((line) => {
    const i = line.x.indexOf(round);
    if (i < 0 || !isNumber(line.y[i])) return [];
    const y = sy.at(line.y[i]);
    if (isNumber(y)) cross.append(mark(line.index, sx.at(round), y, theme, 4.5));
    const from = line.interval && isNumber(line.interval[i]) ? `${significant(line.interval[i])} … ` : '';
    const bound = bounds && line.bound && isNumber(line.bound[i]) ? `≤ ${significant(line.bound[i], 3)}` : '';
    return [{ value: line.y[i], row: h('tr', {}, h('td', {}, swatch(line.index, theme)), h('th', { scope: 'row' }, shortened(line.name, 32)),
      h('td', { class: 'number' }, from + significant(line.y[i])), h('td', { class: 'number quiet' }, bound)) }];
  }).sort((a, b) => b.value - a.value);
  return [h('div', { class: 'tip-head' }, `round ${grouped(String(round))}`), h('table', {}, h('tbody', {}, rows.map(({ row }) => row)))];
}

function readBar(picture, k, cross, theme) {
  const { at, counts, shares } = picture.bars;
  cross.append(s('rect', { x: at(k).toFixed(1), width: (at(k + 1) - at(k)).toFixed(1), y: picture.frame.top,
    height: picture.frame.bottom - picture.frame.top, fill: theme.ink, 'fill-opacity': 0.07 }));
  return [h('div', { class: 'tip-head' }, `delay ${delayRange(k)}`), h('div', {}, `${counted(counts[k], 'answer')}, ${significant(shares[k], 3)} %`)];
}

/** Beside the crosshair, on the side with more room, inside the plot. */
function placeTip(plot, tip, pixel) {
  const room = plot.clientWidth;
  const width = tip.offsetWidth;
  const left = pixel < room / 2 ? pixel + 14 : pixel - 14 - width;
  tip.style.left = `${Math.max(0, Math.min(left, room - width))}px`;
}
