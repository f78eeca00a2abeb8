// A figure as a file of its own.

const SAVED_WIDTH = 860;

/**
 * The figure as a standalone SVG document, always on light paper.
 * @param {Figure} figure @param {View} view @param {boolean} log
 */
function svgDocument(figure, view, log) {
  const box = {width: SAVED_WIDTH, height: 500, titled: true};
  const {svg} = drawFigure(figure, view, log, box, LIGHT);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

/** @param {string} text @param {string} name */
function download(text, name) {
  const address = URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'}));
  const link = h('a', {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Only what every file system takes. @param {string[]} parts */
function fileName(parts) {
  return parts
      .map((part) => part.normalize('NFKD').replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40))
      .filter((part) => part)
      .join('_');
}
