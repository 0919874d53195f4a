/** Forms for accounts. */
import { html } from 'hono/html';
import { invalid } from '../../../core/errors.js';
import type { UserRow } from '../../../core/users/rights.js';
import { LOCALES, ROLES } from '../../../core/users/user-fields.js';
import { boxedForm, card, yesOrNo } from '../frame/components.js';
import { area, faultNote, input, USERNAME, type Field } from '../frame/forms.js';
import { csrfField } from '../frame/layout.js';
import type { Locale } from '../../../core/texts/index.js';
import type { PageCall } from '../frame/page-call.js';
import type { Refused } from '../frame/pages.js';
import type { Markup, View } from '../frame/view.js';

const PROFILE: readonly Field[] = [
  { name: 'firstName', label: 'list.firstName' },
  { name: 'lastName', label: 'list.lastName' },
  { name: 'phone', label: 'list.phone', type: 'tel', hint: '+33612345678' },
];

const PASSWORD: Field = {
  name: 'password',
  label: 'page.password',
  type: 'password',
  autocomplete: 'new-password',
  isRequired: true,
};

/** Of whoever is logged in. */
const CURRENT: Field = {
  name: 'currentPassword',
  label: 'admin.users.current_password',
  type: 'password',
  autocomplete: 'current-password',
};

const EMPTY: Refused = { form: new URLSearchParams(), faults: {} };

export function userForm(view: View, { form, faults }: Refused = EMPTY): Markup {
  const { t } = view;
  const content = [
    ...inputs(view, [USERNAME, ...PROFILE], { form, faults }),
    addressField(view, form.get('address') ?? '', faults.address),
    localeSelect(view, form, faults.locale),
    input(
      view,
      { ...PASSWORD, isRequired: false, hint: t('admin.users.password_or_invite') },
      '',
      faults.password,
    ),
    html`<div>
      <label class="form-label" for="role">${t('list.roles')}</label>
      <select class="form-select" id="role" name="role">
        ${ROLES.map(
          (each) =>
            html`<option value="${each}" ${each === form.get('role') ? 'selected' : ''}>
              ${t(`role.${each}`)}
            </option>`,
        )}
      </select>
    </div>`,
    yesOrNo(view, { yes: t('admin.users.add'), back: '/admin/users' }),
  ];
  return boxedForm(view, { action: '/admin/users/new' }, content);
}

/** `isMine`: of the reader's own account, whose address changes with the current password alone. */
export function profileForm(view: View, { id }: UserRow, isMine: boolean, refused: Refused): Markup {
  const { t } = view;
  return card(
    t('admin.users.profile'),
    html`<form class="card-body d-grid gap-3" method="post" action="/admin/users/${id}/profile">
      ${csrfField(view)} ${inputs(view, [USERNAME, ...PROFILE], refused)}
      ${addressField(view, refused.form.get('address') ?? '', refused.faults.address)}
      ${localeSelect(view, refused.form, refused.faults.locale)}
      ${isMine ? input(view, { ...CURRENT, id: 'proof', hint: t('admin.users.proof_hint') }, '', refused.faults.currentPassword) : ''}
      <div><button class="btn btn-primary">${t('admin.users.save')}</button></div>
    </form>`,
  );
}

function addressField(view: View, value: string, fault: string | undefined): Markup {
  return area(view, { name: 'address', label: 'list.address', rows: 3 }, value, fault);
}

/** Empty: that of the settings. */
function localeSelect(view: View, form: URLSearchParams, fault?: string): Markup {
  const { t } = view;
  return html`<div>
    <label class="form-label" for="locale">${t('list.locale')}</label>
    <select class="form-select ${fault ? 'is-invalid' : ''}" id="locale" name="locale">
      ${(['', ...LOCALES] as const).map(
        (each) =>
          html`<option value="${each}" ${each === (form.get('locale') ?? '') ? 'selected' : ''}>
            ${t(each === '' ? 'admin.locale.default' : `admin.locale.${each}`)}
          </option>`,
      )}
    </select>
    ${faultNote(view, 'locale', fault)}
  </div>`;
}

/** Null: that of the settings. Throws `invalid` for a language that we do not have. */
export function localeField(call: PageCall): Locale | null {
  return call.field('locale') === '' ? null : chosen(call, 'locale', LOCALES);
}

/** Throws `invalid` without a role, or for one that there is not. */
export function roleField(call: PageCall): (typeof ROLES)[number] {
  return chosen(call, 'role', ROLES);
}

function chosen<Word extends string>(call: PageCall, name: string, allowed: readonly Word[]): Word {
  const found = allowed.find((each) => each === call.field(name));
  if (found === undefined) throw invalid({ [name]: 'The value you selected is not a valid choice.' });
  return found;
}

function inputs(view: View, fields: readonly Field[], { form, faults }: Refused): Markup[] {
  return fields.map((field) => input(view, field, form.get(field.name)?.trim(), faults[field.name]));
}

/** `isMine`: of the reader's own account, which needs the current password. */
export function passwordForm(
  view: View,
  { id, username }: UserRow,
  isMine: boolean,
  faults: Refused['faults'],
): Markup {
  const { t } = view;
  return card(
    t('admin.login.password'),
    html`<form class="card-body d-grid gap-3" method="post" action="/admin/users/${id}/password">
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
      ${isMine ? input(view, { ...CURRENT, isRequired: true }, '', faults.currentPassword) : ''}
      ${input(view, { ...PASSWORD, hint: t('admin.users.password_hint') }, '', faults.password)}
      <div><button class="btn btn-primary">${t('page.set_password')}</button></div>
    </form>`,
  );
}
