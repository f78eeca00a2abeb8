// What has changed about a model's decisions and labels: a line for each alarm, newest first.

import {h} from '../shared/dom.js';
import {counted} from '../shared/format.js';
import {ageText, dayAndClockText} from '../shared/times.js';

/**
 * @typedef {{number: number, kind: string, column: string, since: number, raised: number, over: ?number, text: string,
 *            look: string}} Alarm
 * @typedef {{learns_until: number, features: number, alarms: Alarm[]}} Drift
 */

/** What is watched, in words. @param {Drift} drift @param {number} now @param {string} zone */
export function driftWords(drift, now, zone) {
  const what = `${counted(drift.features, 'feature')}, predictions, and how labels come`;
  if (now < drift.learns_until)
    return `Learning what is usual, hour by hour of a week, for ${what}: until ${
        dayAndClockText(drift.learns_until, zone)}.`;
  return `Compared with the same hours of recent weeks: ${what}. At most one false alarm a year is expected.`;
}

/** @param {Drift} drift @param {number} now @param {string} zone @param {(alarm: number) => string} addressOf */
export function makeDrift(drift, now, zone, addressOf) {
  const time = (ms) => h('time', {datetime: new Date(ms).toISOString()}, dayAndClockText(ms, zone));
  const line = (alarm) => {
    const lasts = alarm.over === null;
    return h(
        'li', {class: 'alarm', 'data-lasts': String(lasts), 'data-kind': alarm.kind}, h('strong', {}, `${alarm.text}.`),
        ' ',
        h('span', {class: 'quiet'}, 'Since ', time(alarm.since),
          `, noticed after ${ageText(alarm.raised - alarm.since)}`,
          lasts ? '.' : [', over since ', time(alarm.over), '.']),
        lasts ? ` ${alarm.look}` : '', ' ', h('a', {href: addressOf(alarm.number)}, 'Rounds behind it'));
  };
  return [
    drift.alarms.length > 0 ? h('ul', {class: 'alarms'}, drift.alarms.map(line)) : null,
    h('p', {class: 'note'}, driftWords(drift, now, zone)),
  ].filter((element) => element !== null);
}

/** For a file. @param {Drift} drift */
export function driftRows(drift) {
  const utc = (ms) => (ms ? new Date(ms).toISOString() : '');
  return [
    ['kind', 'column', 'since (UTC)', 'noticed (UTC)', 'over (UTC)', 'text'],
    ...drift.alarms.map(
        ({kind, column, since, raised, over, text}) => [kind, column, utc(since), utc(raised), utc(over), text]),
  ];
}
