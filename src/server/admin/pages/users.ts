/** /admin/users: accounts; adding one. */
import { cursorOf } from '../../../core/calls/cursor.js';
import { html } from 'hono/html';
import { createUser } from '../../../core/users/create-user.js';
import { hasPassword } from '../../../core/users/passwords.js';
import type { UserRow } from '../../../core/users/rights.js';
import { browseUsers, everyUser, findUserCalled } from '../../../core/users/users.js';
import type { Parts } from '../../parts.js';
import { addressOf, queryOf } from '../address.js';
import * as ui from '../components.js';
import * as lists from '../lists.js';
import * as tables from '../table.js';
import { csvTime, sendCsv, type CsvColumn } from '../csv.js';
import type { Page } from '../layout.js';
import type { PageCall } from '../page-call.js';
import { Pages, type Refused } from '../pages.js';
import { nameOf, day, wordOf, type View } from '../view.js';
import { localeField, roleField, userForm } from './user-forms.js';

const PATH = '/admin/users';
const PER_PAGE = 50;
const NAME_LENGTH_MAX = 254;

/** The first is the list's own. */
const ORDERS = ['created-asc', 'created-desc', 'name-asc', 'name-desc'] as const;
type Order = (typeof ORDERS)[number];

export function usersPages(parts: Parts) {
  return new Pages(parts, 'users')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { t } = view;
      const search = call.query('q', NAME_LENGTH_MAX);
      const order = call.choice('order', 'admin.list.order', ORDERS) ?? ORDERS[0];
      const past = findUserCalled(ctx, String(lists.placeIn(call) ?? 0));
      const found = browseUsers(ctx, {
        search,
        by: order.startsWith('name') ? 'username' : 'id',
        direction: tables.directionOf(order),
        past,
        limit: PER_PAGE + 1,
      });
      const { shown, last } = lists.pageOf(found, PER_PAGE);
      const field = lists.searchField('users', t('admin.users.search'), search, NAME_LENGTH_MAX);
      const list = {
        rows: shown,
        none: t('admin.users.none'),
        columns: userColumns(view, search === '' ? order : undefined),
        file: lists.csvButton(view, PATH, queryOf({ q: search })),
      };
      return {
        title: t('admin.nav.users'),
        aside: html`<a class="btn btn-primary" href="${PATH}/new">${t('admin.users.add')}</a>`,
        body: [
          lists.filterForm(PATH, [field, lists.findButton(view)]),
          lists.listCard(view, t('admin.nav.users'), list),
          search === ''
            ? lists.steps(view, {
                first: past && hrefOf(order),
                previous: undefined,
                next: last && hrefOf(order, last),
              })
            : html`${last && html`<p class="soft mb-0">${t('admin.users.first_ones', { count: PER_PAGE })}</p>`}`,
        ],
      };
    })
    .get(`${PATH}.csv`, (call) =>
      sendCsv(call, PATH, csvColumns(call.view), everyUser(call.ctx, call.query('q', NAME_LENGTH_MAX))),
    )
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

function hrefOf(order: Order, past?: { id: number }): string {
  const query = queryOf({ order: order === ORDERS[0] ? undefined : order, cursor: past && cursorOf(past) });
  return addressOf(PATH, query);
}

/** Undefined: found by words, in no order of its own. */
function userColumns(view: View, order: Order | undefined): tables.Column<UserRow>[] {
  const { t } = view;
  const sorting = (by: 'created' | 'name') =>
    order && tables.sorting(order, by, 'asc', (next) => hrefOf(next));
  return [
    tables.sortable(
      tables.leadColumn(
        t('admin.login.username'),
        (user) =>
          html`${ui.lead(`${PATH}/${user.id}`, ui.address(user.username), nameOf(user))}
            <div class="d-md-none soft small">${t(`admin.role.${user.role}`)}</div>`,
      ),
      sorting('name'),
    ),
    tables.column(t('admin.field.role'), ({ role }) => t(`admin.role.${role}`), tables.FROM_MD),
    tables.stateColumn(view, ({ enabled }) => ui.state(view, enabled ? 'enabled' : 'disabled')),
    tables.sortable(
      tables.column(
        t('admin.field.created'),
        ({ createdAt }) => day(view, createdAt),
        `${tables.FROM_LG} text-end`,
      ),
      sorting('created'),
    ),
  ];
}

function csvColumns(view: View): CsvColumn<UserRow>[] {
  const { t } = view;
  return [
    [t('admin.login.username'), ({ username }) => username],
    [t('admin.field.first_name'), ({ firstName }) => firstName],
    [t('admin.field.last_name'), ({ lastName }) => lastName],
    [t('admin.field.phone'), ({ phone }) => phone],
    [t('admin.field.role'), ({ role }) => t(`admin.role.${role}`)],
    [t('admin.field.status'), ({ enabled }) => wordOf(view, 'state', enabled ? 'enabled' : 'disabled')],
    csvTime(view, t('admin.field.created'), ({ createdAt }) => createdAt),
  ];
}
