// Every learner on every stream under every delay, in numbers; a click on a heading sorts.

/**
 * @typedef {{name: string, unit?: string, about: string, number: boolean, after?: boolean, quiet?: boolean,
 *            text: (row: Row) => any, order: (row: Row) => any}} Column
 *   `after`: belongs to the column before it; `quiet`: printed lighter
 * @typedef {{group: Group, numbers: Object<string, ?number>}} Row
 */

/** @param {Group} group @returns {Row} */
function tableRow(group) {
  const { runs } = group;
  const ends = (pick) => meanAndSpread(runs.map((run) => pick(run)));
  const high = ends((run) => lastOf(run.checkpoints.regret_high));
  const curve = curveOf(group, (run) => run.checkpoints.regret_high);
  const numbers = {
    seeds: runs.length, rounds: Math.max(...runs.map((run) => run.rounds)),
    loss: ends((run) => lastOf(run.checkpoints.loss)).mean,
    low: ends((run) => lastOf(run.checkpoints.regret_low)).mean,
    high: high.mean, spread: high.spread,
    bound: ends((run) => lastOf(run.checkpoints.bound)).mean,
    ratio: null,
    exponent: curve ? fittedExponent(curve.x, curve.mean) : null,
    time: ends((run) => (isNumber(run.seconds) && run.rounds ? (1e6 * run.seconds) / run.rounds : null)).mean,
    calls: ends((run) => (isNumber(run.oracle_calls) && run.rounds ? run.oracle_calls / run.rounds : null)).mean,
    state: ends((run) => run.state_bytes).mean,
  };
  if (isNumber(numbers.high) && isNumber(numbers.bound) && numbers.bound > 0) numbers.ratio = numbers.high / numbers.bound;
  for (const metric of metricsOf([group])) {
    if (metric !== 'loss') numbers[`metric ${metric}`] = ends((run) => lastOf(run.checkpoints.metrics?.[metric])).mean;
  }
  return { group, numbers };
}

/** The columns that say something here. @param {Row[]} rows @returns {Column[]} */
function tableColumns(rows) {
  const words = (name, about, pick) => ({ name, about, number: false, text: pick, order: (row) => pick(row).toLowerCase() });
  const several = (key) => distinct(rows.map((row) => row.group[key])).length > 1;
  const has = (key) => rows.some((row) => isNumber(row.numbers[key]));
  const number = (key, name, about, more = {}) => {
    const decimals = decimalsFor(rows.map((row) => row.numbers[key]), more.digits ?? 4);
    return has(key) ? [{ name, about, number: true, order: (row) => row.numbers[key], text: (row) => fixed(row.numbers[key], decimals), ...more }] : [];
  };
  const wide = rows.some(({ numbers: { low, high } }) => isNumber(low) && isNumber(high) && high - low > 1e-3 * Math.abs(high));
  const same = decimalsFor(rows.map((row) => row.numbers.high));
  const metrics = distinct(rows.flatMap((row) => Object.keys(row.numbers))).filter((key) => key.startsWith('metric '));
  const short = (name) => ({ rmse: 'RMSE', mae: 'MAE', auc: 'AUC', log_loss: 'Log loss' }[name] ?? name[0].toUpperCase() + name.slice(1).replaceAll('_', ' '));
  return [
    words('Learner', 'The algorithm', (row) => row.group.name),
    ...(several('stream') ? [words('Stream', 'What it met', (row) => row.group.stream)] : []),
    ...(several('delay') ? [words('Delay', 'How late answers came', (row) => row.group.delay)] : []),
    ...(rows.some((row) => row.numbers.seeds > 1) ? number('seeds', 'Seeds', 'Runs that the means are over') : []),
    ...(distinct(rows.map((row) => row.numbers.rounds)).length > 1 ? number('rounds', 'Rounds', 'Rounds played') : []),
    ...number('loss', 'Loss', 'Sum of the losses over all rounds'),
    ...(wide ? number('low', 'Regret from', 'Lower end of the interval that holds the regret', { text: (row) => fixed(row.numbers.low, same) }) : []),
    ...number('high', wide ? 'to' : 'Regret', wide ? 'Upper end of the interval that holds the regret' : 'Loss beyond that of the best fixed decision', { after: wide }),
    ...number('spread', '± sd', 'Standard deviation of the regret over the seeds', { after: true, quiet: true, text: (row) => (isNumber(row.numbers.spread) ? `± ${fixed(row.numbers.spread, same)}` : '') }),
    ...number('bound', 'Bound', 'What the theorem allows'),
    ...number('ratio', 'of bound', 'Regret as a share of its bound', { unit: '%', after: true, quiet: true, text: (row) => (isNumber(row.numbers.ratio) ? `${fixed(100 * row.numbers.ratio, 1)}` : NONE) }),
    ...number('exponent', 'Exponent', 'Fitted over the last half of the checkpoints: regret grows like T to this power', { text: (row) => exponentText(row.numbers.exponent) }),
    ...metrics.flatMap((key) => number(key, short(key.slice(7)), metricName(key.slice(7)))),
    ...number('time', 'Time', 'Microseconds a round, mean over the run', { unit: 'µs', digits: 3 }),
    ...number('calls', 'Oracle calls', 'Calls of the linear minimisation oracle a round', { unit: 'a round', digits: 3 }),
    ...number('state', 'State', 'What is kept between rounds at the end', { text: (row) => byteText(row.numbers.state) }),
  ];
}

/** @param {Group[]} groups @param {{name: string, up: boolean}} sorted which column, kept by the caller @returns {HTMLElement} */
function makeTable(groups, sorted) {
  const rows = groups.map(tableRow);
  const columns = tableColumns(rows);
  const body = h('tbody');
  const heads = columns.map((column) => h('th', { scope: 'col', class: classesOf(column) },
    h('button', { type: 'button', title: column.about, click: () => sortBy(column) },
      h('span', {}, column.name), column.unit ? h('span', { class: 'unit' }, ` ${column.unit}`) : null)));
  const write = () => {
    const chosen = columns.find((column) => column.name === sorted.name);
    heads.forEach((head, k) => head.setAttribute('aria-sort', columns[k] !== chosen ? 'none' : sorted.up ? 'ascending' : 'descending'));
    body.replaceChildren(...orderedRows(rows, chosen, sorted.up).map((row) => h('tr', {},
      columns.map((column, k) => h(k ? 'td' : 'th', { class: cellClasses(column, column.text(row)), scope: k ? null : 'row' }, column.text(row))))));
  };
  const sortBy = (column) => {
    sorted.up = sorted.name === column.name ? !sorted.up : true;
    sorted.name = column.name;
    write();
  };
  write();
  return h('div', { class: 'table-box', tabindex: 0, role: 'region', 'aria-label': 'All results' },
    h('table', { class: 'results' }, h('thead', {}, h('tr', {}, heads)), body));
}

/** @param {Column} column */
function classesOf(column) {
  return [column.number ? 'number' : 'text', column.after ? 'after' : '', column.quiet ? 'quiet' : ''].filter((name) => name).join(' ');
}

/** Missing numbers are quiet, and short words do not wrap. */
function cellClasses(column, text) {
  const more = text === NONE ? ' none' : !column.number && text.length < 32 ? ' short' : '';
  return classesOf(column) + more;
}

/** What has no number comes last, either way. @param {Row[]} rows @param {Column|undefined} column */
function orderedRows(rows, column, up) {
  if (!column) return rows;
  const missing = (value) => value === null || value === undefined;
  return [...rows].sort((a, b) => {
    const [x, y] = [column.order(a), column.order(b)];
    if (missing(x) || missing(y)) return Number(missing(x)) - Number(missing(y));
    const order = x < y ? -1 : x > y ? 1 : 0;
    return up ? order : -order;
  });
}
