/** /admin/users: accounts; adding one. */
import { html } from 'hono/html';
import { CUSTOMERS } from '../../../core/resources/users.js';
import { createUser } from '../../../core/users/create-user.js';
import { hasPassword } from '../../../core/users/passwords.js';
import type { Parts } from '../../parts.js';
import type { Page } from '../frame/layout.js';
import { listPage } from './list-page.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages, type Filled } from '../frame/pages.js';
import { IMPORT } from '../acts/import.js';
import { localeField, roleField, userForm } from '../acts/user-forms.js';

const PATH = '/admin/users';

export function usersPages(parts: Parts) {
  return listPage(new Pages(parts, 'users'), CUSTOMERS, {
    path: PATH,
    title: 'admin.nav.users',
    none: 'admin.users.none',
    noneFits: 'admin.users.none',
    apart: ['username'],
    aside: ({ view: { t } }) =>
      html`<div class="actions">
        <a class="btn btn-outline-secondary" href="${IMPORT}">${t('admin.import')}</a>
        <a class="btn btn-primary" href="${PATH}/new">${t('admin.users.add')}</a>
      </div>`,
  }).form(`${PATH}/new`, newUserPage, async (call) => {
    const user = await createUser(
      call.ctx,
      {
        username: call.field('username'),
        firstName: call.field('firstName'),
        lastName: call.field('lastName'),
        phone: call.field('phone'),
        address: call.field('address'),
        locale: localeField(call),
        role: roleField(call),
        password: call.form.get('password') || undefined,
      },
      call.actor,
    );
    const done = hasPassword(user) ? 'admin.users.added' : 'admin.users.added_invited';
    return call.goTo(`${PATH}/${user.id}`, call.view.t(done));
  });
}

function newUserPage({ view }: PageCall, refused?: Filled): Page {
  return { title: view.t('admin.users.add'), body: userForm(view, refused) };
}
