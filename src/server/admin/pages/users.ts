/** /admin/users: accounts; adding one. */
import { html } from 'hono/html';
import { AppError } from '../../../core/errors.js';
import { createUser } from '../../../core/users/create-user.js';
import { actorOf, type UserRow } from '../../../core/users/rights.js';
import { normalUsername } from '../../../core/users/user-fields.js';
import { browseUsers } from '../../../core/users/users.js';
import type { Call, Parts } from '../../parts.js';
import { alertOf } from '../layout.js';
import * as ui from '../components.js';
import { goTo, sendPage, viewOf } from '../respond.js';
import { Pages } from '../pages.js';
import { day, nameOf, type Markup, type View } from '../view.js';
import { userForm, type Entered } from './user-forms.js';

const PATH = '/admin/users';
const PER_PAGE = 50;
const NAME_LENGTH_MAX = 254;

export function usersPages(parts: Parts) {
  const { ctx } = parts;
  return new Pages(parts)
    .show(PATH, (view, c) => {
      const { t } = view;
      const search = (c.req.query('q') ?? '').trim().slice(0, NAME_LENGTH_MAX);
      const afterId = ui.idOf(c.req.query('after')) ?? 0;
      const users = browseUsers(ctx, { username: normalUsername(search), afterId, limit: PER_PAGE });
      const field = ui.searchField(t('admin.users.search'), search, NAME_LENGTH_MAX);
      const more = `${PATH}?after=${users.at(-1)?.id}`;
      return {
        title: t('admin.nav.users'),
        section: 'users',
        aside: html`<a class="btn btn-primary" href="${PATH}/new">${t('admin.users.add')}</a>`,
        body: [
          ui.filterForm(PATH, [field, ui.findButton(view)]),
          ui.card(t('admin.nav.users'), userTable(view, users)),
          ui.goOn(users, PER_PAGE, more, t('admin.users.more')),
        ],
      };
    })
    .get(`${PATH}/new`, (c) => newUserPage(c, parts, {}))
    .post(`${PATH}/new`, (c) => addUser(c, parts));
}

async function addUser(c: Call, parts: Parts): Promise<Response> {
  const form = c.get('form');
  const text = (name: string) => (form.get(name) ?? '').trim();
  const entered = {
    username: text('username'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    phone: text('phone'),
    role: text('role') === 'ROLE_ADMIN' ? 'ROLE_ADMIN' : 'ROLE_USER',
  } as const;
  try {
    const password = form.get('password') ?? '';
    const user = await createUser(parts.ctx, { ...entered, password }, actorOf(c.get('session').user));
    const message = viewOf(c, parts).t('admin.users.added');
    return await goTo(c, parts, `${PATH}/${user.id}`, { type: 'success', message });
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
    return newUserPage(c, parts, entered, error.fields);
  }
}

function newUserPage(c: Call, parts: Parts, entered: Entered, faults: Record<string, string> = {}) {
  const view = viewOf(c, parts);
  const isRefused = Object.keys(faults).length > 0;
  const body = [
    isRefused ? alertOf({ type: 'danger', message: view.t('admin.users.faults') }) : html``,
    userForm(view, entered, faults),
  ];
  const page = { title: view.t('admin.users.add'), section: 'users', body } as const;
  return sendPage(c, parts, view, page, { status: isRefused ? 422 : 200 });
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
