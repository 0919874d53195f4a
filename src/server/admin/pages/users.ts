/** /admin/users: who may log in; adding people. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { AppError } from '../../../core/errors.js';
import { createUser } from '../../../core/users/create-user.js';
import { actorOf, type UserRow } from '../../../core/users/rights.js';
import { normalUsername } from '../../../core/users/user-fields.js';
import { browseUsers } from '../../../core/users/users.js';
import type { Env, Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import { alertOf } from '../layout.js';
import { card, state, table } from '../pieces.js';
import { goTo, sendPage, viewOf } from '../respond.js';
import { day, type Markup, type View } from '../view.js';
import { guardedForm, type Call } from '../visit.js';
import { nameOf } from './user.js';
import { userForm, type Entered } from './user-forms.js';

const PATH = '/admin/users';
const PER_PAGE = 50;

export function usersPages(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>()
    .get(PATH, (c) => {
      const view = viewOf(c, parts);
      const search = (c.req.query('q') ?? '').trim().slice(0, 254);
      const after = c.req.query('after') ?? '';
      const afterId = /^\d{1,15}$/.test(after) ? Number(after) : 0;
      const users = browseUsers(ctx, { username: normalUsername(search), afterId, limit: PER_PAGE });
      const body = [
        searchForm(view, search),
        card(view.t('admin.nav.users'), userTable(view, users)),
        more(view, users),
      ];
      const aside = html`<a class="btn btn-primary" href="${PATH}/new">${view.t('admin.users.add')}</a>`;
      return sendPage(c, parts, view, { title: view.t('admin.nav.users'), section: 'users', aside, body });
    })
    .get(`${PATH}/new`, (c) => newUserPage(c, parts, {}))
    .post(`${PATH}/new`, guardedForm(parts), (c) => addUser(c, parts));
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
    const user = await createUser(parts.ctx, { ...entered, password }, actorOf(c.get('visit').user));
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

function searchForm({ t }: View, search: string): Markup {
  return html`<form class="filters" method="get" action="${PATH}" role="search">
    <div class="grow">
      <label for="q">${t('admin.users.search')}</label>
      <input class="form-control" type="search" id="q" name="q" value="${search}" maxlength="254" />
    </div>
    <button class="btn btn-primary btn-icon">${icon('search')} ${t('admin.requests.find')}</button>
  </form>`;
}

function userTable(view: View, users: UserRow[]): Markup {
  const { t } = view;
  const rows = users.map(
    (user) =>
      html`<tr>
        <td class="lead-cell">
          <a class="title" href="${PATH}/${user.id}">${user.username}</a>
          <div class="soft small any">${nameOf(user)}</div>
          <div class="d-md-none soft small">${t(`admin.role.${user.role}`)}</div>
        </td>
        <td class="d-none d-md-table-cell small">${t(`admin.role.${user.role}`)}</td>
        <td class="text-end text-md-start">${state(view, user.enabled ? 'enabled' : 'disabled')}</td>
        <td class="d-none d-lg-table-cell small text-end">${day(view, user.createdAt)}</td>
      </tr>`,
  );
  const columns = [
    { head: t('admin.login.username') },
    { head: t('admin.field.role'), class: 'd-none d-md-table-cell' },
    { head: t('admin.field.status'), class: 'text-end text-md-start' },
    { head: t('admin.field.created'), class: 'd-none d-lg-table-cell text-end' },
  ];
  return table(columns, rows, t('admin.users.none'));
}

function more({ t }: View, users: UserRow[]): Markup {
  const last = users.at(-1);
  if (!last || users.length < PER_PAGE) return html``;
  return html`<p class="mb-0"><a href="${PATH}?after=${last.id}">${t('admin.users.more')}</a></p>`;
}
