/** /admin/requests and /admin/find: search by filter, or by what a customer reads out on the phone. */
import { html } from 'hono/html';
import { REQUEST_STATUSES } from '../../../core/lifecycle.js';
import { ANY_TIME, type TimeRange } from '../../../core/calls/listing.js';
import type { Context } from '../../../core/context.js';
import {
  everyRequest,
  findCustomers,
  findRequests,
  type Wanted,
} from '../../../core/requests/find-requests.js';
import { countByStatus, type RequestView } from '../../../core/requests/requests.js';
import { findUserCalled } from '../../../core/users/users.js';
import { boundsOfDay } from '../../../core/zone.js';
import type { RequestStatus, UserRow } from '../../../core/rows.js';
import type { Parts } from '../../parts.js';
import { addressOf, queryOf } from '../address.js';
import * as ui from '../components.js';
import * as lists from '../lists.js';
import * as tables from '../table.js';
import { csvTime, sendCsv, type CsvColumn } from '../csv.js';
import { SEARCH_LENGTH_MAX } from '../layout.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { ago, count, day, isLately, nameOf, waiting, wordOf, type Markup, type View } from '../view.js';

const PATH = '/admin/requests';
const PER_PAGE = 25;
const CUSTOMERS_MAX = 10;
const NAME_LENGTH_MAX = 254;

/** Each is that of an index; the first is the list's own. */
const ORDERS = ['created-desc', 'created-asc', 'since-asc', 'since-desc'] as const;
type Order = (typeof ORDERS)[number];

interface Wish {
  search: string;
  status: RequestStatus | undefined;
  /** Whose: an e-mail address or a number. */
  owner: string;
  after: string;
  before: string;
  order: Order;
}

/** What is shown of the list. */
interface Shown {
  title: string;
  rows: RequestView[];
  /** The way to the other rows. */
  paging: Markup;
}

export function requestsPage(parts: Parts) {
  return new Pages(parts, 'requests')
    .get('/admin/find', (call) => call.c.redirect(placeOf(call.ctx, call.query('q', SEARCH_LENGTH_MAX)), 303))
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const wish = wishOf(call);
      const shown = shownOf(call, wish);
      if (!('rows' in shown)) return shown;
      const isPlain = hasOnlyStatus(wish);
      const body = [
        tabs(view, wish, isPlain ? countByStatus(ctx) : undefined),
        filterForm(view, wish),
        customerCard(view, wish.search === '' ? [] : findCustomers(ctx, wish.search, CUSTOMERS_MAX)),
        list(view, wish, shown, isPlain && !wish.status ? 'admin.requests.empty' : 'admin.requests.none'),
        shown.paging,
      ];
      return { title: view.t('admin.nav.requests'), search: wish.search, body };
    })
    .get(`${PATH}.csv`, (call) => {
      const wish = wishOf(call);
      return sendCsv(call, PATH, csvColumns(call.view), everyRequest(call.ctx, wantedOf(call, wish)));
    });
}

function isBySince({ order }: Pick<Wish, 'order'>): boolean {
  return order.startsWith('since');
}

function hasOnlyStatus({ search, owner, after, before }: Wish): boolean {
  return [search, owner, after, before].every((word) => word === '');
}

function shownOf(call: PageCall, wish: Wish): Shown | Promise<Response> {
  const { view, page } = call;
  const { t } = view;
  const { total, rows, isCapped } = findRequests(call.ctx, {
    ...wantedOf(call, wish),
    by: isBySince(wish) ? 'statusSince' : 'createdAt',
    direction: tables.directionOf(wish.order),
    limit: PER_PAGE,
    offset: (page - 1) * PER_PAGE,
  });
  const last = Math.max(1, Math.ceil(total / PER_PAGE));
  if (page > last) {
    const message = t('admin.list.last_page', { page: count(view, page) });
    return call.goTo(hrefOf(wish, { page: String(last) }), { type: 'info', message });
  }
  return {
    title: isCapped
      ? t('admin.requests.capped', { total: count(view, total) })
      : view.t('admin.requests.found', { count: total }),
    rows,
    paging: html`${lists.paging(view, { path: PATH, query: wished(wish), page, perPage: PER_PAGE, total })}`,
  };
}

/** The target of a search: the only match, else the list. */
function placeOf(ctx: Context, search: string): string {
  if (search === '') return PATH;
  const filter = { owner: null, status: null, createdAt: ANY_TIME };
  const { rows, total } = findRequests(ctx, { search, filter, limit: 1, offset: 0 });
  const [request, others] = [rows[0], findCustomers(ctx, search, 2)];
  const isOwners = others.every(({ id }) => id === request?.customer.id);
  if (request && total === 1 && isOwners) return `${PATH}/${request.request.id}`;
  if (!request && others.length === 1) return `/admin/users/${others[0]?.id}`;
  return hrefOf({ search });
}

/** What is wrong with it is said in the call's notices. */
function wishOf(call: PageCall): Wish {
  const wish: Wish = {
    search: call.query('q', SEARCH_LENGTH_MAX),
    status: call.choice('status', 'admin.field.status', REQUEST_STATUSES),
    owner: call.query('owner', NAME_LENGTH_MAX),
    after: call.day('after', 'admin.requests.after'),
    before: call.day('before', 'admin.requests.before'),
    order: call.choice('order', 'admin.list.order', ORDERS) ?? ORDERS[0],
  };
  if (!isBySince(wish) || wish.search === '') return wish;
  call.notices.push(call.view.t('admin.requests.not_by_since'));
  return { ...wish, order: ORDERS[0] };
}

function wantedOf(call: PageCall, wish: Wish): Pick<Wanted, 'search' | 'filter'> {
  const { search, status, owner } = wish;
  const customer = owner === '' ? undefined : findUserCalled(call.ctx, owner);
  if (owner !== '' && !customer) call.notices.push(call.view.t('admin.requests.no_owner', { owner }));
  return {
    search,
    filter: {
      owner: owner === '' ? null : [customer?.id ?? 0],
      status: status ? [status] : null,
      createdAt: daysAsked(call.view, wish),
    },
  };
}

/** From the start of the first day to the end of the last, in the page's time zone. */
function daysAsked({ timeZone }: View, { after, before }: Wish): TimeRange {
  return {
    from: after ? boundsOfDay(timeZone, after).from.toISOString() : null,
    until: before ? boundsOfDay(timeZone, before).until.toISOString() : null,
  };
}

function wished(
  { search, status, owner, after, before, order }: Partial<Wish>,
  more: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const given = { q: search, status, owner, after, before, order: order === ORDERS[0] ? undefined : order };
  return queryOf({ ...given, ...more });
}

function hrefOf(wish: Partial<Wish>, more?: Readonly<Record<string, string>>): string {
  return addressOf(PATH, wished(wish, more));
}

function tabs(view: View, wish: Wish, counts: Record<RequestStatus, number> | undefined): Markup {
  const { t } = view;
  const tab = (status: RequestStatus | undefined, words: string) => {
    const number = status && counts?.[status];
    return html`<li>
      <a href="${hrefOf({ ...wish, status })}" ${status === wish.status ? html`aria-current="page"` : ''}
        >${words}${number === undefined ? '' : html` <span class="num">${count(view, number)}</span>`}</a
      >
    </li>`;
  };
  return html`<nav aria-label="${t('admin.field.status')}">
    <ul class="tabs mb-0">
      ${tab(undefined, t('admin.requests.all'))}
      ${REQUEST_STATUSES.map((status) => tab(status, wordOf(view, 'state', status)))}
    </ul>
  </nav>`;
}

function filterForm(view: View, { search, status, owner, after, before, order }: Wish): Markup {
  const { t } = view;
  const date = (name: 'after' | 'before', value: string) =>
    html`<div>
      <label for="${name}">${t(`admin.requests.${name}`)}</label>
      <input class="form-control" type="date" id="${name}" name="${name}" value="${value}" />
    </div>`;
  const fields = html`${status ? ui.hiddenField('status', status) : ''}
    ${search ? ui.hiddenField('q', search) : ''} ${order === ORDERS[0] ? '' : ui.hiddenField('order', order)}
    ${lists.searchField('owner', t('admin.requests.owner'), owner, NAME_LENGTH_MAX, 'owner')}
    ${date('after', after)} ${date('before', before)}
    <div class="actions">
      ${lists.findButton(view)}
      ${search || owner || after || before ? html`<a class="btn btn-outline-secondary" href="${PATH}">${t('admin.requests.clear')}</a>` : ''}
    </div>`;
  return lists.filterForm(PATH, fields);
}

/** Nothing when the words are nobody's. */
function customerCard(view: View, customers: readonly UserRow[]): Markup {
  const { t } = view;
  if (customers.length === 0) return html``;
  return ui.card(
    t('admin.find.customers'),
    tables.table(customers, '', [
      tables.leadColumn(t('admin.field.customer'), (user) =>
        ui.lead(`/admin/users/${user.id}`, nameOf(user) || user.username, ui.address(user.username)),
      ),
      tables.column(t('admin.field.phone'), ({ phone }) => phone ?? '', 'text-end'),
    ]),
  );
}

function list(
  view: View,
  wish: Wish,
  { title, rows }: Shown,
  none: 'admin.requests.empty' | 'admin.requests.none',
): Markup {
  return lists.listCard(view, title, {
    rows,
    none: view.t(none),
    columns: requestColumns(view, wish),
    file: lists.csvButton(view, PATH, wished({ ...wish, order: ORDERS[0] })),
  });
}

function requestColumns(view: View, wish: Wish): tables.Column<RequestView>[] {
  const { t } = view;
  const to = (order: Order) => hrefOf({ ...wish, order });
  return [
    tables.leadColumn(
      t('admin.field.request'),
      ({ request, customer }) =>
        html`<a class="title" href="${PATH}/${request.id}">${request.title}</a>
          <div class="soft small">
            <span class="num">${request.reference}</span
            ><span class="d-md-none any"> · ${nameOf(customer) || customer.username}</span>
          </div>
          <div class="d-md-none mt-1">
            ${ui.state(view, request.status)} <span class="soft small">${since(view, request)}</span>
          </div>`,
    ),
    tables.column(
      t('admin.field.customer'),
      ({ customer }) =>
        html`${nameOf(customer)}
          <div class="soft">${ui.address(customer.username)}</div>`,
      `${tables.FROM_MD} who-cell`,
      'small any',
    ),
    tables.column(
      t('admin.field.status'),
      ({ request }) =>
        html`${ui.state(view, request.status)}
          <div class="d-lg-none soft small">${since(view, request)}</div>`,
      tables.FROM_MD,
      '',
    ),
    tables.sortable(
      tables.column(
        t('admin.field.since'),
        ({ request }) => since(view, request),
        `${tables.FROM_LG} text-end`,
      ),
      wish.search === '' ? tables.sorting(wish.order, 'since', 'asc', to) : undefined,
    ),
    tables.sortable(
      tables.column(
        t('admin.field.created'),
        ({ request }) => day(view, request.createdAt),
        `${tables.FROM_LG} text-end`,
      ),
      tables.sorting(wish.order, 'created', 'desc', to),
    ),
  ];
}

function since(view: View, { status, statusSince }: RequestView['request']): Markup {
  if (status.startsWith('WAITING_')) return waiting(view, statusSince);
  return isLately(view, statusSince) ? ago(view, statusSince) : day(view, statusSince);
}

function csvColumns(view: View): CsvColumn<RequestView>[] {
  const { t } = view;
  return [
    [t('admin.field.reference'), ({ request }) => request.reference],
    [t('admin.field.request'), ({ request }) => request.title],
    [t('admin.field.customer'), ({ customer }) => nameOf(customer)],
    [t('admin.login.username'), ({ customer }) => customer.username],
    [t('admin.field.phone'), ({ customer }) => customer.phone],
    [t('admin.field.status'), ({ request }) => wordOf(view, 'state', request.status)],
    csvTime(view, t('admin.field.since'), ({ request }) => request.statusSince),
    csvTime(view, t('admin.field.created'), ({ request }) => request.createdAt),
  ];
}
