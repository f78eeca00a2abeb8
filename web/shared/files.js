// Files that the reader can keep.

import {h} from './dom.js';

/** @param {string} text @param {string} name */
export function download(text, name, type = 'image/svg+xml') {
  const address = URL.createObjectURL(new Blob([text], {type}));
  const link = h('a', {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Only what every file system takes. @param {string[]} parts */
export function fileName(parts) {
  return parts
      .map((part) => part.normalize('NFKD').replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40))
      .filter((part) => part)
      .join('_');
}
