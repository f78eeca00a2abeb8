// JSON as people write it.

/** Two spaces an indent, and lists of plain values or of short lists on one line. @param {any} value */
export function pretty(value) {
  return JSON.stringify(value, null, 2)
      .replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inside) => `[${inside.replace(/\s*\n\s*/g, ' ')}]`)
      .replace(/\[\s+((?:\[[^[\]]*\],?\s*)+)\]/g, (_, inside) => `[${inside.trim().replace(/\s*\n\s*/g, ' ')}]`);
}
