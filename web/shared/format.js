// Numbers as people read them.

import {final} from './lists.js';

export const NONE = '–';  // where there is no number

/** @returns {value is number} */
export function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

/** 1234567.8 → 1,234,567.8, with a true minus sign. @param {string} digits */
export function grouped(digits) {
  const [whole, part] = digits.replace('-', '−').split('.');
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? parted : `${parted}.${part}`;
}

/** 4 → ⁴. @param {number} power */
function superscript(power) {
  return String(power).replace('-', '⁻').replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]);
}

/** 1.2×10⁻⁷. @param {number} value @param {number} digits significant ones */
export function scientific(value, digits) {
  const [mantissa, power] = value.toExponential(digits - 1).split('e');
  return `${mantissa.replace('-', '−')}×10${superscript(Number(power))}`;
}

/** With so many significant digits, but never a rounded whole part. @param {number|null} value */
export function significant(value, digits = 4) {
  if (!isNumber(value)) return NONE;
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e9 || size < 1e-4) return scientific(value, Math.min(digits, 3));
  return grouped(value.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size)))));
}

const ASTRAY = 1e4;  // times the middle of a column

/** How many decimals a column needs so that its middle value shows `digits` significant ones. */
export function decimalsFor(values, digits = 4) {
  const sizes = values.filter(isNumber).map(Math.abs).filter((v) => v > 0).sort((a, b) => a - b);
  if (sizes.length === 0 || values.every((v) => !isNumber(v) || Number.isInteger(v))) return 0;
  const middle = sizes[Math.floor((sizes.length - 1) / 2)];
  const wished = digits - 1 - Math.floor(Math.log10(middle));
  const largest =
      final(sizes.filter((v) => v <= ASTRAY * middle));  // one that went astray does not cost the others theirs
  return Math.max(0, Math.min(6, wished, 5 - Math.floor(Math.log10(largest))));
}

/** With a column's decimals; what would read as nothing is written out. */
export function fixed(value, decimals) {
  if (!isNumber(value)) return NONE;
  const size = Math.abs(value);
  const long = size >= 1e12 || (decimals > 0 && size * 10 ** decimals >= 1e9);
  if (size > 0 && (size < 0.5 * 10 ** -decimals || long)) return scientific(value, 2);
  return grouped(value.toFixed(decimals));
}

/** The unit that suits the largest number of bytes. @returns {{name: string, size: number}} */
export function byteUnit(largest) {
  if (largest >= 2e9) return {name: 'GB', size: 1e9};
  if (largest >= 2e6) return {name: 'MB', size: 1e6};
  if (largest >= 2e3) return {name: 'kB', size: 1e3};
  return {name: 'bytes', size: 1};
}

/** 1680 → 1.68 kB. @param {number|null} value */
export function byteText(value) {
  if (!isNumber(value)) return NONE;
  for (const [name, size] of /** @type {[string, number][]} */ ([['GB', 1e9], ['MB', 1e6], ['kB', 1e3]])) {
    if (value >= size) return `${significant(value / size, 3)} ${name}`;
  }
  return `${Math.round(value)} B`;
}

/** 3, 'seed' → 3 seeds. @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${grouped(String(count))} ${noun}${count === 1 ? '' : 's'}`;
}

/** Cut to a length, with an ellipsis. @param {string} text */
export function shortened(text, length = 26) {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

/** 0.7412 → 0.74. @param {number|null} exponent */
export function exponentText(exponent) {
  return isNumber(exponent) ? grouped(exponent.toFixed(2).replace(/^-(0\.00)$/, '$1')) : NONE;
}
