// The exponent of a growing quantity: the slope of log value against log round.

/**
 * Least squares over the last half of the checkpoints with a positive value; null with fewer than three.
 * @param {number[]} x @param {(number|null)[]} y
 * @returns {number|null}
 */
function fittedExponent(x, y) {
  const positive =
      x.map((round, i) => [round, y[i]]).filter(([round, value]) => round > 0 && isNumber(value) && value > 0);
  const points =
      positive.slice(Math.floor(positive.length / 2)).map(([round, value]) => [Math.log(round), Math.log(value)]);
  if (points.length < 3) return null;
  const mean = (k) => points.reduce((sum, point) => sum + point[k], 0) / points.length;
  const [mx, my] = [mean(0), mean(1)];
  const sxx = points.reduce((sum, [px]) => sum + (px - mx) ** 2, 0);
  const sxy = points.reduce((sum, [px, py]) => sum + (px - mx) * (py - my), 0);
  return sxx > 0 ? sxy / sxx : null;
}

/** 0.7412 → 0.74. @param {number|null} exponent */
function exponentText(exponent) {
  return isNumber(exponent) ? grouped(exponent.toFixed(2).replace(/^-(0\.00)$/, '$1')) : NONE;
}
