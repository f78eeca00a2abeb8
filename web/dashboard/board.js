// A board of figures that follow a history: drawn again as it grows, with what the pointer reads kept.

import {drawChart} from '../shared/chart.js';
import {h} from '../shared/dom.js';
import {download, fileName} from '../shared/files.js';
import {makeFigure, makeSaveButton} from '../shared/frame.js';
import {drawHistogram} from '../shared/histogram.js';
import {addHover} from '../shared/hover.js';
import {LIGHT, swatch} from '../shared/palette.js';

import {csvText, figureRows} from './figures.js';

const SAVED = {
  width: 860,
  height: 500,
  titled: true
};

/** @param {Figure} figure @param {View} view @param {Box} box @param {Theme} theme */
function drawFigure(figure, view, box, theme) {
  const content = figure.make(view);
  const picture = content.counts ? drawHistogram(content, box, theme) : drawChart(content, box, theme);
  return {title: content.title, ...picture};
}

export class Board {
  /** @param {Figure[]} figures @param {() => Theme} theme */
  constructor(figures, theme) {
    this.theme = theme;
    /** @type {?View} */
    this.view = null;
    this.frames = figures.map((figure) => this.makeFrame(figure));
    this.element = h('div', {class: 'figures'}, this.frames.map(({element}) => element));
  }

  makeFrame(figure) {
    const buttons = [
      makeSaveButton(figure.title, () => this.saveRows(figure), 'CSV', true),
      makeSaveButton(figure.title, () => this.savePicture(figure), 'SVG', true),
    ];
    const frame = {...makeFigure(figure, buttons), picture: {lines: [], sx: null}, hover: null};
    frame.hover = addHover(frame.plot, frame.tip, () => ({picture: frame.picture, theme: this.theme(), bounds: false}));
    return frame;
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    this.draw();
  }

  draw() {
    if (!this.view) return;
    const theme = this.theme();
    for (const frame of this.frames) {
      const {figure, plot, caption, title} = frame;
      frame.element.hidden = !!figure.when && !figure.when(this.view);
      if (frame.element.hidden) continue;
      const width = Math.max(240, plot.clientWidth);
      frame.picture = drawFigure(figure, this.view, {width, height: figure.height, titled: false}, theme);
      const empty = !frame.picture.sy;
      if (title.textContent !== frame.picture.title) title.textContent = frame.picture.title;
      plot.replaceChildren(frame.picture.svg);
      caption.replaceChildren(...(empty ? [] : [...legend(frame.picture, theme), figure.caption(this.view)]));
      frame.element.hidden = empty;  // a card without content says nothing
      frame.hover.again();
    }
  }

  /** What the figures are saved as. @param {Figure} figure */
  nameOf(figure) {
    return fileName(['tarry', this.view.subtitle, figure.id]);
  }

  saveRows(figure) {
    if (this.view) download(csvText(figureRows(figure, this.view)), `${this.nameOf(figure)}.csv`, 'text/csv');
  }

  savePicture(figure) {
    if (!this.view) return;
    const {svg} = drawFigure(figure, this.view, SAVED, LIGHT);
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
    download(text, `${this.nameOf(figure)}.svg`);
  }
}

/** The lines' names, where they are several. */
function legend(picture, theme) {
  if (picture.lines.length < 2 || picture.ended) return [];
  const items = picture.lines.map((line) => h('span', {class: 'player'}, swatch(line.index, theme), line.name));
  return [h('span', {class: 'names'}, items)];
}
