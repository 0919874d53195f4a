/** Forms for accounts. */
import { html } from 'hono/html';
import type { TextKey } from '../../../core/texts/index.js';
import type { UserRow } from '../../../core/users/rights.js';
import { csrfField } from '../layout.js';
import { faultOf } from '../outcome.js';
import { card } from '../components.js';
import type { Markup, View } from '../view.js';

/** What was typed before; never the password. */
export type Entered = Partial<
  Record<'username' | 'firstName' | 'lastName' | 'phone' | 'role', string | undefined>
>;

interface Field {
  name: keyof Entered | 'password';
  label: string;
  type: string;
  autocomplete: string;
  isRequired?: boolean;
  /** Where the page begins. */
  isFocused?: boolean;
  hint?: string;
}

export function userForm(view: View, entered: Entered, faults: Record<string, string>): Markup {
  const { t } = view;
  const fields: Field[] = [
    {
      name: 'username',
      label: t('admin.login.username'),
      type: 'email',
      autocomplete: 'off',
      isRequired: true,
    },
    ...profileFields(view),
    password(view, 'admin.users.password_rule'),
  ];
  return html`<form class="card medium" method="post" action="/admin/users/new">
    <div class="card-body d-grid gap-3">
      ${csrfField(view)}
      ${fields.map((field) =>
        input(view, field, field.name === 'password' ? '' : entered[field.name], faults[field.name]),
      )}
      <div>
        <label class="form-label" for="role">${t('admin.field.role')}</label>
        <select class="form-select" id="role" name="role">
          ${(['ROLE_USER', 'ROLE_ADMIN'] as const).map(
            (role) =>
              html`<option value="${role}" ${role === entered.role ? 'selected' : ''}>
                ${t(`admin.role.${role}`)}
              </option>`,
          )}
        </select>
      </div>
      <div class="actions">
        <button class="btn btn-primary">${t('admin.users.add')}</button>
        <a class="btn btn-outline-secondary" href="/admin/users">${t('admin.confirm.no')}</a>
      </div>
    </div>
  </form>`;
}

function profileFields({ t }: View): Field[] {
  return [
    { name: 'firstName', label: t('admin.field.first_name'), type: 'text', autocomplete: 'off' },
    { name: 'lastName', label: t('admin.field.last_name'), type: 'text', autocomplete: 'off' },
    { name: 'phone', label: t('admin.field.phone'), type: 'tel', autocomplete: 'off', hint: '+33612345678' },
  ];
}

export function profileForm(
  view: View,
  id: number,
  entered: Entered,
  faults: Record<string, string> = {},
): Markup {
  const { t } = view;
  const form = html`<form class="card-body d-grid gap-3" method="post" action="/admin/users/${id}/profile">
    ${csrfField(view)}
    ${profileFields(view).map((field) =>
      input(view, field, field.name === 'password' ? '' : entered[field.name], faults[field.name]),
    )}
    <div><button class="btn btn-primary">${t('admin.users.save')}</button></div>
  </form>`;
  return card(t('admin.users.profile'), form);
}

export function passwordForm(view: View, { id, username }: UserRow): Markup {
  const { t } = view;
  const form = html`<form class="card-body d-grid gap-3" method="post" action="/admin/users/${id}/password">
    ${csrfField(view)}
    <input
      class="d-none"
      name="username"
      autocomplete="username"
      value="${username}"
      readonly
      tabindex="-1"
      aria-hidden="true"
    />
    ${input(view, password(view, 'admin.users.password_hint'))}
    <div><button class="btn btn-primary">${t('admin.users.set_password')}</button></div>
  </form>`;
  return card(t('admin.users.password'), form);
}

function password({ t }: View, hint: TextKey): Field {
  return {
    name: 'password',
    label: t('admin.users.new_password'),
    type: 'password',
    autocomplete: 'new-password',
    isRequired: true,
    hint: t(hint),
  };
}

export function input(
  view: View,
  { name, label, type, autocomplete, isRequired, isFocused, hint }: Field,
  value = '',
  fault?: string,
): Markup {
  const notes = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`<div>
    <label class="form-label" for="${name}">${label}</label>
    <input
      class="form-control ${fault ? 'is-invalid' : ''}"
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      ${isRequired ? 'required' : ''}
      ${isFocused ? 'autofocus' : ''}
      ${notes ? html`aria-describedby="${notes}"` : ''}
    />
    ${fault ? html`<div class="invalid-feedback" id="${name}-fault">${faultOf(view, fault)}</div>` : ''}
    ${hint ? html`<div class="form-text" id="${name}-hint">${hint}</div>` : ''}
  </div>`;
}
