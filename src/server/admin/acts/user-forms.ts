/** Forms for accounts. */
import { html } from 'hono/html';
import { invalid } from '../../../core/errors.js';
import type { UserRow } from '../../../core/users/rights.js';
import { LOCALES, ROLES } from '../../../core/users/user-fields.js';
import { card } from '../frame/components.js';
import { boxedForm, inputs, USERNAME, yesOrNo, type Field } from '../frame/forms.js';
import { csrfField } from '../frame/layout.js';
import type { Locale } from '../../../core/texts/index.js';
import type { PageCall } from '../frame/page-call.js';
import type { Filled } from '../frame/pages.js';
import type { Markup, View } from '../frame/view.js';

/** No language: that of the settings. */
function profile({ t }: View): Field[] {
  const locales = LOCALES.map((each) => [each, t(`admin.locale.${each}`)] as const);
  return [
    USERNAME,
    { name: 'firstName', label: 'list.firstName' },
    { name: 'lastName', label: 'list.lastName' },
    { name: 'phone', label: 'list.phone', type: 'tel', hint: '+33612345678' },
    { name: 'address', label: 'list.address', rows: 3 },
    {
      name: 'locale',
      label: 'list.locale',
      choices: [['', t('admin.locale.default')], ...locales],
    },
  ];
}

const PASSWORD = {
  name: 'password',
  label: 'page.password',
  type: 'password',
  autocomplete: 'new-password',
} as const satisfies Field;

/** Of whoever is logged in. */
const CURRENT = {
  name: 'currentPassword',
  label: 'admin.users.current_password',
  type: 'password',
  autocomplete: 'current-password',
} as const satisfies Field;

export function userForm(view: View, refused?: Filled): Markup {
  const { t } = view;
  const fields: Field[] = [
    ...profile(view),
    { ...PASSWORD, hint: t('admin.users.password_or_invite') },
    { name: 'role', label: 'list.roles', choices: ROLES.map((each) => [each, t(`role.${each}`)] as const) },
  ];
  return boxedForm(view, { action: '/admin/users/new' }, [
    ...inputs(view, fields, refused),
    yesOrNo(view, { yes: t('admin.users.add'), back: '/admin/users' }),
  ]);
}

/** `isMine`: of the reader's own account, whose address changes with the current password alone. */
export function profileForm(view: View, { id }: UserRow, isMine: boolean, filled: Filled): Markup {
  const { t } = view;
  const proof = { ...CURRENT, id: 'proof', hint: t('admin.users.proof_hint') };
  return card(
    t('admin.users.profile'),
    html`<form class="card-body d-grid gap-3" method="post" action="/admin/users/${id}/profile">
      ${csrfField(view)} ${inputs(view, [...profile(view), ...(isMine ? [proof] : [])], filled)}
      <div><button class="btn btn-primary">${t('admin.users.save')}</button></div>
    </form>`,
  );
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

/** `isMine`: of the reader's own account, which needs the current password. */
export function passwordForm(view: View, { id, username }: UserRow, isMine: boolean, filled: Filled): Markup {
  const { t } = view;
  const wanted = { ...PASSWORD, isRequired: true, hint: t('admin.users.password_hint') };
  const proof = { ...CURRENT, isRequired: true };
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
      ${inputs(view, [...(isMine ? [proof] : []), wanted], filled)}
      <div><button class="btn btn-primary">${t('page.set_password')}</button></div>
    </form>`,
  );
}
