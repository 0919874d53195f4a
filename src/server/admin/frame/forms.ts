/** Fields of forms, with their labels, hints and faults. */
import { html } from 'hono/html';
import type { PageLabel } from '../texts.js';
import { faultOf } from './pages.js';
import type { Markup, View } from './view.js';

export interface Field {
  name: string;
  /** On a page that has two fields of this name; by default the name. */
  id?: string;
  label: PageLabel;
  type?: string;
  /** By default `off`. */
  autocomplete?: string;
  isRequired?: boolean;
  /** Where the page begins. */
  isFocused?: boolean;
  hint?: string;
}

export const USERNAME = {
  name: 'username',
  label: 'list.username',
  type: 'email',
  isRequired: true,
} as const;

export function input(view: View, field: Field, value = '', fault?: string): Markup {
  const { name, id = name, label, type = 'text', autocomplete = 'off', isRequired, isFocused, hint } = field;
  const notes = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return html`<div>
    <label class="form-label" for="${id}">${view.t(label)}</label>
    <input
      class="form-control ${fault ? 'is-invalid' : ''}"
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      ${isRequired ? 'required' : ''}
      ${isFocused ? 'autofocus' : ''}
      ${notes ? html`aria-describedby="${notes}"` : ''}
    />
    ${faultNote(view, id, fault)} ${hint ? html`<div class="form-text" id="${id}-hint">${hint}</div>` : ''}
  </div>`;
}

export function faultNote(view: View, id: string, fault: string | undefined): Markup | '' {
  return fault ? html`<div class="invalid-feedback" id="${id}-fault">${faultOf(view, fault)}</div>` : '';
}

export function fileField(
  view: View,
  { name, label, accept }: Pick<Field, 'name' | 'label'> & { accept: string },
  fault?: string,
): Markup {
  return html`<div>
    <label class="form-label" for="${name}">${view.t(label)}</label>
    <input
      class="form-control ${fault ? 'is-invalid' : ''}"
      type="file"
      id="${name}"
      name="${name}"
      accept="${accept}"
      ${fault ? html`aria-describedby="${name}-fault"` : ''}
    />
    ${faultNote(view, name, fault)}
  </div>`;
}

/** For several lines. */
export function area(
  view: View,
  { name, label, rows, isRequired }: Pick<Field, 'name' | 'label' | 'isRequired'> & { rows: number },
  value = '',
  fault?: string,
): Markup {
  return html`<div>
    <label class="form-label" for="${name}">${view.t(label)}</label>
    <textarea
      class="form-control ${fault ? 'is-invalid' : ''}"
      id="${name}"
      name="${name}"
      rows="${rows}"
      ${isRequired ? 'required' : ''}
      ${fault ? html`aria-describedby="${name}-fault"` : ''}
    >
${value}</textarea>
    ${faultNote(view, name, fault)}
  </div>`;
}
