// The figures of a report: the words are in the page already. Drawn again when colours or the width change.

import {makeQuality} from '../dashboard/quality.js';
import {drawChart} from '../shared/chart.js';
import {h} from '../shared/dom.js';
import {grouped} from '../shared/format.js';
import {DARK, LIGHT, swatch} from '../shared/palette.js';
import {dayAndClockText, timeScale} from '../shared/times.js';

/**
 * @typedef {{name: string, quarters: [number, number, number][], quality: ?import('../dashboard/quality.js').Quality}}
 * Told
 */

const GAP = 40;  // between two figures, as the style has it
const data = JSON.parse(document.getElementById('data').textContent);
const system = matchMedia('(prefers-color-scheme: dark)');
let printing = false;

/** Decisions by when they were made, and how many of them have their answer. @param {Told} told */
function trafficFigure({quarters}, theme, width) {
  const x = quarters.map(([at]) => Math.max(at, data.from));
  const line = (name, index, column) => ({
    name,
    index,
    x,
    y: quarters.map((quarter) => quarter[column]),
    band: null,
    interval: null,
    bound: null,
    exponent: null,
  });
  const chart = {
    id: 'decisions',
    title: 'Decisions and their answers',
    subtitle: '',
    log: false,
    bounds: false,
    zero: true,
    whole: true,
    settled: false,
    tickSpace: 36,
    yName: 'in six hours',
    xName: 'when it was decided',
    empty: 'Nothing yet',
    scaleX: (left, right) => timeScale(data.from, data.to, [left, right], 'utc'),
    xText: (at) => dayAndClockText(at, 'utc'),
    yText: (count) => grouped(String(count)),
    lines: [line('decisions', 0, 1), line('answered so far', 1, 2)],
  };
  const picture = drawChart(chart, {width, height: 230, titled: false}, theme);
  const names = picture.lines.map(({name, index}) => h('span', {class: 'player'}, swatch(index, theme), name));
  return h('div', {class: 'plot'}, h('h3', {}, chart.title), picture.svg, h('p', {class: 'names note'}, names));
}

/** What it knew of the decisions of the period alone. */
function ofThePeriod(quality) {
  return {...quality, spans: quality.spans.filter(({from, to}) => to > data.from && from < data.to)};
}

function draw() {
  const dark = system.matches && !printing;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  const theme = dark ? DARK : LIGHT;
  for (const told of data.models) {
    const charts = document.getElementById(`model-${told.name}`).querySelector('.charts');
    const all = printing ? 640 : charts.parentElement.clientWidth;
    const width = Math.max(240, printing || all > 652 ? (all - GAP) / 2 : all);
    const parts = told.quarters.length > 0 ? [trafficFigure(told, theme, width)] : [];
    if (told.quality?.spans.length > 0) parts.push(...makeQuality(ofThePeriod(told.quality), '', 'utc', theme, width));
    charts.replaceChildren(...parts);
  }
}

let drawn = document.documentElement.clientWidth;
addEventListener('resize', () => {
  if (document.documentElement.clientWidth === drawn) return;
  drawn = document.documentElement.clientWidth;
  draw();
});
system.addEventListener('change', draw);
for (const [event, is] of [['beforeprint', true], ['afterprint', false]]) {
  addEventListener(event, () => {
    printing = is;
    draw();
  });
}
draw();
