// What is wrong with a model, since when, and the part of its page to look at.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';
import {dayAndClockText} from '../shared/times.js';

/** @typedef {{what: 'overdue'|'worse'|'miscalibrated', since: number, look: string}} Trouble */

/** In a few words, by what is wrong; `changed` is told by the list of changes. */
export const TROUBLES = {
  changed: 'changed',
  overdue: 'labels overdue',
  worse: 'worse than a constant',
  miscalibrated: 'probabilities off',
};

const PLACES = {
  overdue: {text: 'rounds that have waited longest', ids: ['waiting']},
  worse: {text: 'losses by the time of the decision', ids: ['expected', 'loss']},
  miscalibrated: {text: 'how often predictions come true', ids: ['reliability', 'calibration']},
};

/** The first part of the page that is there and shown. @param {string[]} ids */
function shown(ids) {
  return ids.map((id) => document.getElementById(id)).find((one) => one?.offsetParent);
}

/** @param {Trouble[]} troubles @param {string} zone */
export function makeTroubles(troubles, zone) {
  return troubles.map(({what, since}) => {
    const {text, ids} = PLACES[what];
    const time = h('time', {datetime: new Date(since).toISOString()}, dayAndClockText(since, zone));
    const go = () => shown(ids)?.scrollIntoView({block: 'start'});
    return h(
        'li', {'data-what': what}, h('strong', {}, TROUBLES[what]), ' since ', time, ': ',
        makeButton(text, go, {class: 'link'}));
  });
}
