/** A page that asks before something is done that cannot be undone. */
import { html } from 'hono/html';
import { csrfField } from './layout.js';
import type { Markup, View } from './view.js';

export interface Question {
  /** Where the answer goes. */
  action: string;
  /** What will happen. */
  text: string;
  /** On the button. */
  yes: string;
  /** Where "no" leads. */
  back: string;
  isDanger?: boolean;
  /** More fields, visible or hidden. */
  fields?: Markup | Markup[];
}

export function confirmation(view: View, question: Question): Markup {
  const { action, text, yes, back, isDanger = false, fields = [] } = question;
  return html`<form class="card medium" method="post" action="${action}">
    <div class="card-body d-grid gap-3">
      ${csrfField(view)}
      <p class="mb-0">${text}</p>
      ${fields}
      <div class="actions">
        <button class="btn ${isDanger ? 'btn-danger' : 'btn-primary'}">${yes}</button>
        <a class="btn btn-outline-secondary" href="${back}">${view.t('admin.confirm.no')}</a>
      </div>
    </div>
  </form>`;
}

export function reasonField({ t }: View, { isRequired }: { isRequired: boolean }): Markup {
  return html`<div>
    <label class="form-label" for="reason"
      >${t(isRequired ? 'admin.field.reason' : 'admin.field.reason_optional')}</label
    >
    <input class="form-control" id="reason" name="reason" maxlength="500" ${isRequired ? 'required' : ''} />
  </div>`;
}
