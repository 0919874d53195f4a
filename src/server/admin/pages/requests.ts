/** /admin/requests: found by filter, or by what somebody reads out on the phone. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { REQUEST_STATUSES } from '../../../core/lifecycle.js';
import type { TimeRange } from '../../../core/listing.js';
import {
  browseRequests,
  countByStatus,
  type BrowsedRequest,
  type BrowsedRequests,
} from '../../../core/requests/browse-requests.js';
import { boundsOfDay } from '../../../core/zone.js';
import type { RequestStatus } from '../../../db/schema.js';
import type { Env, Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import { card, pageNumber, paging, state, table } from '../pieces.js';
import { sendPage, viewOf } from '../respond.js';
import { count, counted, day, label, type Markup, type View } from '../view.js';

const PATH = '/admin/requests';
const PER_PAGE = 25;
const SEARCH_LENGTH_MAX = 200;

interface Wish {
  search: string;
  status: RequestStatus | undefined;
  after: string;
  before: string;
}

export function requestsPage(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().get(PATH, async (c) => {
    const view = viewOf(c, parts);
    const wish = wishOf((name) => c.req.query(name) ?? '');
    const page = pageNumber(c.req.query('page'));
    const found = browseRequests(ctx, {
      search: wish.search,
      filter: {
        status: wish.status ? [wish.status] : null,
        createdAt: daysAsked(view, wish),
      },
      limit: PER_PAGE,
      offset: (page - 1) * PER_PAGE,
    });
    const last = Math.max(1, Math.ceil(found.total / PER_PAGE));
    // A page that was turned to before the list grew shorter.
    if (page > last) return c.redirect(`${PATH}?${pageQuery(wish, last)}`, 303);
    const isPlain = wish.search === '' && wish.after === '' && wish.before === '';
    const body = [
      tabs(view, wish, isPlain ? countByStatus(ctx) : undefined),
      searchForm(view, wish),
      list(view, found, isPlain && !wish.status ? 'admin.requests.empty' : 'admin.requests.none'),
      html`${paging(view, { path: PATH, query: queryOf(wish), page, perPage: PER_PAGE, total: found.total })}`,
    ];
    return sendPage(c, parts, view, { title: view.t('admin.nav.requests'), section: 'requests', body });
  });
}

function wishOf(query: (name: string) => string): Wish {
  return {
    search: query('q').trim().slice(0, SEARCH_LENGTH_MAX),
    status: REQUEST_STATUSES.find((each) => each.toLowerCase() === query('status').toLowerCase()),
    after: isDay(query('after')) ? query('after') : '',
    before: isDay(query('before')) ? query('before') : '',
  };
}

/** From the beginning of the one day to the end of the other, in the zone in which the page shows its times. */
function daysAsked({ timeZone }: View, { after, before }: Wish): TimeRange {
  return {
    from: after ? boundsOfDay(timeZone, after).from.toISOString() : null,
    until: before ? boundsOfDay(timeZone, before).until.toISOString() : null,
  };
}

function isDay(word: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(word) && !Number.isNaN(Date.parse(`${word}T00:00:00.000Z`));
}

function queryOf({ search, status, after, before }: Partial<Wish>): URLSearchParams {
  const given = { q: search, status, after, before };
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
      ${REQUEST_STATUSES.map((status) => tab(status, label(view, 'admin.state', status)))}
    </ul>
  </nav>`;
}

function searchForm({ t }: View, { search, status, after, before }: Wish): Markup {
  const date = (name: string, value: string) =>
    html`<div>
      <label for="${name}">${t(`admin.requests.${name}` as 'admin.requests.after')}</label>
      <input class="form-control" type="date" id="${name}" name="${name}" value="${value}" />
    </div>`;
  return html`<form class="filters" method="get" action="${PATH}" role="search">
    ${status ? html`<input type="hidden" name="status" value="${status}" />` : ''}
    <div class="grow">
      <label for="q">${t('admin.requests.search')}</label>
      <input
        class="form-control"
        type="search"
        id="q"
        name="q"
        value="${search}"
        maxlength="${SEARCH_LENGTH_MAX}"
      />
    </div>
    ${date('after', after)} ${date('before', before)}
    <div class="actions">
      <button class="btn btn-primary btn-icon">${icon('search')} ${t('admin.requests.find')}</button>
      ${search || after || before ? html`<a class="btn btn-outline-secondary" href="${PATH}">${t('admin.requests.clear')}</a>` : ''}
    </div>
  </form>`;
}

function list(
  view: View,
  { rows, total, isCapped }: BrowsedRequests,
  none: 'admin.requests.empty' | 'admin.requests.none',
): Markup {
  const { t } = view;
  const columns = [
    { head: t('admin.field.request') },
    { head: t('admin.field.customer'), class: 'd-none d-md-table-cell who-cell' },
    { head: t('admin.field.status'), class: 'd-none d-md-table-cell' },
    { head: t('admin.field.created'), class: 'd-none d-lg-table-cell text-end' },
  ];
  const found = isCapped
    ? t('admin.requests.capped', { total: count(view, total) })
    : counted(view, 'admin.requests.found', total);
  return card(
    found,
    table(
      columns,
      rows.map((one) => row(view, one)),
      t(none),
    ),
  );
}

function row(view: View, { request, customer }: BrowsedRequest): Markup {
  const name = `${customer.firstName} ${customer.lastName}`.trim();
  return html`<tr>
    <td class="lead-cell">
      <a class="title" href="${PATH}/${request.id}">${request.title}</a>
      <div class="soft small">
        <span class="num">${request.reference}</span
        ><span class="d-md-none any"> · ${customer.username}</span>
      </div>
      <div class="d-md-none mt-1">${state(view, request.status)}</div>
    </td>
    <td class="d-none d-md-table-cell small any">
      ${name}
      <div class="soft">${customer.username}</div>
    </td>
    <td class="d-none d-md-table-cell">${state(view, request.status)}</td>
    <td class="d-none d-lg-table-cell text-end small">${day(view, request.createdAt)}</td>
  </tr>`;
}
