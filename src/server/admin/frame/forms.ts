/** Forms: fields with their labels, hints and faults, and what surrounds them. */
import { html } from 'hono/html';
import { REASON_LENGTH_MAX } from '../../../core/calls/reason.js';
import type { PageLabel } from '../texts.js';
import { csrfField, type Page } from './layout.js';
import { NOTHING, type Filled } from './pages.js';
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
  lengthMax?: number;
  hint?: string;
  /** Of a field for several lines. */
  rows?: number;
  /** One of these. */
  choices?: readonly (readonly [value: string, words: string])[];
  /** A file of these types. */
  accept?: string;
}

export const USERNAME = {
  name: 'username',
  label: 'list.username',
  type: 'email',
  isRequired: true,
} as const satisfies Field;

export function inputs(view: View, list: readonly Field[], filled?: Filled): Markup[] {
  return list.map((field) => fieldOf(view, field, filled));
}

function fieldOf(view: View, field: Field, { form, faults }: Filled = NOTHING): Markup {
  const { name, id = name, label, hint } = field;
  const fault = faults[name];
  return html`<div>
    <label class="form-label" for="${id}">${view.t(label)}</label>
    ${control(field, form.get(name)?.trim(), fault)}
    ${fault ? html`<div class="invalid-feedback" id="${id}-fault">${fault}</div>` : ''}
    ${hint ? html`<div class="form-text" id="${id}-hint">${hint}</div>` : ''}
  </div>`;
}

function control(field: Field, value: string | undefined, fault: string | undefined): Markup {
  const { name, id = name, isRequired, isFocused, lengthMax, hint, rows, choices } = field;
  const notes = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const look = fault ? 'is-invalid' : '';
  const shared = html`id="${id}" name="${name}" ${isRequired ? 'required' : ''}
  ${isFocused ? 'autofocus' : ''} ${lengthMax ? html`maxlength="${lengthMax}"` : ''}
  ${notes ? html`aria-describedby="${notes}"` : ''}`;
  if (choices)
    return html`<select class="form-select ${look}" ${shared}>
      ${choices.map(
        ([each, words]) =>
          html`<option value="${each}" ${each === value ? 'selected' : ''}>${words}</option>`,
      )}
    </select>`;
  if (rows) return html`<textarea class="form-control ${look}" ${shared} rows="${rows}">${value}</textarea>`;
  return html`<input class="form-control ${look}" ${shared} ${typed(field, value)} />`;
}

/** A password, like a file, is given anew. */
function typed({ type = 'text', autocomplete = 'off', accept }: Field, value = ''): Markup {
  if (accept) return html`type="file" accept="${accept}"`;
  return html`type="${type}" value="${type === 'password' ? '' : value}" autocomplete="${autocomplete}"`;
}

export function reasonField(view: View, { isRequired }: { isRequired: boolean }, filled?: Filled): Markup {
  const label = isRequired ? 'mail.label.reason' : 'admin.field.reason_optional';
  const field = { name: 'reason', label, autocomplete: 'on', lengthMax: REASON_LENGTH_MAX } as const;
  return fieldOf(view, { ...field, isRequired }, filled);
}

export function hiddenField(name: string, value: string | number): Markup {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

interface Box {
  name: string;
  value?: string;
  words: string;
  isTicked?: boolean;
}

export function checkbox({ name, value = '1', words, isTicked = false }: Box): Markup {
  const id = `${name}-${value}`;
  return html`<div class="form-check">
    <input
      class="form-check-input"
      type="checkbox"
      id="${id}"
      name="${name}"
      value="${value}"
      ${isTicked ? 'checked' : ''}
    />
    <label class="form-check-label any" for="${id}">${words}</label>
  </div>`;
}

/** A one-button form for what needs no confirmation. */
export function postButton(
  view: View,
  { action, words, fields = {} }: { action: string; words: Markup | string; fields?: Record<string, string> },
): Markup {
  return html`<form method="post" action="${action}">
    ${csrfField(view)} ${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}
    <button class="btn btn-sm btn-outline-secondary btn-icon">${words}</button>
  </form>`;
}

export interface Question {
  /** What will be done. */
  text: string;
  /** The button's label, after which the page is named. */
  yes: string;
  isDanger?: boolean;
  /** More fields, visible or hidden. */
  fields?: Markup | Markup[];
  takesPdf?: boolean;
}

interface Ways {
  /** Where the answer goes. */
  action: string;
  back: string;
}

/** A page that asks before something is done. */
export function questionPage(view: View, { action, back, ...question }: Question & Ways): Page {
  const { text, yes, isDanger = false, fields = [], takesPdf = false } = question;
  const content = html`<p class="mb-0 any">${text}</p>
    ${fields} ${yesOrNo(view, { yes, back, isDanger })}`;
  return { title: yes, body: boxedForm(view, { action, takesFile: takesPdf }, content) };
}

/** A form that is a card of its own. */
export function boxedForm(
  view: View,
  { action, width = 'medium', takesFile = false }: { action: string; width?: string; takesFile?: boolean },
  content: Markup | Markup[],
): Markup {
  const encoding = takesFile ? html`enctype="multipart/form-data"` : '';
  return html`<form class="card ${width}" method="post" action="${action}" ${encoding}>
    <div class="card-body d-grid gap-3">${csrfField(view)} ${content}</div>
  </form>`;
}

/** The submit button and a link back. */
export function yesOrNo(
  { t }: View,
  { yes, back, isDanger = false }: Pick<Question & Ways, 'yes' | 'back' | 'isDanger'>,
): Markup {
  return html`<div class="actions">
    <button class="btn ${isDanger ? 'btn-danger' : 'btn-primary'}">${yes}</button>
    <a class="btn btn-outline-secondary" href="${back}">${t('admin.confirm.no')}</a>
  </div>`;
}
