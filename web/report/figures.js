// The six figures: which numbers each shows, and what it says below.

/**
 * @typedef {{stream: string, delay: string, groups: Group[], metric: string, bounds: boolean}} View  what is chosen now
 * @typedef {{id: string, title: string, wide: boolean, height: number, log: ?boolean,
 *            make: (view: View, log: boolean) => any, caption: (view: View, log: boolean, picture: Picture) => any[]}} Figure
 *   `log`: which axes it starts with; null where there is no choice
 */

const METRICS = {
  rmse: 'root mean squared error', mae: 'mean absolute error', log_loss: 'log loss', accuracy: 'accuracy',
  auc: 'area under the ROC curve', wealth: 'wealth', loss: 'average loss',
};

/** @param {string} name */
function metricName(name) {
  return METRICS[name] ?? name.replaceAll('_', ' ');
}

/** The metrics that these runs have; the average loss always. @param {Group[]} groups */
function metricsOf(groups) {
  const found = distinct(groups.flatMap((group) => group.runs.flatMap((run) => Object.keys(run.checkpoints.metrics ?? {}))));
  const known = Object.keys(METRICS).filter((name) => found.includes(name));
  return [...known, ...found.filter((name) => !(name in METRICS)), 'loss'];
}

/** @param {Run} run @param {string} metric */
function metricValues(run, metric) {
  return metric === 'loss' ? averageLoss(run) : run.checkpoints.metrics?.[metric] ?? null;
}

/** One line for each group that recorded the quantity. @param {View} view @param {(run: Run) => ?number[]} pick @returns {Line[]} */
function linesOf(view, pick) {
  return view.groups.flatMap((group) => {
    const curve = curveOf(group, pick);
    if (!curve) return [];
    const band = curve.count > 1 ? { low: curve.low, high: curve.high } : null;
    return [{ name: group.name, index: group.index, x: curve.x, y: curve.mean, band, interval: null, bound: null, exponent: null }];
  });
}

/** The regret's lines: the upper end, with the lower one where they differ. @param {View} view @returns {Line[]} */
function regretLines(view) {
  return view.groups.flatMap((group) => {
    const high = curveOf(group, (run) => run.checkpoints.regret_high);
    if (!high) return [];
    const low = curveOf(group, (run) => run.checkpoints.regret_low);
    const bound = curveOf(group, (run) => run.checkpoints.bound);
    const along = (curve, side) => (curve ? high.x.map((round) => curve[side][curve.x.indexOf(round)] ?? null) : null);
    const lower = along(low, 'mean');
    const size = largest(high.mean.filter(isNumber).map(Math.abs));
    const wide = !!lower && high.mean.some((v, i) => isNumber(v) && isNumber(lower[i]) && v - lower[i] > 1e-3 * size);
    const band = high.count > 1 ? { low: wide ? along(low, 'low') : high.low, high: high.high } : null;
    return [{
      name: group.name, index: group.index, x: high.x, y: high.mean, band, interval: wide ? lower : null,
      bound: along(bound, 'mean'), exponent: fittedExponent(high.x, high.mean),
    }];
  });
}

/** What the bands are, in words. @param {View} view */
function bandText(view) {
  const seeds = Math.max(1, ...view.groups.map((group) => group.runs.length));
  if (seeds === 1) return 'One seed.';
  return `Mean over ${seeds} seeds; the band spans ${seeds >= SEEDS_FOR_TENTHS ? 'the middle 80 %' : 'all of them'}.`;
}

/** A line figure without anything of its own. */
function plainChart(view, id, title, yName, log, pick, more = {}) {
  const lines = linesOf(view, pick);
  const empty = view.groups.length === 0 ? 'No learner is switched on'
    : lines.length === 0 ? 'Not recorded for this stream' : 'No positive values to draw on logarithmic axes';
  return { id, title, subtitle: `${view.stream}, delay: ${view.delay}`, yName, log, bounds: false, zero: true, whole: false, settled: false, lines, empty, ...more };
}

function regretChart(view, log) {
  const lines = regretLines(view);
  const empty = view.groups.length === 0 ? 'No learner is switched on'
    : lines.length === 0 ? 'No regret was recorded for this stream' : 'No positive regret to draw on logarithmic axes';
  return { ...plainChart(view, 'regret', 'Regret over rounds', 'regret', log, () => null), lines, empty, bounds: view.bounds };
}

/** The finding in one sentence. @param {Line[]} lines */
function leastRegret(lines) {
  const ends = lines.map((line) => ({ line, round: line.x.at(-1), end: line.y.at(-1), bound: line.bound?.at(-1) })).filter(({ end }) => isNumber(end));
  if (ends.length < 2) return null;
  const { line, round, end, bound } = ends.reduce((best, other) => (other.end < best.end ? other : best));
  const share = isNumber(bound) && bound > 0 && end > 0 ? `, ${significant((100 * end) / bound, 2)} % of its bound` : '';
  return `After ${counted(round, 'round')}, ${line.name} has the least regret: ${significant(end, 3)}${share}.`;
}

function regretCaption(view, log, picture) {
  const lines = regretLines(view);
  if (lines.length === 0) return [];
  const said = [bandText(view)];
  const best = leastRegret(lines);
  if (best) said.unshift(best);
  if (lines.some((line) => line.interval)) {
    said.push('Where the best fixed decision is known only within limits, the regret is the darker strip and the line its upper end.');
  }
  if (view.bounds && lines.some((line) => drawable(line.bound, log))) said.push('Dashed: the proven bound.');
  if (!log) return [said.join(' ')];
  const none = lines.filter((line) => !drawable(line.y, true)).map((line) => line.name);
  if (none.length > 0 && none.length < lines.length) said.push(`No positive regret to draw: ${none.join(', ')}.`);
  const fitted = lines.filter((line) => isNumber(line.exponent));
  if (fitted.length > 0) said.push('T to a power: the growth fitted over the last half of the checkpoints.');
  if (fitted.length === 0 || picture.ended) return [said.join(' ')];
  const parts = fitted.flatMap((line, k) => [k ? ' · ' : ' ', h('span', { class: 'fit' }, `${shortened(line.name)} T`, h('sup', {}, exponentText(line.exponent)))]);
  return [said.join(' '), ...parts, '.'];
}

/** The delays of the chosen runs, summed. @param {View} view */
function delayTotals(view) {
  const all = view.groups.flatMap((group) => group.runs).map((run) => run.delays).filter((delays) => delays);
  const counts = Array(Math.max(0, ...all.map((delays) => delays.histogram.length))).fill(0);
  for (const delays of all) delays.histogram.forEach((count, k) => { counts[k] += count; });
  while (counts.length && counts.at(-1) === 0) counts.pop();
  return { all, counts };
}

function delayCaption(view) {
  const { all } = delayTotals(view);
  if (all.length === 0) return [];
  const most = (key) => Math.max(...all.map((delays) => delays[key]));
  const total = (key) => all.reduce((sum, delays) => sum + delays[key], 0);
  const lost = total('lost');
  const share = lost ? `, ${significant((100 * lost) / (lost + total('answered')), 2)} % never answered` : ', none lost';
  return [`Mean ${significant(meanAndSpread(all.map((delays) => delays.mean)).mean, 3)} rounds, longest ${grouped(String(most('largest')))}${share}.`];
}

/** @type {Figure[]} */
const FIGURES = [
  { id: 'regret', title: 'Regret over rounds', wide: true, height: 420, log: true, make: regretChart, caption: regretCaption },
  {
    id: 'metric', title: 'Quality over rounds', wide: true, height: 340, log: false,
    make: (view, log) => plainChart(view, 'metric', `${metricName(view.metric)[0].toUpperCase()}${metricName(view.metric).slice(1)} over rounds`,
      metricName(view.metric), log, (run) => metricValues(run, view.metric), { zero: false, settled: true }),
    caption: (view, log, picture) => [bandText(view) + (picture.cut ? ' The first rounds lie beyond the paper.' : '')],
  },
  {
    id: 'delays', title: 'Delays', wide: false, height: 280, log: null,
    make: (view) => ({
      title: 'Delays', subtitle: `${view.stream}, delay: ${view.delay}`, counts: delayTotals(view).counts,
      empty: view.groups.length ? 'No answer came' : 'No learner is switched on',
    }),
    caption: delayCaption,
  },
  {
    id: 'outstanding', title: 'Rounds waiting for an answer', wide: false, height: 280, log: false,
    make: (view, log) => plainChart(view, 'outstanding', 'Rounds waiting for an answer', 'outstanding rounds', log, (run) => run.checkpoints.outstanding),
    caption: (view) => {
      const most = view.groups.flatMap((group) => group.runs).map((run) => run.delays?.most_outstanding).filter(isNumber);
      return most.length ? [`At most ${grouped(String(Math.max(...most)))} at once.`] : [];
    },
  },
  {
    id: 'time', title: 'Time a round', wide: false, height: 280, log: true,
    make: (view, log) => plainChart(view, 'time', 'Time a round', 'time (µs)', log, microseconds),
    caption: () => ['Average since the checkpoint before.'],
  },
  {
    id: 'memory', title: 'Memory', wide: false, height: 280, log: false,
    make: (view, log) => {
      const most = largest(view.groups.flatMap((group) => group.runs).flatMap((run) => run.checkpoints.state_bytes ?? []).filter(isNumber));
      const unit = byteUnit(most);
      return plainChart(view, 'memory', 'Memory', `state (${unit.name})`, log,
        (run) => run.checkpoints.state_bytes?.map((v) => (isNumber(v) ? v / unit.size : null)) ?? null);
    },
    caption: () => ['What the learner and its ledger keep between rounds.'],
  },
];
