// The pieces of the page around the figures.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {counted, grouped} from '../shared/format.js';
import {distinct, final} from '../shared/lists.js';
import {swatch} from '../shared/palette.js';

import {makeReadingLine} from './reading.js';

/** The title, what came of it, and in one line what was run. @param {?HTMLElement} verdict */
export function makeHeader(data, groups, themeButton, verdict = null) {
  const made = madeText(data.made);
  return h(
      'header', {},
      h('div', {class: 'masthead'}, h('span', {class: 'maker'}, `Tarry ${data.version ?? ''}`), themeButton),
      h('h1', {}, data.title || data.name || 'Untitled run'), data.about ? h('p', {class: 'about'}, data.about) : null,
      verdict, h('p', {class: 'summary'}, `${summaryText(data.runs, groups)}.${made ? ` Made ${made}.` : ''}`),
      explained(data.runs, groups),
      ...(data.readings ?? []).filter((reading) => !reading.columns).map(makeReadingLine));
}

/** What the words of the line above mean, where it has them. @param {Run[]} runs @param {Group[]} groups */
function explained(runs, groups) {
  if (runs.some((run) => run.checkpoints?.time)) return null;  // rows of a table need no explanation
  const seeds = groups.some((group) => group.runs.length > 1);
  const said =
      'A round is one decision and its answer' + (seeds ? '; a seed, one repetition with other random numbers.' : '.');
  return runs.length > 0 ? h('p', {class: 'summary words'}, said) : null;
}

/** 225 runs: 5 learners, 3 streams … @param {Run[]} runs @param {Group[]} groups */
function summaryText(runs, groups) {
  const [streams, delays] = [distinct(runs.map((run) => run.stream)), distinct(runs.map((run) => run.delay))];
  const rounds = distinct(runs.map((run) => run.rounds)).sort((a, b) => a - b);
  const said = [counted(distinct(groups.map((group) => group.name)).length, 'learner')];
  if (streams.length > 1) said.push(counted(streams.length, 'stream'));
  if (delays.length > 1) said.push(counted(delays.length, 'delay'));
  const noun = runs.some((run) => run.checkpoints?.time) ? 'row' : 'round';
  const seeds = Math.max(0, ...groups.map((group) => group.runs.length));
  if (seeds > 1) said.push(counted(seeds, 'seed'));
  if (rounds.length === 1) said.push(counted(rounds[0], noun));
  if (rounds.length > 1) said.push(`${grouped(String(rounds[0]))} to ${counted(final(rounds), noun)}`);
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
