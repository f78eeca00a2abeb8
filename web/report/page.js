// The pieces of the page around the figures.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {counted, grouped} from '../shared/format.js';
import {distinct, final} from '../shared/lists.js';
import {swatch} from '../shared/palette.js';
import {ageText} from '../shared/times.js';

/** The title, and in one line what was run. */
export function makeHeader(data, groups, themeButton) {
  const made = madeText(data.made);
  return h(
      'header', {},
      h('div', {class: 'masthead'}, h('span', {class: 'maker'}, `Tarry ${data.version ?? ''}`), themeButton),
      h('h1', {}, data.name || 'Untitled run'), data.about ? h('p', {class: 'about'}, data.about) : null,
      h('p', {class: 'summary'}, `${summaryText(data.runs, groups)}.${made ? ` Made ${made}.` : ''}`),
      ...(data.readings ?? []).flatMap(makeReading));
}

/**
 * @typedef {{label: string, labels: number, seconds: {half: number, nine_in_ten: number, longest: number}}} ClassWaits
 * What was inferred from a stream's data.
 * @param {{stream: string, read_as: string[], by_class?: ClassWaits[]}} reading
 */
function makeReading(reading) {
  return [
    h('p', {class: 'reading'}, h('b', {}, reading.stream), ` read as ${reading.read_as.join('; ')}.`),
    ...(reading.by_class ? [makeClassWaits(reading.by_class)] : [])
  ];
}

/** How late labels are, class by class. @param {ClassWaits[]} classes */
function makeClassWaits(classes) {
  const heads = ['Label', 'Came', 'Half within', '9 in 10 within', 'Longest'];
  const head = heads.map((text, k) => h('th', {scope: 'col', class: k === 0 ? 'text' : 'number'}, text));
  const cell = (text) => h('td', {class: 'number'}, text);
  const makeRow = ({label, labels, seconds}) =>
      h('tr', {}, h('th', {scope: 'row'}, label), cell(grouped(String(labels))),
        ...[seconds.half, seconds.nine_in_ten, seconds.longest].map((wait) => cell(ageText(1000 * wait))));
  return h(
      'table', {class: 'by-class'}, h('caption', {}, 'How late labels are, by class'),
      h('thead', {}, h('tr', {}, head)), h('tbody', {}, classes.map(makeRow)));
}

/** 225 runs: 5 learners, 3 streams … @param {Run[]} runs @param {Group[]} groups */
function summaryText(runs, groups) {
  const [streams, delays] = [distinct(runs.map((run) => run.stream)), distinct(runs.map((run) => run.delay))];
  const rounds = distinct(runs.map((run) => run.rounds)).sort((a, b) => a - b);
  const said = [counted(distinct(groups.map((group) => group.name)).length, 'learner')];
  if (streams.length > 1) said.push(counted(streams.length, 'stream'));
  if (delays.length > 1) said.push(counted(delays.length, 'delay'));
  said.push(counted(Math.max(0, ...groups.map((group) => group.runs.length)), 'seed'));
  if (rounds.length === 1) said.push(counted(rounds[0], 'round'));
  if (rounds.length > 1) said.push(`${grouped(String(rounds[0]))} to ${counted(final(rounds), 'round')}`);
  if (streams.length === 1) said.push(`on ${streams[0]}`);
  if (delays.length === 1) said.push(`delay: ${delays[0]}`);
  return `${counted(runs.length, 'run')}: ${said.join(', ')}`;
}

/** @param {string|undefined} made */
function madeText(made) {
  const when = new Date(made ?? NaN);
  if (Number.isNaN(when.getTime())) return null;
  return `${when.toLocaleString('en-GB', {dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC'})} UTC`;
}

const AXES = {
  linear: 'Linear',
  logy: 'Log',
  log: 'Log–log'
};

/** Buttons of which one is pressed. @param {Axes[]} all @param {Axes} now @param {(axes: Axes) => void} choose */
export function makeScaleSwitch(all, now, choose) {
  const button = (axes) => makeButton(
      AXES[axes], () => choose(axes), {class: null, 'aria-pressed': String(now === axes), 'data-scale': axes});
  const buttons = all.map(button);
  return h('div', {class: 'switch', role: 'group', 'aria-label': 'Axes'}, buttons);
}

/** One button for each learner; pressed means drawn. @param {Set<string>} hidden @param {() => void} change */
export function makeLegend(groups, hidden, theme, change) {
  const others = (name) => groups.map((group) => group.name).filter((other) => other !== name);
  const alone = (name) => !hidden.has(name) && others(name).every((other) => hidden.has(other));
  const toggle = (name) => hidden.delete(name) || hidden.add(name);
  const only = (name) => {
    const hide = alone(name) ? [] : others(name);
    hidden.clear();
    hide.forEach((other) => hidden.add(other));
  };
  const chip = ({name, index}) => {
    const click = (event) => {
      (event.shiftKey ? only : toggle)(name);
      change();
    };
    const title = `${name}: click to show or hide, Shift-click to see it alone`;
    const pressed = String(!hidden.has(name));
    const attributes = {type: 'button', class: 'chip', 'aria-pressed': pressed, 'data-learner': name, title, click};
    return h('button', attributes, swatch(index, theme), h('span', {}, name));
  };
  const showAll = () => {
    hidden.clear();
    change();
  };
  return [...groups.map(chip), makeButton('Show all', showAll, {hidden: hidden.size === 0})];
}

/** The specification as it was given. @param {string|undefined} text */
export function makeSpec(text) {
  if (!text) return null;
  const code = h('pre', {tabindex: 0}, h('code', {}, text));
  return h('details', {class: 'spec'}, h('summary', {}, 'Specification'), code);
}
