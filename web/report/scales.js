// From values to pixels, with ticks at 1, 2 and 5 times a power of ten, or at powers of ten.

/**
 * @typedef {{value: number, text: string, power?: number}} Tick  with `power`, the label is text to that power
 * @typedef {{log: boolean, low: number, high: number, ticks: Tick[], minor: number[],
 *            at: (value: number) => number, clamped: (value: number) => number, value: (pixel: number) => number}} Scale
 *   `at` is NaN where there is no place for the value; `clamped` moves it to the nearer end
 */

/** The smallest of 1, 2, 5 × 10^k that is not below a step. @param {number} step */
function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].map((m) => m * power).find((nice) => nice >= step * (1 - 1e-9)) ?? 10 * power;
}

/** A tick's label: 20 000, 0.05, and 2 M from a million on. @param {number} value @param {number} step */
function tickText(value, step) {
  if (value === 0) return '0';
  if (step >= 1e15 || step < 1e-6) return scientific(value, 2);
  for (const [name, size] of /** @type {[string, number][]} */ ([[' T', 1e12], [' G', 1e9], [' M', 1e6]])) {
    if (step >= size / 10 && Math.abs(value) >= size / 2) return grouped(String(Number((value / size).toFixed(1)))) + name;
  }
  return grouped(value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));
}

/**
 * @param {number} low @param {number} high @param {[number, number]} pixels
 * @param {{ticks: number, round: boolean, whole?: boolean}} wish about how many ticks; ends rounded to ticks; whole steps
 * @returns {Scale}
 */
function linearScale(low, high, pixels, wish) {
  if (!(high > low)) [low, high] = low === 0 ? [0, 1] : [Math.min(low, 0), Math.max(low, 0)];
  let step = niceStep((high - low) / Math.max(1, wish.ticks));
  if (wish.whole) step = Math.max(1, step);
  if (wish.round) [low, high] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
  const slope = (pixels[1] - pixels[0]) / (high - low);
  const at = (value) => pixels[0] + (value - low) * slope;
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + 1e-9 * step; ++k) {
    ticks.push({ value: k * step, text: tickText(k * step, step) });
  }
  return {
    log: false, low, high, ticks, minor: [], at, value: (pixel) => low + (pixel - pixels[0]) / slope,
    clamped: (value) => at(Math.min(high, Math.max(low, value))),
  };
}

/**
 * @param {number} low positive @param {number} high @param {[number, number]} pixels
 * @param {{ticks: number}} wish
 * @returns {Scale}
 */
function logScale(low, high, pixels, wish) {
  if (!(high > low * 1.05)) [low, high] = [low / 2, high * 2];
  const [from, to] = [Math.log10(low), Math.log10(high)];
  const slope = (pixels[1] - pixels[0]) / (to - from);
  const at = (value) => (value >= low * (1 - 1e-9) ? pixels[0] + (Math.log10(value) - from) * slope : NaN);
  const { ticks, minor } = logTicks(low, high, wish.ticks);
  return {
    log: true, low, high, ticks, minor, at, value: (pixel) => 10 ** (from + (pixel - pixels[0]) / slope),
    clamped: (value) => at(Math.min(high, Math.max(low, value))),
  };
}

/** Powers of ten where at least two fit, otherwise plain numbers. */
function logTicks(low, high, most) {
  const inside = (value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = [];
  for (let k = first; k <= last; ++k) if (inside(10 ** k)) powers.push(k);
  if (powers.length >= 2) {
    const stride = Math.max(1, Math.ceil(powers.length / Math.max(2, most)));
    const ticks = powers.filter((k) => k % stride === 0).map((k) => ({ value: 10 ** k, text: '10', power: k }));
    const minor = [];
    if (stride === 1) for (let k = first; k <= last; ++k) for (let m = 2; m < 10; ++m) if (inside(m * 10 ** k)) minor.push(m * 10 ** k);
    return { ticks, minor };
  }
  const ticks = [];
  for (let k = first; k <= last; ++k) {
    for (const m of [1, 2, 5]) if (inside(m * 10 ** k)) ticks.push({ value: m * 10 ** k, text: tickText(m * 10 ** k, 10 ** k) });
  }
  if (ticks.length >= 2) return { ticks, minor: [] };
  const { ticks: plain } = linearScale(low, high, [0, 1], { ticks: Math.max(2, most - 1), round: false });
  return { ticks: plain, minor: [] };
}
