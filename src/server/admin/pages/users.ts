/** /admin/users: accounts; adding one. */
import { html } from 'hono/html';
import { createUser } from '../../../core/users/create-user.js';
import { hasPassword } from '../../../core/users/passwords.js';
import type { UserRow } from '../../../core/users/rights.js';
import { browseUsers } from '../../../core/users/users.js';
import type { Parts } from '../../parts.js';
import * as ui from '../components.js';
import type { Page } from '../layout.js';
import type { PageCall } from '../page-call.js';
import { Pages, type Refused } from '../pages.js';
import { nameOf, day, type Markup, type View } from '../view.js';
import { localeField, roleField, userForm } from './user-forms.js';

const PATH = '/admin/users';
const PER_PAGE = 50;
const NAME_LENGTH_MAX = 254;

export function usersPages(parts: Parts) {
  return new Pages(parts, 'users')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { t } = view;
      const search = call.query('q', NAME_LENGTH_MAX);
      const afterId = ui.idOf(call.query('after')) ?? 0;
      const users = browseUsers(ctx, { search, afterId, limit: PER_PAGE });
      const field = ui.searchField('users', t('admin.users.search'), search, NAME_LENGTH_MAX);
      const more = `${PATH}?after=${users.at(-1)?.id}`;
      return {
        title: t('admin.nav.users'),
        aside: html`<a class="btn btn-primary" href="${PATH}/new">${t('admin.users.add')}</a>`,
        body: [
          ui.filterForm(PATH, [field, ui.findButton(view)]),
          ui.card(t('admin.nav.users'), userTable(view, users)),
          search === '' ? ui.goOn(users, PER_PAGE, more, t('admin.users.more')) : html``,
        ],
      };
    })
    .get(`${PATH}/new`, (call) => newUserPage(call))
    .form(`${PATH}/new`, newUserPage, async (call) => {
      const user = await createUser(
        call.ctx,
        {
          username: call.field('username'),
          firstName: call.field('firstName'),
          lastName: call.field('lastName'),
          phone: call.field('phone'),
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

function newUserPage({ view }: PageCall, refused?: Refused): Page {
  return { title: view.t('admin.users.add'), body: userForm(view, refused) };
}

function userTable(view: View, users: UserRow[]): Markup {
  const { t } = view;
  return ui.table(users, t('admin.users.none'), [
    ui.leadColumn(
      t('admin.login.username'),
      (user) =>
        html`${ui.lead(`${PATH}/${user.id}`, user.username, nameOf(user))}
          <div class="d-md-none soft small">${t(`admin.role.${user.role}`)}</div>`,
    ),
    ui.column(t('admin.field.role'), ({ role }) => t(`admin.role.${role}`), ui.FROM_MD),
    ui.stateColumn(view, ({ enabled }) => ui.state(view, enabled ? 'enabled' : 'disabled')),
    ui.column(t('admin.field.created'), ({ createdAt }) => day(view, createdAt), `${ui.FROM_LG} text-end`),
  ]);
}
