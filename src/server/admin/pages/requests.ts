/** /admin/requests and /admin/find: search by filter, or by what a customer reads out on the phone. */
import { html } from 'hono/html';
import { REQUEST_STATUSES } from '../../../core/lifecycle.js';
import { ANY_TIME, type TimeRange } from '../../../core/calls/listing.js';
import type { Context } from '../../../core/context.js';
import { findCustomers, findRequests, type FoundRequests } from '../../../core/requests/find-requests.js';
import { countByStatus, type RequestView } from '../../../core/requests/requests.js';
import { findUserCalled } from '../../../core/users/users.js';
import { boundsOfDay } from '../../../core/zone.js';
import type { RequestStatus, UserRow } from '../../../db/schema.js';
import type { Parts } from '../../parts.js';
import * as ui from '../components.js';
import { SEARCH_LENGTH_MAX } from '../layout.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { count, counted, day, nameOf, wordOf, type Markup, type View } from '../view.js';

const PATH = '/admin/requests';
const PER_PAGE = 25;
const CUSTOMERS_MAX = 10;
const NAME_LENGTH_MAX = 254;

interface Wish {
  search: string;
  status: RequestStatus | undefined;
  /** Whose: an e-mail address or a number. */
  owner: string;
  after: string;
  before: string;
}

export function requestsPage(parts: Parts) {
  const pages = new Pages(parts, 'requests').get('/admin/find', (call) =>
    call.c.redirect(placeOf(call.ctx, call.query('q', SEARCH_LENGTH_MAX)), 303),
  );
  return pages.get(PATH, (call) => {
    const { ctx, view } = call;
    const wish = wishOf(call);
    const page = ui.pageNumber(call.query('page'));
    const found = findRequests(ctx, {
      search: wish.search,
      filter: {
        owner: wish.owner === '' ? null : [findUserCalled(ctx, wish.owner)?.id ?? 0],
        status: wish.status ? [wish.status] : null,
        createdAt: daysAsked(view, wish),
      },
      limit: PER_PAGE,
      offset: (page - 1) * PER_PAGE,
    });
    const last = Math.max(1, Math.ceil(found.total / PER_PAGE));
    // The list has grown shorter since.
    if (page > last) return call.c.redirect(`${PATH}?${pageQuery(wish, last)}`, 303);
    const isPlain = [wish.search, wish.owner, wish.after, wish.before].every((word) => word === '');
    const body = [
      tabs(view, wish, isPlain ? countByStatus(ctx) : undefined),
      filterForm(view, wish),
      customerCard(view, wish.search === '' ? [] : findCustomers(ctx, wish.search, CUSTOMERS_MAX)),
      list(view, found, isPlain && !wish.status ? 'admin.requests.empty' : 'admin.requests.none'),
      html`${ui.paging(view, { path: PATH, query: queryOf(wish), page, perPage: PER_PAGE, total: found.total })}`,
    ];
    return { title: view.t('admin.nav.requests'), search: wish.search, body };
  });
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
  return `${PATH}?${queryOf({ search }).toString()}`;
}

function wishOf(call: PageCall): Wish {
  const status = call.query('status').toLowerCase();
  return {
    search: call.query('q', SEARCH_LENGTH_MAX),
    status: REQUEST_STATUSES.find((each) => each.toLowerCase() === status),
    owner: call.query('owner', NAME_LENGTH_MAX),
    after: call.day('after'),
    before: call.day('before'),
  };
}

/** From the start of the first day to the end of the last, in the page's time zone. */
function daysAsked({ timeZone }: View, { after, before }: Wish): TimeRange {
  return {
    from: after ? boundsOfDay(timeZone, after).from.toISOString() : null,
    until: before ? boundsOfDay(timeZone, before).until.toISOString() : null,
  };
}

function queryOf({ search, status, owner, after, before }: Partial<Wish>): URLSearchParams {
  const given = { q: search, status, owner, after, before };
  return new URLSearchParams(Object.entries(given).filter((pair): pair is [string, string] => !!pair[1]));
}

function pageQuery(wish: Wish, page: number): string {
  const query = queryOf(wish);
  query.set('page', String(page));
  return query.toString();
}

function tabs(view: View, wish: Wish, counts: Record<RequestStatus, number> | undefined): Markup {
  const { t } = view;
  const tab = (status: RequestStatus | undefined, words: string) => {
    const number = status && counts?.[status];
    const query = queryOf({ ...wish, status }).toString();
    return html`<li>
      <a href="${PATH}${query && `?${query}`}" ${status === wish.status ? html`aria-current="page"` : ''}
        >${words}${number === undefined ? '' : html` <span class="num">${count(view, number)}</span>`}</a
      >
    </li>`;
  };
  return html`<nav aria-label="${t('admin.field.status')}">
    <ul class="tabs mb-0">
      ${tab(undefined, t('admin.requests.all'))}
      ${REQUEST_STATUSES.map((status) => tab(status, wordOf(view, 'admin.state', status)))}
    </ul>
  </nav>`;
}

function filterForm(view: View, { search, status, owner, after, before }: Wish): Markup {
  const { t } = view;
  const date = (name: 'after' | 'before', value: string) =>
    html`<div>
      <label for="${name}">${t(`admin.requests.${name}`)}</label>
      <input class="form-control" type="date" id="${name}" name="${name}" value="${value}" />
    </div>`;
  const fields = html`${status ? ui.hiddenField('status', status) : ''}
    ${search ? ui.hiddenField('q', search) : ''}
    ${ui.searchField('owner', t('admin.requests.owner'), owner, NAME_LENGTH_MAX, 'owner')}
    ${date('after', after)} ${date('before', before)}
    <div class="actions">
      ${ui.findButton(view)}
      ${search || owner || after || before ? html`<a class="btn btn-outline-secondary" href="${PATH}">${t('admin.requests.clear')}</a>` : ''}
    </div>`;
  return ui.filterForm(PATH, fields);
}

/** Nothing when the words are nobody's. */
function customerCard(view: View, customers: readonly UserRow[]): Markup {
  const { t } = view;
  if (customers.length === 0) return html``;
  return ui.card(
    t('admin.find.customers'),
    ui.table(customers, '', [
      ui.leadColumn(t('admin.field.customer'), (user) =>
        ui.lead(`/admin/users/${user.id}`, nameOf(user) || user.username, user.username),
      ),
      ui.column(t('admin.field.phone'), ({ phone }) => phone ?? '', 'text-end'),
    ]),
  );
}

function list(
  view: View,
  { rows, total, isCapped }: FoundRequests,
  none: 'admin.requests.empty' | 'admin.requests.none',
): Markup {
  const { t } = view;
  const found = isCapped
    ? t('admin.requests.capped', { total: count(view, total) })
    : counted(view, 'admin.requests.found', total);
  return ui.card(found, requestTable(view, rows, t(none)));
}

function requestTable(view: View, rows: RequestView[], none: string): Markup {
  const { t } = view;
  return ui.table(rows, none, [
    ui.leadColumn(
      t('admin.field.request'),
      ({ request, customer }) =>
        html`<a class="title" href="${PATH}/${request.id}">${request.title}</a>
          <div class="soft small">
            <span class="num">${request.reference}</span
            ><span class="d-md-none any"> · ${customer.username}</span>
          </div>
          <div class="d-md-none mt-1">${ui.state(view, request.status)}</div>`,
    ),
    ui.column(
      t('admin.field.customer'),
      ({ customer }) =>
        html`${nameOf(customer)}
          <div class="soft">${customer.username}</div>`,
      `${ui.FROM_MD} who-cell`,
      'small any',
    ),
    ui.column(t('admin.field.status'), ({ request }) => ui.state(view, request.status), ui.FROM_MD, ''),
    ui.column(
      t('admin.field.created'),
      ({ request }) => day(view, request.createdAt),
      `${ui.FROM_LG} text-end`,
    ),
  ]);
}
