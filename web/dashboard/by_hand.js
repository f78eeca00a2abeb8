// A decision asked for by hand, and its feedback: the requests that a client would send.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';

import {makeCopies} from './requests.js';
import {errorOf} from './service.js';

/** The value of a field that may be JSON or plain words. @param {string} text */
function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Tickets are long and of letters that need no escapes; anything else is a key. @param {string} text */
export function isTicket(text) {
  return /^[A-Za-z0-9_-]{40,}$/.test(text);
}

/** A field with its label. @param {string} id @param {string} name @param {HTMLElement} field */
export function labelled(id, name, field) {
  field.id = id;
  return h('div', {class: 'field'}, h('label', {for: id
           }, name), field);
}

export class ByHand {
  /** @param {App} app @param {string} model @param {() => void} changed after a request was taken */
  constructor(app, model, changed) {
    this.app = app;
    this.model = model;
    this.changed = changed;
    this.features = h('textarea', {rows: 3, spellcheck: 'false', class: 'code'});
    this.key = h('input', {type: 'text', autocomplete: 'off'});
    this.ticket = h('input', {type: 'text', autocomplete: 'off', spellcheck: 'false', class: 'code'});
    this.kind = h('select', {}, ['label', 'gradient', 'void'].map((name) => h('option', {value: name}, name)));
    this.value = h('input', {type: 'text', autocomplete: 'off', class: 'code'});
    this.kind.addEventListener('change', () => void (this.value.disabled = this.kind.value === 'void'));
    this.decided = this.makeAnswer('decided');
    this.fed = this.makeAnswer('fed');
    const withToken = () => app.service.token !== null;
    this.element = h(
        'section', {class: 'by-hand', 'aria-labelledby': 'by-hand-title'},
        h('div', {class: 'figure-head'}, h('h2', {id: 'by-hand-title'}, 'By hand')),
        h('div', {class: 'two'},
          h('form', {submit: (event) => this.send(event, this.decisionRequest(), this.decided)},
            h('h3', {}, 'Ask for a decision'),
            this.featuresField = labelled('features', 'Features, as JSON', this.features),
            labelled('key', 'Key (optional): your own name for the round', this.key),
            h('div', {class: 'tools'}, makeButton('Ask', () => {}, {type: 'submit', class: 'main-button', id: 'ask'}),
              makeCopies('ask for a decision', () => this.decisionRequest(), withToken)),
            this.decided),
          h('form', {submit: (event) => this.send(event, this.feedbackRequest(), this.fed)},
            h('h3', {}, 'Send its feedback'), labelled('ticket', 'Ticket, or the key of the round', this.ticket),
            h('div', {class: 'pair-of-fields'}, labelled('kind', 'What came', this.kind),
              labelled('value', 'Value', this.value)),
            h('div', {class: 'tools'}, makeButton('Send', () => {}, {type: 'submit', class: 'main-button', id: 'send'}),
              makeCopies('send feedback', () => this.feedbackRequest(), withToken)),
            this.fed)));
  }

  makeAnswer(id) {
    return h('pre', {class: 'answer', id, role: 'status', tabindex: 0, 'aria-label': 'Answer', hidden: true});
  }

  /** What the model takes, once it is known. @param {any} view */
  suggest(view) {
    if (this.suggested) return;
    this.suggested = true;
    this.chooses = !!view.spec.choose;
    if (this.chooses) {
      this.featuresField.querySelector('label').textContent = 'Context and actions, as JSON';
      const known = view.spec.choose.actions ? {} : {actions: ['first', 'second']};
      this.features.value = JSON.stringify({context: {hour: 17}, ...known});
    }
    this.featuresField.hidden = !view.features;
    if (view.features && !this.features.value) this.features.value = JSON.stringify(view.features);
    if (view.feedback === 'gradient') this.kind.value = 'gradient';
    if (!this.value.value)
      this.value.value =
          view.feedback === 'gradient' ? JSON.stringify(new Array(Math.min(view.dimension, 16)).fill(0)) : '1';
  }

  /** @returns {Request} */
  decisionRequest() {
    const text = this.features.value.trim();
    const given = text && !this.featuresField.hidden ? valueOf(text) : null;
    const key = this.key.value ? {key: this.key.value} : {};
    const body = this.chooses ? {...given, ...key} : {...(given === null ? {} : {features: given}), ...key};
    const path = `v1/models/${this.model}/${this.chooses ? 'choices' : 'decisions'}`;
    return {method: 'POST', path, body: JSON.stringify(body)};
  }

  /** @returns {Request} */
  feedbackRequest() {
    const name = this.ticket.value.trim();
    const body = isTicket(name) ? {ticket: name} : {model: this.model, key: name};
    if (this.kind.value === 'void') {
      body.void = true;
    } else {
      body[this.kind.value] = valueOf(this.value.value.trim());
    }
    return {method: 'POST', path: 'v1/feedback', body: JSON.stringify(body)};
  }

  /** @param {SubmitEvent} event @param {Request} request @param {HTMLElement} answer */
  async send(event, request, answer) {
    event.preventDefault();
    const reply = await this.app.service.ask(request.method, request.path, request.body);
    answer.hidden = false;
    const good = reply.status >= 200 && reply.status < 300;
    answer.classList.toggle('bad', !good);
    answer.dataset.status = String(reply.status);
    if (good) {
      answer.textContent = JSON.stringify(reply.json, null, 2);
      if (reply.json.ticket) this.ticket.value = reply.json.ticket;
    } else {
      const error = errorOf(reply);
      answer.textContent = `${reply.status || 'no answer'} ${error.code}: ${error.message}`;
    }
    this.changed();
  }
}
