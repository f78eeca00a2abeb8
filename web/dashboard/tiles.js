// The numbers that are read first.

import {h} from '../shared/dom.js';

/** @typedef {{name: string, text: string, about?: string}} Tile */

export class Tiles {
  constructor() {
    this.element = h('dl', {class: 'tiles'});
    this.written = '';
  }

  /** @param {Tile[]} tiles */
  show(tiles) {
    const written = JSON.stringify(tiles);
    if (written === this.written) return;
    this.written = written;
    const tile = ({name, text, about}) =>
        h('div', {class: 'tile'}, h('dt', {}, name), h('dd', {}, text),
          about ? h('dd', {class: 'tile-about'}, about) : null);
    this.element.replaceChildren(...tiles.map(tile));
  }
}
