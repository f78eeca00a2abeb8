// Elements in one expression.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Attributes onto an element: functions become listeners, null and false are left out, true is empty.
 * @template {Element} E
 * @param {E} element @param {Object<string, any>} attributes @param {any[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function')
      element.addEventListener(name, value);
    else
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element: h('button', {type: 'button', click: save}, 'Save'). */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}
