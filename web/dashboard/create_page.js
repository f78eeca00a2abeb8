// A new model, from a task or a specification in full; what the service says against it stands at the key that it
// means.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';

import {labelled} from './by_hand.js';
import {findKey} from './find_key.js';
import {pretty} from './pretty.js';
import {makeCopies} from './requests.js';
import {errorOf} from './service.js';

const STARTS = [
  ['Regression: a number from named features', {task: 'regression'}],
  ['Binary: a probability from named features', {task: 'binary'}],
  ['Classes: one of several, from named features', {task: 'classes', classes: ['small', 'medium', 'large']}],
  ['Choose: one of several actions, by what each earns', {task: 'choose', actions: ['first', 'second', 'third']}],
  ['Ratings: what a user thinks of an item', {task: 'ratings', users: 1000, items: 1000, range: [1, 5]}],
  ['Allocation: split a whole over named options', {task: 'allocation', options: ['search', 'social', 'mail']}],
  [
    'Flow: a path through a network', {
      set: {type: 'flow', nodes: 4, edges: [[0, 1], [0, 2], [1, 3], [2, 3]], source: 0, sink: 3},
      learner: {type: 'auto'},
    }
  ],
  [
    'In full: a set and a learner', {
      set: {type: 'simplex', dimension: 3, radius: 1},
      learner: {type: 'auto'},
    }
  ],
];
const LINE = 20;  // pixels: the editor's line height in style.css
const TOP = 12;   // its padding

export class CreatePage {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.name = h('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      required: true,
      pattern: '[a-z0-9_\\-]{1,64}',
      maxlength: 64,
      'aria-describedby': 'name-hint'
    });
    const choose = () => this.start(Number(this.starts.value));
    this.starts = h('select', {change: choose}, STARTS.map(([text], k) => h('option', {value: k}, text)));
    this.spec = h('textarea', {
      rows: 14,
      spellcheck: 'false',
      class: 'code',
      wrap: 'off',
      input: () => this.clear(),
      scroll: () => this.place()
    });
    this.band = h('div', {class: 'band', hidden: true});
    this.problem = h('div', {class: 'at-key', role: 'alert', id: 'spec-problem', hidden: true});
    this.file = h('input', {type: 'file', accept: '.tarry,application/octet-stream'});
    this.said = h('p', {class: 'answer bad', role: 'alert', id: 'create-problem', hidden: true});
    this.fileSaid = h('p', {class: 'answer bad', role: 'alert', id: 'file-problem', hidden: true});
    const hint = h('p', {class: 'note', id: 'name-hint'}, 'Small letters, digits, - and _; at most 64.');
    const field = labelled('spec', 'Specification, as JSON', this.spec);
    field.append(h('div', {class: 'editor'}, this.band, this.spec, this.problem));
    const submit = makeButton('Create', () => {}, {type: 'submit', class: 'main-button', id: 'create'});
    this.element =
        h('div', {class: 'page narrow'}, h('h1', {}, 'New model'),
          h('form', {submit: (event) => this.create(event), novalidate: true}, labelled('name', 'Name', this.name),
            hint, labelled('start', 'Start from', this.starts), field,
            h('div', {class: 'tools'}, submit,
              makeCopies('create this model', () => this.request(), () => app.service.token !== null)),
            this.said),
          h('form', {submit: (event) => this.upload(event), novalidate: true, class: 'upload'},
            h('h2', {}, 'Or continue from a file'),
            labelled('file', 'model.tarry of tarry run, or a snapshot', this.file),
            h('div', {class: 'tools'},
              makeButton('Upload', () => {}, {type: 'submit', class: 'main-button', id: 'upload'})),
            h('p', {class: 'note'}, 'It gets the name above.'), this.fileSaid));
    this.start(0);
  }

  async upload(event) {
    event.preventDefault();
    this.clear();
    const [file] = this.file.files;
    if (!this.hasName()) return;
    if (!file) return this.say('Choose a file first.', this.fileSaid);
    const path = `v1/models/${this.name.value}/snapshot`;
    this.finish(await this.app.service.ask('PUT', path, file), this.fileSaid);
  }

  hasName() {
    if (/^[a-z0-9_-]{1,64}$/.test(this.name.value)) return true;
    this.name.setAttribute('aria-invalid', 'true');
    this.name.focus();
    this.say('A name has 1 to 64 lower-case letters, digits, - and _.');
    return false;
  }

  /** @param {Reply} reply @param {HTMLElement} said where errors go that are of no key of the specification */
  finish(reply, said) {
    if (reply.status === 200 || reply.status === 201) return this.app.choose({page: 'model', model: this.name.value});
    const error = errorOf(reply);
    if (said === this.said && (reply.status === 400 || reply.status === 422))
      return this.point(error.message, reply.json?.error?.key);
    this.say(`${reply.status || 'No answer'}: ${error.message}`, said);
  }

  /** The overview's stream is not needed here; this one says whether the service is there and the token is right. */
  get livePath() {
    return 'v1/live?range=10m';
  }

  take() {}
  draw() {}

  start(k) {
    this.spec.value = pretty(STARTS[k][1]);
    this.clear();
  }

  /** @returns {Request} */
  request() {
    return {method: 'PUT', path: `v1/models/${this.name.value}`, body: this.spec.value};
  }

  clear() {
    this.found = null;
    this.band.hidden = this.problem.hidden = this.said.hidden = this.fileSaid.hidden = true;
    this.spec.removeAttribute('aria-invalid');
    this.spec.removeAttribute('aria-describedby');
    this.name.removeAttribute('aria-invalid');
  }

  async create(event) {
    event.preventDefault();
    this.clear();
    if (!this.hasName()) return;
    try {
      JSON.parse(this.spec.value);
    } catch (error) {
      return this.point(`not JSON: ${error.message}`);
    }
    const {method, path, body} = this.request();
    this.finish(await this.app.service.ask(method, path, body), this.said);
  }

  /** @param {string} text @param {HTMLElement} where */
  say(text, where = this.said) {
    where.hidden = false;
    where.textContent = text;
  }

  /** The error at its key: the line is marked, and the key selected. @param {string} message @param {string} [key] */
  point(message, key) {
    this.spec.setAttribute('aria-invalid', 'true');
    this.found = findKey(this.spec.value, key ? `${message} (${key} = )` : message);
    if (!this.found) return this.say(message);
    this.spec.setAttribute('aria-describedby', 'spec-problem');
    this.problem.textContent = message;
    this.problem.dataset.line = String(this.found.line);
    this.problem.hidden = this.band.hidden = false;
    this.spec.focus();
    this.spec.setSelectionRange(this.found.from, this.found.to);
    this.place();
  }

  /** Band and words follow the editor when it is scrolled. */
  place() {
    if (!this.found) return;
    const top = TOP + (this.found.line - 1) * LINE - this.spec.scrollTop;
    this.band.style.top = `${top}px`;
    this.problem.style.top = `${top + LINE}px`;
  }
}
