// What a model knows about waiting: the share of each class that is still open by age in a figure, what that means in
// words, and the rounds that are open or were given up by age. The dashboard and the report show the same.

import {drawChart} from './chart.js';
import {h} from './dom.js';
import {grouped, isNumber, significant} from './format.js';
import {swatch} from './palette.js';
import {linearScale, logScale} from './scales.js';
import {ageText} from './times.js';

/**
 * @typedef {{class: string, labels: number, half: ?number, others_half: ?number, open: number[]}} OfClass
 * @typedef {{ages: string, from: string, rounds: number, known: number, trust: number, age: number[],
 *            reached: number[], open: number[], classes: OfClass[]}} Clock  ages: what they are counted in
 * @typedef {{rounds: number, answered: number, open: number, given_up: number,
 *            by_age: {from: number, open: number, given_up: number}[], believed?: Clock[], moves?: number,
 *            mean_move?: number, late: string[], says: string[], seconds?: {class: string, labels: number, half:
 * number}[]}} Waiting
 */

const FEWEST = 20;   // labels of a class, without which nothing is said of it
const RATIO = 1.25;  // of medians, from which on it is worth a line

/** The beliefs worth a figure: of more than one age. @param {Waiting} waiting */
export function clocksOf(waiting) {
  return (waiting?.believed ?? []).filter((clock) => clock.known > 1 && clock.from !== 'nothing');
}

/** @param {Clock} clock @param {string} subtitle */
function waitsChart(clock, subtitle) {
  const byDue = clock.ages !== 'rounds';
  const ages = clock.age.slice(0, clock.known + 1);
  const x = byDue ? ages : ages.map((age) => Math.max(1, age));
  const seen = clock.classes.map((one, index) => ({...one, index}));
  const last = x[x.length - 1];
  return {
    id: byDue ? 'waits-due' : 'waits',
    title: 'Still open by age',
    subtitle,
    yName: '% of the class',
    log: false,
    bounds: false,
    zero: true,
    whole: false,
    settled: false,
    empty: 'Nothing is known about waiting yet',
    tickSpace: 36,
    xName: byDue ? 'share of the time until the answer is due' : 'age in rounds',
    scaleX: (left, right) => {
      const ticks = Math.max(2, Math.floor((right - left) / 70));
      return byDue ? linearScale(0, last, [left, right], {ticks, round: false}) :
                     logScale(1, last, [left, right], {ticks});
    },
    xText: (age) => (byDue ? `${significant(age, 3)} of the time` : `${grouped(String(age))} rounds old`),
    yText: (share) => `${significant(share, 3)} %`,
    lines: seen.map((one) => ({
                      name: one.class,
                      index: one.index,
                      x,
                      y: one.open.slice(0, x.length).map((share) => 100 * share),
                      band: null,
                      interval: null,
                      bound: null,
                      exponent: null,
                    })),
  };
}

/** Labels of "late" come later: median 3 d against 9 h of "early". @param {Waiting} waiting */
function byTheClock(waiting) {
  const told = (waiting.seconds ?? []).filter(({labels}) => labels >= FEWEST).sort((a, b) => a.half - b.half);
  if (told.length < 2) return [];
  const [first, last] = [told[0], told[told.length - 1]];
  if (last.half < RATIO * first.half) return [];
  const [late, early] = [ageText(1000 * last.half), ageText(1000 * first.half)];
  return [`labels of "${last.class}" come later: median ${late} against ${early} of "${first.class}"`];
}

/** A sentence each. @param {Waiting} waiting */
export function waitsWords(waiting) {
  const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
  const late = byTheClock(waiting);
  return [...(late.length > 0 ? late : waiting.late), ...waiting.says].map(sentence);
}

/** Open rounds and those given up, by age; ages without any are left out. @param {Waiting} waiting */
export function ageRows(waiting) {
  return waiting.by_age
      .map((one, k) => {
        const to = waiting.by_age[k + 1]?.from;
        const name = to === undefined ? `${grouped(String(one.from))} or more` :
                                        `${grouped(String(one.from))} to ${grouped(String(to - 1))}`;
        return [name, one.open, one.given_up];
      })
      .filter(([, open, givenUp]) => open > 0 || givenUp > 0);
}

/** @param {Waiting} waiting */
function makeAges(waiting) {
  const rows = ageRows(waiting);
  if (rows.length === 0) return null;
  const head = ['Age in rounds', 'Open', 'Given up'].map(
      (text, k) => h('th', {scope: 'col', class: k === 0 ? 'text' : 'number'}, text));
  const cell = (count) => h('td', {class: 'number'}, grouped(String(count)));
  const body =
      rows.map(([name, open, givenUp]) => h('tr', {}, h('th', {scope: 'row'}, name), cell(open), cell(givenUp)));
  const label = 'Open rounds and those given up, by age';
  return h(
      'div', {class: 'table-box ages-box', tabindex: 0, role: 'group', 'aria-label': label},
      h('table', {class: 'results ages'}, h('thead', {}, h('tr', {}, head)), h('tbody', {}, body)));
}

/** A figure of one belief, its classes named below. @param {Clock} clock @param {Theme} theme */
export function makeWaitsFigure(clock, subtitle, theme, width) {
  const picture = drawChart(waitsChart(clock, subtitle), {width, height: 230, titled: false}, theme);
  const names = clock.classes.map((one, index) => {
    const half =
        isNumber(one.half) && clock.ages === 'rounds' ? `, half within ${significant(one.half, 2)} rounds` : '';
    return h(
        'span', {class: 'player'}, swatch(index, theme), `${one.class}: ${grouped(String(one.labels))} labels${half}`);
  });
  return h('div', {class: 'plot waits-plot'}, picture.svg, h('p', {class: 'names note'}, names));
}

/** All of it. @param {Waiting} waiting @param {string} subtitle @param {Theme} theme @param {number} width */
export function makeWaits(waiting, subtitle, theme, width) {
  return [
    ...clocksOf(waiting).map((clock) => makeWaitsFigure(clock, subtitle, theme, width)),
    h('ul', {class: 'waits-words'}, waitsWords(waiting).map((text) => h('li', {}, text))),
    makeAges(waiting),
  ].filter((element) => element !== null);
}
