// The service as the page sees it: requests, and a stream of lines that is taken up again when it breaks. The token is
// kept here, in memory alone, and leaves only in a header. Addresses are relative, so that any path before them works.

/**
 * @typedef {{status: number, json: any}} Reply  status 0: the service could not be reached
 * @typedef {'connecting'|'live'|'lost'|'token'|'refused'|'unknown'} LineState
 *   token: one is wanted; refused: the one given is not taken; unknown: there is no such model
 */

const SILENCE = 6000;  // milliseconds without a line after which the stream counts as broken: one comes every second
const LONGEST_PAUSE = 4000;

export class Service {
  constructor() {
    /** @type {?string} */
    this.token = null;
  }

  headers(body) {
    const headers = {Accept: 'application/json'};
    if (body !== undefined)
      headers['Content-Type'] = typeof body === 'string' ? 'application/json' : 'application/octet-stream';
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    return headers;
  }

  /**
   * @param {string} method @param {string} path @param {string|Blob} [body] JSON, or a file
   * @returns {Promise<Reply>}
   */
  async ask(method, path, body) {
    try {
      const reply = await fetch(path, {method, body, headers: this.headers(body), cache: 'no-store'});
      const text = await reply.text();
      return {status: reply.status, json: parsed(text)};
    } catch {
      return {status: 0, json: {error: {code: 'unreachable', message: 'The service cannot be reached.'}}};
    }
  }

  /**
   * Follows a stream of JSON lines until the returned function is called.
   * @param {string} path @param {(line: any) => void} take @param {(state: LineState) => void} say
   * @returns {() => void}
   */
  follow(path, take, say) {
    const ended = new AbortController();
    this.keepFollowing(path, take, say, ended.signal);
    return () => ended.abort();
  }

  async keepFollowing(path, take, say, ended) {
    let pause = 250;
    say('connecting');
    while (!ended.aborted) {
      const answered = await this.followOnce(path, take, say, ended);
      if (ended.aborted || answered === 'stopped') return;
      say('lost');
      pause = answered === 'streamed' ? 250 : Math.min(LONGEST_PAUSE, 2 * pause);
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }

  /** One connection. @returns {Promise<'streamed'|'failed'|'stopped'>} */
  async followOnce(path, take, say, ended) {
    const connection = new AbortController();
    const close = () => connection.abort();
    ended.addEventListener('abort', close);
    let watch = setTimeout(close, SILENCE);
    let outcome = 'failed';
    try {
      const reply = await fetch(path, {headers: this.headers(), signal: connection.signal, cache: 'no-store'});
      const stop = {
        401: this.token ? 'refused' : 'token',
        403: this.token ? 'refused' : 'token',
        404: 'unknown'
      }[reply.status];
      if (stop) {
        if (!ended.aborted) say(stop);
        return 'stopped';
      }
      if (!reply.ok) return 'failed';
      for await (const line of linesOf(reply.body)) {
        if (ended.aborted) break;
        clearTimeout(watch);
        watch = setTimeout(close, SILENCE);
        if (outcome !== 'streamed') say('live');
        outcome = 'streamed';
        took(take, line);
      }
    } catch {  // the connection broke, or was never there
    } finally {
      clearTimeout(watch);
      ended.removeEventListener('abort', close);
      close();
    }
    return outcome;
  }
}

/** A mistake in drawing is no reason to leave the stream. @param {(line: any) => void} take @param {string} line */
function took(take, line) {
  try {
    take(JSON.parse(line));
  } catch (error) {
    console.error(error);
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {error: {code: 'unreadable', message: text.slice(0, 200) || 'The answer was empty.'}};
  }
}

/** The lines of a body as they come. @param {ReadableStream<Uint8Array>} body */
async function* linesOf(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    const parts = (rest + decoder.decode(value, {stream: true})).split('\n');
    rest = parts.pop();
    for (const part of parts) {
      if (part.trim()) yield part;
    }
  }
}

/** What an answer says went wrong. @param {Reply} reply */
export function errorOf(reply) {
  const error = reply.json?.error;
  if (typeof error === 'string') return {code: error, message: reply.json.message ?? error};
  return {
    code: error?.code ?? String(reply.status),
    message: error?.message ?? `The service answered ${reply.status}.`
  };
}
