// What the learners of a run knew about waiting at its end, and their mean predictions beside the mean outcome.

import {h} from '../shared/dom.js';
import {significant} from '../shared/format.js';
import {swatch} from '../shared/palette.js';
import {clocksOf, makeWaits} from '../shared/waits.js';

/** The first run that knows something: seeds of one learner differ little. @param {Group} group */
function knowing(group) {
  return group.runs.find((run) => clocksOf(run.waiting).length > 0);
}

/** Sums over the seeds. @param {Group} group @param {'mean'|'later_mean'} which */
function meansOf(group, which) {
  const told = group.runs.map((run) => run[which]).filter(Boolean);
  const sum = (key) => told.reduce((all, one) => all + one[key], 0);
  return told.length === 0 ? null :
                             {predicted: sum('predicted') / sum('rounds'), outcome: sum('outcome') / sum('rounds')};
}

/** @param {Group[]} groups @param {Theme} theme */
function makeMeans(groups, theme) {
  const rows = groups.map((group) => ({group, all: meansOf(group, 'mean'), later: meansOf(group, 'later_mean')}))
                   .filter(({all}) => all !== null);
  if (rows.length === 0) return null;
  const heads = ['Learner', 'Prediction', 'Outcome', 'Prediction, second half', 'Outcome, second half'];
  const head = heads.map((text, k) => h('th', {scope: 'col', class: k === 0 ? 'text' : 'number'}, text));
  const cells = (mean) => [mean?.predicted, mean?.outcome].map(
      (value) => h('td', {class: 'number'}, significant(value ?? null, 3)));
  const body = rows.map(
      ({group, all, later}) =>
          h('tr', {}, h('th', {scope: 'row'}, h('span', {class: 'player'}, swatch(group.index, theme), group.name)),
            ...cells(all), ...cells(later)));
  return h(
      'div', {class: 'table-box', tabindex: 0, role: 'group', 'aria-label': 'Mean prediction beside mean outcome'},
      h('table', {class: 'results means'}, h('caption', {}, 'Mean prediction beside mean outcome'),
        h('thead', {}, h('tr', {}, head)), h('tbody', {}, body)));
}

/** @param {Group[]} groups of one stream and delay @param {Theme} theme @param {number} width */
export function makeWaiting(groups, theme, width) {
  const group = groups.find((one) => knowing(one));
  if (!group) return [];
  const {waiting} = knowing(group);
  const seed = group.runs.length > 1 ? ` (seed ${knowing(group).seed})` : '';
  return [
    h('h2', {}, 'What is known about waiting'),
    h('p', {class: 'note'},
      `By ${group.name}${seed}, at the end: the share of each class that is still open, by age. ` +
          'A round is one row, from its prediction to its label.'),
    ...makeWaits(waiting, group.name, theme, width),
    makeMeans(groups, theme),
  ].filter((element) => element !== null);
}
