// What the table says of a group of runs: its numbers, and the columns that print them.

import {byteText, decimalsFor, exponentText, fixed, grouped, isNumber} from '../shared/format.js';
import {distinct, largest} from '../shared/lists.js';

import {lastOf, meanAndSpread} from './data.js';
import {metricName, metricsOf} from './figures.js';

/**
 * @typedef {{name: string, unit?: string, about: string, number: boolean, after?: boolean, quiet?: boolean,
 *            text: (row: Row) => string, order: (row: Row) => any}} Column
 *   after: belongs to the column before it; quiet: printed lighter
 * @typedef {{group: Group, numbers: Object<string, ?number>}} Row  metrics are under `metric NAME`
 */

/** @param {Group} group @returns {Row} */
export function tableRow(group) {
  const {runs} = group;
  const over = (pick) => meanAndSpread(runs.map(pick));
  const end = (key) => over((run) => lastOf(run.checkpoints[key]));
  const perRound = (pick) =>
      over((run) => (isNumber(pick(run)) && run.rounds > 0 ? pick(run) / run.rounds : null)).mean;
  const [high, bound] = [end('regret_high'), end('bound').mean];
  const numbers = {
    seeds: runs.length,
    rounds: largest(runs.map((run) => run.rounds)),
    loss: end('loss').mean,
    low: end('regret_low').mean,
    high: high.mean,
    spread: high.spread,
    bound,
    share: isNumber(high.mean) && bound > 0 ? (100 * high.mean) / bound : null,
    exponent: group.exponent,
    time: perRound((run) => (isNumber(run.seconds) ? 1e6 * run.seconds : null)),
    calls: perRound((run) => run.oracle_calls),
    state: over((run) => run.state_bytes).mean,
  };
  for (const metric of metricsOf([group]).filter((name) => name !== 'loss')) {
    numbers[`metric ${metric}`] = over((run) => lastOf(run.checkpoints.metrics?.[metric])).mean;
  }
  return {group, numbers};
}

/** @returns {Column} */
function wordColumn(name, about, pick) {
  return {name, about, number: false, text: pick, order: (row) => pick(row).toLowerCase()};
}

/**
 * A column of numbers, printed with the decimals that suit it; none where no row has the number.
 * @param {Row[]} rows @param {string} key @returns {Column[]}
 */
function numberColumn(rows, key, name, about, more = {}) {
  const values = rows.map((row) => row.numbers[key]);
  if (!values.some(isNumber)) return [];
  const decimals = more.decimals ?? decimalsFor(values, more.digits);
  const print = more.print ?? ((value) => fixed(value, decimals));
  return [
    {name, about, number: true, order: (row) => row.numbers[key], text: (row) => print(row.numbers[key]), ...more}
  ];
}

/** RMSE rather than root mean squared error. @param {string} metric */
export function metricHeading(metric) {
  if (['rmse', 'mae', 'auc', 'dr', 'ips', 'snips'].includes(metric)) return metric.toUpperCase();
  const words = metric.replace(/_/g, ' ');
  return words[0].toUpperCase() + words.slice(1);
}

/** The regret, its bound and its growth. @param {Row[]} rows @returns {Column[]} */
function regretColumns(rows) {
  if (!rows.some((row) => isNumber(row.numbers.high))) return [];  // a bound of nothing says nothing
  const decimals = decimalsFor(rows.map((row) => row.numbers.high));
  const apart = ({low, high}) => isNumber(low) && isNumber(high) && high - low > 1e-3 * Math.abs(high);
  const wide = rows.some((row) => apart(row.numbers));
  const spread = (value) => (isNumber(value) ? `± ${grouped(value.toFixed(decimals))}` : '');
  const share = (value) => (value > 0 && value < 0.05 ? '< 0.1' : fixed(value, 1));
  const upper = wide ? ['to', 'Upper end of the interval that holds the regret'] :
                       ['Regret', 'Loss beyond that of the best fixed decision'];
  const lower = ['Regret from', 'Lower end of the interval that holds the regret'];
  return [
    ...(wide ? numberColumn(rows, 'low', ...lower, {decimals}) : []),
    ...numberColumn(rows, 'high', ...upper, {decimals, after: wide}),
    ...numberColumn(
        rows, 'spread', '± sd', 'Standard deviation of the regret over the seeds',
        {print: spread, after: true, quiet: true}),
    ...numberColumn(rows, 'bound', 'Bound', 'What the theorem allows'),
    ...numberColumn(
        rows, 'share', 'of bound', 'Regret as a share of its bound',
        {unit: '%', print: share, after: true, quiet: true}),
    ...numberColumn(
        rows, 'exponent', 'Exponent', 'The regret grows like T to this power over the last half of the checkpoints',
        {print: exponentText}),
  ];
}

/** @param {Row[]} rows */
function callsColumn(rows) {
  return numberColumn(rows, 'calls', 'Calls', 'Calls of the set\'s oracle a round', {unit: 'a round', digits: 3});
}

/** The columns that say something here. @param {Row[]} rows @returns {Column[]} */
export function tableColumns(rows) {
  const differ = (pick) => distinct(rows.map(pick)).length > 1;
  const metrics = distinct(rows.flatMap((row) => Object.keys(row.numbers)))
                      .filter((key) => key.startsWith('metric '))
                      .map((key) => key.slice('metric '.length));
  const columns = [wordColumn('Learner', 'The algorithm', (row) => row.group.name)];
  if (differ((row) => row.group.stream)) columns.push(wordColumn('Stream', 'What it met', (row) => row.group.stream));
  if (differ((row) => row.group.delay))
    columns.push(wordColumn('Delay', 'How late answers came', (row) => row.group.delay));
  if (rows.some((row) => row.numbers.seeds > 1))
    columns.push(...numberColumn(rows, 'seeds', 'Seeds', 'Runs in the means'));
  if (differ((row) => row.numbers.rounds)) columns.push(...numberColumn(rows, 'rounds', 'Rounds', 'Rounds played'));
  return [
    ...columns,
    ...numberColumn(rows, 'loss', 'Loss', 'Sum of the losses over all rounds'),
    ...regretColumns(rows),
    ...metrics.flatMap((metric) => numberColumn(rows, `metric ${metric}`, metricHeading(metric), metricName(metric))),
    ...numberColumn(rows, 'time', 'µs/round', 'Microseconds a round, mean over the run', {digits: 3}),
    ...(rows.some((row) => row.numbers.calls > 0) ? callsColumn(rows) : []),
    ...numberColumn(rows, 'state', 'State', 'Memory between rounds, at the end', {print: byteText}),
  ];
}
