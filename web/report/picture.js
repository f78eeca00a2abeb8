// A figure as a picture, on the page or as a file of its own.

import {drawChart} from '../shared/chart.js';
import {drawHistogram} from '../shared/histogram.js';
import {LIGHT} from '../shared/palette.js';

/** @param {Figure} figure @param {View} view @param {Axes} axes @param {Box} box @param {Theme} theme */
export function drawFigure(figure, view, axes, box, theme) {
  const content = figure.make(view, axes);
  const picture = content.counts ? drawHistogram(content, box, theme) : drawChart(content, box, theme);
  return {title: content.title, drawable: !!content.lines?.length, ...picture};
}

const SAVED_WIDTH = 860;

/**
 * The figure as a standalone SVG document, always on light paper.
 * @param {Figure} figure @param {View} view @param {Axes} axes
 */
export function svgDocument(figure, view, axes) {
  const box = {width: SAVED_WIDTH, height: 500, titled: true};
  const {svg} = drawFigure(figure, view, axes, box, LIGHT);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}
