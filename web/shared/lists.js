// Lists: what is in them, and their ends.

/** @template T @param {T[]} values @returns {T[]} in order of first appearance */
export function distinct(values) {
  return [...new Set(values)];
}

/** Of a list that may be too long to be a call's arguments. @param {number[]} values */
export function largest(values) {
  return values.reduce((most, v) => Math.max(most, v), -Infinity);
}

export function smallest(values) {
  return values.reduce((least, v) => Math.min(least, v), Infinity);
}

/** The last of a list. @template T @param {T[]} list */
export function final(list) {
  return list[list.length - 1];
}
