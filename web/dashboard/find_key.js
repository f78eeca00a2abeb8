// Where in a specification's text the key is that an error speaks of.

/**
 * An error says who, which key, and what came: `simplex: radius must be positive (radius = -2)`.
 * @param {string} message @returns {{who: string, key: string}[]} likely ones first
 */
function suspects(message) {
  const who = /^(?:.*: )?([a-z0-9_]+): /i.exec(message)?.[1] ?? '';
  const found = [];
  const add = (key) => void (key && found.push({who, key}));
  add(/unknown key "([^"]+)"/.exec(message)?.[1]);
  add(/([\w.]+) = [^()]*\)?$/.exec(message)?.[1]?.split('.').pop());
  add(/: ([a-z_.0-9]+) (?:must|is|needs|has|cannot|should)\b/.exec(message)?.[1]?.split('.').pop());
  for (const word of message.match(/"([\w-]+)"/g) ?? []) add(word.slice(1, -1));
  for (const word of message.match(/[a-z_]+/g) ?? []) add(word);
  return found;
}

/** The objects of a text: where each begins and ends, and its "type". @param {string} text */
function objectsOf(text) {
  const open = [];
  const found = [];
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token[0] === '{') open.push(token.index);
    if (token[0] === '}' && open.length) {
      const from = open.pop();
      const own = text.slice(from, token.index + 1);
      found.push({
        from,
        to: token.index + 1,
        type: /"(?:type|task)"\s*:\s*"(\w+)"/
                  .exec(own.slice(1).replace(/\{[^{}]*\}/g, (inner) => ' '.repeat(inner.length)))
                  ?.[1] ??
            ''
      });
    }
  }
  return found.sort((a, b) => b.from - a.from);
}

/** @param {string} text @param {string} message @returns {?{from: number, to: number, line: number}} */
export function findKey(text, message) {
  const at = (from, to) => ({from, to, line: text.slice(0, from).split('\n').length});
  const position = /(?:byte|position|offset|char(?:acter)?) (\d+)/.exec(message);
  const objects = objectsOf(text);
  for (const {who, key} of suspects(message)) {
    const own = objects.filter(({type}) => type === who);
    for (const {from, to} of [...own, {from: 0, to: text.length}]) {
      const quoted = new RegExp(`"${key.replace(/[^\w-]/g, '')}"(?=\\s*:)`).exec(text.slice(from, to));
      if (quoted) return at(from + quoted.index, from + quoted.index + quoted[0].length);
    }
  }
  const named = objects.find(({type}) => type && message.startsWith(`${type}:`));
  if (named) return at(named.from, named.from + 1);
  return position ? at(Number(position[1]), Number(position[1]) + 1) : null;
}
