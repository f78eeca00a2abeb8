// Choices and buttons.

import {h} from './dom.js';

/** A labelled choice; nothing where there is only one. @param {(value: string) => void} choose */
export function makeSelect(name, options, value, choose, textOf = (option) => option) {
  const items = options.map((option) => h('option', {value: option, selected: option === value}, textOf(option)));
  const field = h('select', {name: name.toLowerCase(), change: () => choose(field.value)}, items);
  return h('label', {class: 'choice', hidden: options.length < 2}, h('span', {}, name), field);
}

/** @param {string} name @param {string} text @param {(on: boolean) => void} choose */
export function makeCheck(name, text, on, choose) {
  const box = h('input', {type: 'checkbox', name, checked: on, change: () => choose(box.checked)});
  return h('label', {class: 'check'}, box, text);
}

/** @param {string} text @param {() => void} click */
export function makeButton(text, click, attributes = {}) {
  return h('button', {type: 'button', class: 'quiet-button', ...attributes, click}, text);
}

/** New children, with the focus where it was. @param {HTMLElement} parent @param {Node[]} children */
export function refill(parent, children) {
  const focusable = () => [...parent.querySelectorAll('button, select, input')];
  const focused = focusable().indexOf(document.activeElement);
  parent.replaceChildren(...children);
  if (focused >= 0) focusable()[focused]?.focus({preventScroll: true});
}
