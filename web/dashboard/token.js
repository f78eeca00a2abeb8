// Where the token is entered, once: it stays in memory and is gone with the page.

import {makeButton} from '../shared/controls.js';
import {h} from '../shared/dom.js';

import {labelled} from './by_hand.js';

export class TokenForm {
  /** @param {(token: string) => void} given */
  constructor(given) {
    this.field =
        h('input',
          {type: 'password', autocomplete: 'off', required: true, class: 'code', 'aria-describedby': 'token-said'});
    this.said = h('p', {class: 'note', id: 'token-said', role: 'alert'});
    const submit = (event) => {
      event.preventDefault();
      const token = this.field.value.trim();
      if (token) given(token);
    };
    this.element =
        h('form', {class: 'token', submit, hidden: true, 'aria-label': 'Token'},
          h('h1', {}, 'This service asks for a token'), labelled('token', 'Token', this.field), this.said,
          makeButton('Open', () => {}, {type: 'submit', class: 'main-button', id: 'open'}));
  }

  /** @param {boolean} refused the one before */
  show(refused) {
    const fresh = this.element.hidden;
    this.element.hidden = false;
    this.element.classList.toggle('bad', refused);
    this.said.textContent = refused ?
        'The service refused this token, or the token lacks the scope “read”.' :
        'The scope “read” shows everything; decisions and feedback by hand need “decide” and “feedback”, new models “admin”. The token is kept in memory only. Make one with: tarry token add';
    if (refused) this.field.setAttribute('aria-invalid', 'true');
    if (fresh || refused) this.field.focus();
    if (refused) this.field.select();
  }

  hide() {
    this.element.hidden = true;
    this.field.value = '';
    this.field.removeAttribute('aria-invalid');
  }
}
