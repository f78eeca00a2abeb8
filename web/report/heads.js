// Headings of tables.

import {h} from '../shared/dom.js';

/** One of a column; a column of pictures has none to read. @param {string} text @param {string} kind its class */
export function makeHead(text, kind) {
  return text ? h('th', {scope: 'col', class: kind}, text) : h('td', {class: kind});
}
