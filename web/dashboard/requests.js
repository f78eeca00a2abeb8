// A request of this page as a reader can send it again: with curl, or from Python. The token is never in the text.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';

/** @typedef {{method: string, path: string, body?: string}} Request */

/** @param {string} text */
function shellQuoted(text) {
  return `'${text.replace(/'/g, '\'\\\'\'')}'`;
}

/** @param {Request} request @param {boolean} withToken */
export function asCurl(request, withToken) {
  const {method, path, body} = request;
  const parts =
      [`curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(new URL(path, document.baseURI).href)}`];
  if (withToken) parts.push('-H "Authorization: Bearer $TARRY_TOKEN"');
  if (body !== undefined) parts.push('-H \'Content-Type: application/json\'', `-d ${shellQuoted(body)}`);
  return parts.join(' \\\n  ');
}

/** @param {Request} request @param {boolean} withToken */
export function asPython(request, withToken) {
  const {method, path, body} = request;
  const headers = [];
  if (body !== undefined) headers.push('"Content-Type": "application/json"');
  if (withToken) headers.push('"Authorization": "Bearer " + os.environ["TARRY_TOKEN"]');
  const lines = [
    `import json${withToken ? ', os' : ''}, urllib.request`,
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(new URL(path, document.baseURI).href)}, method="${method}",`,
  ];
  if (body !== undefined) lines.push(`    data=${JSON.stringify(body)}.encode(),`);
  lines.push(
      `    headers={${headers.join(', ')}})`,
      'with urllib.request.urlopen(request) as reply:', '    print(json.load(reply))', '');
  return lines.join('\n');
}

/** @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = h('textarea', {'aria-hidden': 'true', class: 'off-screen'});  // where the page did not come by https
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/**
 * Two buttons that copy a request. @param {string} what it does, for those who hear the page
 * @param {() => Request} current @param {() => boolean} withToken
 */
export function makeCopies(what, current, withToken) {
  const button = (name, write) => {
    const element = makeButton(`Copy ${name}`, async () => {
      let said = 'Copied';
      try {
        await copy(write(current(), withToken()));
      } catch {
        said = 'Not allowed';
      }
      element.textContent = said;
      setTimeout(() => void (element.textContent = `Copy ${name}`), 1500);
    }, {class: 'quiet-button copy', 'aria-label': `Copy as ${name}: ${what}`, 'data-copy': name});
    return element;
  };
  return h('span', {class: 'copies'}, button('curl', asCurl), button('Python', asPython));
}
