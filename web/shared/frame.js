// The frame of a figure.

import {makeButton} from './controls.js';
import {h} from './dom.js';

/** The button that saves a figure. @param {string} title @param {() => void} save */
export function makeSaveButton(title, save, what = 'SVG', short = false) {
  const attributes = {
    class: what === 'SVG' ? 'quiet-button save' : 'quiet-button csv',
    'aria-label': `Save ${what}: ${title}`
  };
  return makeButton(short ? what : `Save ${what}`, save, attributes);
}

/**
 * Its heading, its switches, the plot, the caption.
 * @param {{id: string, title: string, wide: boolean}} figure @param {Node[]} buttons
 */
export function makeFigure(figure, buttons) {
  const named = {
    'aria-labelledby': `${figure.id}-title`,
    'aria-description': 'Left and right arrow keys read the values'
  };
  const title = h('h2', {id: `${figure.id}-title`}, figure.title);
  const switches = h('div', {class: 'switches'});
  const plot = h('div', {class: 'plot', tabindex: 0, role: 'group', ...named});
  const tip = h('div', {class: 'tip', role: 'status', hidden: true});
  const caption = h('figcaption', {});
  const element =
      h('figure', {id: figure.id, class: figure.wide ? 'wide' : null},
        h('div', {class: 'figure-head'}, title, h('div', {class: 'tools'}, switches, buttons)),
        h('div', {class: 'plot-box'}, plot, tip), caption);
  return {figure, element, title, switches, plot, tip, caption};
}
