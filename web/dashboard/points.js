// The history that the service sent: one point for each step of time, of the decisions made in it (how many, how many
// of them are answered by now, their losses) and of what happened in it (feedback, duplicates, updates).

import {isNumber} from '../shared/format.js';

const SUMS = new Set([
  'decisions', 'answered', 'given_up', 'losses', 'loss', 'constant', 'feedback', 'duplicates', 'expired', 'refused',
  'updates', 'update_ms', 'backlog', 'syncs', 'sync_ms', 'rewards', 'reward', 'predicted'
]);

const YOUNGEST = 60000;  // milliseconds that a figure shows at least

export class Points {
  /** @param {any} first the first line of the stream */
  constructor(first) {
    this.columns = first.columns;
    this.step = first.step_ms;
    this.kept = first.kept;
    this.started = first.started;
    this.now = first.at;
    /** @type {Map<number, any[]>} */
    this.byTime = new Map();
    this.take(first);
  }

  /** Points that are new or changed. @param {any} line */
  take(line) {
    this.now = line.at;
    for (const point of line.points ?? []) this.byTime.set(point[0], point);
    const oldest = this.low - this.step;
    for (const at of this.byTime.keys()) {
      if (at < oldest) this.byTime.delete(at);
    }
    this.found = null;
  }

  get low() {
    return this.now - this.kept * this.step;
  }

  /** Where figures begin: a young service does not leave most of the paper empty. */
  get from() {
    return Math.max(this.low, Math.min(this.started, this.now - YOUNGEST));
  }

  /** The steps that are drawn: from the start of the service, or of the range. */
  times() {
    if (this.found) return this.found;
    const start = Math.max(this.low, Math.min(this.started, ...this.byTime.keys()));
    const oldest = (Math.floor(this.now / this.step) - this.kept + 1) * this.step;  // that the service still has
    const from = Math.max(oldest, Math.ceil((start - this.step + 1) / this.step) * this.step);
    this.found = [];
    for (let at = from; at <= this.now; at += this.step) this.found.push(at);
    return this.found;
  }

  /** One quantity at all times: what did not happen is 0, what was not measured again stays. @param {string} name */
  column(name) {
    const k = this.columns.indexOf(name);
    const sum = SUMS.has(name) || name.startsWith('taken');
    let last = null;
    return this.times().map((at) => {
      const value = this.byTime.get(at)?.[k] ?? null;
      if (sum) return value ?? 0;
      if (isNumber(value)) last = value;
      return last;
    });
  }

  /** How much of a step has passed while the service was there, in seconds. */
  seconds() {
    return this.times().map(
        (at) => (Math.min(at + this.step, this.now) - Math.max(at, Math.min(this.started, this.now))) / 1000);
  }

  /** So many a second; nothing yet for a step that has hardly begun. @param {string} name */
  rate(name) {
    const seconds = this.seconds();
    const last = seconds.length - 1;
    const few = (i) => (i > 0 && i === last ? (0.3 * this.step) / 1000 : 0);
    return this.column(name).map((count, i) => (seconds[i] <= few(i) ? null : count / seconds[i]));
  }

  /** One quantity over another; nothing where that is 0. */
  ratio(above, below) {
    const [counts, k] = [this.column(below), this.columns.indexOf(above)];
    const sum = (at) => this.byTime.get(at)?.[k];
    return this.times().map((at, i) => (counts[i] > 0 && isNumber(sum(at)) ? sum(at) / counts[i] : null));
  }

  /** What share of the decisions of each step has its answer, or never will have. */
  closed() {
    const [answered, given] = [this.column('answered'), this.column('given_up')];
    return this.column('decisions')
        .map((count, i) => (count > 0 ? Math.min(1, (answered[i] + given[i]) / count) : null));
  }
}

/** Below this share of answers, what is said of a step may still change. */
export const RIPE = 0.9;

/** How many of the first steps are final. @param {Points} points */
export function ripeSteps(points) {
  const closed = points.closed();
  let count = closed.length;
  while (count > 0 && (closed[count - 1] === null || closed[count - 1] < RIPE)) --count;
  return closed.every((share) => share === null) ? closed.length : count;
}
