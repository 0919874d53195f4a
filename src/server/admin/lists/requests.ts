/** /admin/requests and /admin/find: search by filter, or by what a customer reads out on the phone. */
import { html } from 'hono/html';
import type { Context } from '../../../core/context.js';
import { REQUEST_STATUSES } from '../../../core/lifecycle.js';
import { findCustomers, findRequests } from '../../../core/requests/find-requests.js';
import { countByStatus } from '../../../core/requests/requests.js';
import { REQUESTS } from '../../../core/resources/requests.js';
import type { RequestStatus, UserRow } from '../../../core/rows.js';
import type { Parts } from '../../parts.js';
import { linkTo, figure, wordOf, type Markup, type View } from '../frame/view.js';
import * as ui from '../frame/components.js';
import { SEARCH_LENGTH_MAX } from '../frame/layout.js';
import { listPage } from './list-page.js';
import { Pages } from '../frame/pages.js';
import * as tables from './table.js';
import { CHOICE } from '../acts/requests.js';
import { nameOrAddress } from '../../../core/users/names.js';

const PATH = '/admin/requests';
const CUSTOMERS_MAX = 10;

export function requestsPage(parts: Parts) {
  const pages = new Pages(parts, 'requests').get('/admin/find', (call) =>
    call.c.redirect(placeOf(call.ctx, call.query('q', SEARCH_LENGTH_MAX)), 303),
  );
  return listPage(pages, REQUESTS, {
    path: PATH,
    title: 'admin.nav.requests',
    heading: ({ view }, { total = 0, isCapped = false }) =>
      isCapped
        ? view.t('admin.requests.capped', { total: figure(view, total) })
        : view.t('todo.requests', { count: total }),
    none: 'admin.requests.empty',
    noneFits: 'admin.requests.none',
    perPage: 25,
    aside: ({ view: { t } }) =>
      html`<a class="btn btn-primary" href="${PATH}/new">${t('admin.entry.new')}</a>`,
    choice: CHOICE,
    apart: ['search', 'status'],
    above: ({ ctx, view }, { words }) => {
      const { status: _, order: __, search = '', ...others } = words;
      const isPlain = search === '' && Object.keys(others).length === 0;
      return [
        tabs(view, words, isPlain ? countByStatus(ctx) : undefined),
        customerCard(view, search === '' ? [] : findCustomers(ctx, search, CUSTOMERS_MAX)),
      ];
    },
  });
}

/** The target of a search: the only match, else the list. */
function placeOf(ctx: Context, search: string): string {
  if (search === '') return PATH;
  const { rows, total } = findRequests(ctx, search, 1);
  const [request, others] = [rows[0], findCustomers(ctx, search, 2)];
  const isOwners = others.every(({ id }) => id === request?.customer.id);
  if (request && total === 1 && isOwners) return `${PATH}/${request.request.id}`;
  if (!request && others.length === 1) return `/admin/users/${others[0]?.id}`;
  return linkTo(PATH, { search });
}

function tabs(
  view: View,
  words: Readonly<Record<string, string>>,
  counts: Record<RequestStatus, number> | undefined,
): Markup {
  const { t } = view;
  const { status: chosen, ...others } = words;
  const tab = (status: RequestStatus | undefined, words: string) => {
    const number = status && counts?.[status];
    return html`<li>
      <a href="${linkTo(PATH, { ...others, status })}" ${status === chosen ? html`aria-current="page"` : ''}
        >${words}${number === undefined ? '' : html` <span class="num">${figure(view, number)}</span>`}</a
      >
    </li>`;
  };
  return html`<nav aria-label="${t('list.status')}">
    <ul class="tabs mb-0">
      ${tab(undefined, t('admin.requests.all'))}
      ${REQUEST_STATUSES.map((status) => tab(status, wordOf(view, 'state', status)))}
    </ul>
  </nav>`;
}

/** Nothing when the words are nobody's. */
function customerCard(view: View, customers: readonly UserRow[]): Markup {
  const { t } = view;
  if (customers.length === 0) return html``;
  return ui.card(
    t('admin.nav.users'),
    tables.table(customers, '', [
      tables.leadColumn(t('list.customer'), (user) =>
        ui.lead(`/admin/users/${user.id}`, nameOrAddress(user), ui.address(user.username)),
      ),
      tables.column(t('list.phone'), ({ phone }) => phone ?? '', 'text-end'),
    ]),
  );
}
