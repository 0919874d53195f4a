/** /admin/inbox: inbound events, and rejected deliveries. */
import { cursorOf } from '../../../core/calls/cursor.js';
import { html } from 'hono/html';
import { everyRow } from '../../../core/calls/every-row.js';
import {
  getInboxEvent,
  INBOX_SOURCES,
  INBOX_STATES,
  newestRejected,
  searchInbox,
  type InboxEvent,
  type ListedEvent,
  type OpenedEvent,
  type RejectedDeliveryRow,
} from '../../../core/inbox/inbox.js';
import { boundsOfDay } from '../../../core/zone.js';
import type { Parts } from '../../parts.js';
import { addressOf, queryOf } from '../address.js';
import * as ui from '../components.js';
import * as lists from '../lists.js';
import * as tables from '../table.js';
import { csvTime, sendCsv, type CsvColumn } from '../csv.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { moment, wordOf, type Markup, type View } from '../view.js';

const PATH = '/admin/inbox';
const PER_PAGE = 50;
const SUBJECT_LENGTH_MAX = 200;
/** The first is the list's own. */
const ORDERS = ['received-desc', 'received-asc'] as const;

type Wish = ReturnType<typeof wishOf>;

export function inboxPages(parts: Parts) {
  return new Pages(parts, 'inbox')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { t } = view;
      const wish = wishOf(call);
      const pastId = lists.placeIn(call);
      const found = searchInbox(ctx, {
        ...filterOf(view, wish),
        direction: tables.directionOf(wish.order),
        pastId,
        limit: PER_PAGE + 1,
      });
      const { shown, last } = lists.pageOf(found, PER_PAGE);
      const list = {
        rows: shown,
        none: t(isFiltered(wish) ? 'admin.inbox.none_fits' : 'admin.inbox.none'),
        columns: eventColumns(view, wish),
        file: lists.csvButton(view, PATH, wished(wish)),
      };
      const rejected = newestRejected(ctx);
      const body = [
        filters(view, wish),
        lists.listCard(view, t('admin.inbox.events'), list),
        lists.steps(view, {
          first: pastId === undefined ? undefined : addressOf(PATH, wished(wish)),
          previous: undefined,
          next: last && addressOf(PATH, wished(wish, last)),
        }),
        ui.card(t('admin.inbox.rejected'), rejectedTable(view, rejected)),
      ];
      return { title: t('admin.nav.inbox'), body };
    })
    .get(`${PATH}.csv`, (call) => {
      const filter = filterOf(call.view, wishOf(call));
      const page = (last: ListedEvent | undefined, limit: number) =>
        searchInbox(call.ctx, { ...filter, direction: 'desc', pastId: last?.id, limit });
      return sendCsv(call, PATH, csvColumns(call.view), everyRow(page));
    })
    .get(`${PATH}/:id{[0-9]+}`, ({ ctx, view, id }) => {
      const opened = getInboxEvent(ctx, id);
      return { title: opened.event.eventName, body: eventSheet(view, opened) };
    });
}

function wishOf(call: PageCall) {
  return {
    q: call.query('q', SUBJECT_LENGTH_MAX),
    source: call.choice('source', 'admin.field.source', INBOX_SOURCES),
    status: call.choice('status', 'admin.field.status', INBOX_STATES),
    since: call.day('since', 'admin.history.since'),
    order: call.choice('order', 'admin.list.order', ORDERS) ?? ORDERS[0],
  };
}

function isFiltered({ q, source, status, since }: Wish): boolean {
  return [q, source, status, since].some(Boolean);
}

function filterOf({ timeZone }: View, { q, source, status, since }: Wish) {
  return {
    subjectId: q || undefined,
    source,
    state: status,
    since: since ? boundsOfDay(timeZone, since).from.toISOString() : undefined,
  };
}

function wished({ order, ...wish }: Wish, last?: { id: number }): URLSearchParams {
  return queryOf({ ...wish, order: order === ORDERS[0] ? undefined : order, cursor: last && cursorOf(last) });
}

function filters(view: View, wish: Wish): Markup {
  const { t } = view;
  return lists.filterForm(PATH, [
    lists.searchField('subject', t('admin.inbox.search'), wish.q, SUBJECT_LENGTH_MAX),
    lists.selectField(
      view,
      'source',
      t('admin.field.source'),
      wish.source,
      INBOX_SOURCES.map((source) => [source, wordOf(view, 'timeline.source', source)] as const),
    ),
    lists.selectField(
      view,
      'status',
      t('admin.field.status'),
      wish.status,
      INBOX_STATES.map((state) => [state, wordOf(view, 'state', state)] as const),
    ),
    lists.dayField('since', t('admin.history.since'), wish.since),
    html`<div class="actions">${lists.findButton(view)} ${lists.showAll(view, PATH, isFiltered(wish))}</div>`,
  ]);
}

function eventColumns(view: View, wish: Wish): tables.Column<ListedEvent>[] {
  const { t } = view;
  return [
    tables.leadColumn(
      t('admin.field.event'),
      (event) =>
        html`${ui.lead(`${PATH}/${event.id}`, ui.address(event.eventName), ui.address(event.subjectId))}
          <div class="d-md-none small">${outcome(view, event)}</div>
          <div class="d-lg-none soft small">
            ${moment(view, event.receivedAt)}
            ${event.requestId === null ? '' : html`<span class="d-md-none">· ${ui.requestLink(view, event.requestId)}</span>`}
          </div>`,
    ),
    tables.column(
      t('admin.field.source'),
      ({ source }) => wordOf(view, 'timeline.source', source),
      tables.FROM_LG,
    ),
    tables.stateColumn(
      view,
      (event) =>
        html`${ui.state(view, event.state)}
          <div class="d-none d-md-block soft small">${outcome(view, event)}</div>`,
    ),
    tables.column(
      t('admin.field.request'),
      ({ requestId }) => (requestId === null ? '' : ui.requestLink(view, requestId)),
      tables.FROM_MD,
      'small text-nowrap',
    ),
    tables.sortable(
      tables.column(
        t('admin.field.received'),
        ({ receivedAt }) => moment(view, receivedAt),
        `${tables.FROM_LG} text-end`,
      ),
      tables.sorting(wish.order, 'received', 'desc', (order) => addressOf(PATH, wished({ ...wish, order }))),
    ),
  ];
}

function csvColumns(view: View): CsvColumn<ListedEvent>[] {
  const { t } = view;
  return [
    [t('admin.list.number'), ({ id }) => id],
    [t('admin.field.event'), ({ eventName }) => eventName],
    [t('admin.inbox.subject'), ({ subjectId }) => subjectId],
    [t('admin.field.source'), ({ source }) => wordOf(view, 'timeline.source', source)],
    [t('admin.field.request'), ({ requestId }) => requestId],
    [t('admin.field.status'), ({ state }) => wordOf(view, 'state', state)],
    [t('admin.inbox.outcome'), (event) => outcome(view, event)],
    csvTime(view, t('admin.field.received'), ({ receivedAt }) => receivedAt),
    csvTime(view, t('admin.inbox.finished'), ({ finishedAt }) => finishedAt),
  ];
}

function outcome(view: View, event: Pick<InboxEvent, 'outcome'>): string {
  return event.outcome === null ? '' : wordOf(view, 'inbox.outcome', event.outcome);
}

function rejectedTable(view: View, rejected: RejectedDeliveryRow[]): Markup {
  const { t } = view;
  return tables.table(rejected, t('admin.inbox.none_rejected'), [
    tables.leadColumn(
      t('admin.field.reason_why'),
      ({ reason, claimedId, source }) =>
        html`${wordOf(view, 'inbox.rejected', reason)}
          <div class="soft small">
            ${wordOf(view, 'timeline.source', source)}
            ${claimedId ? html`· <a href="/admin/find?${new URLSearchParams({ q: claimedId }).toString()}">${ui.address(claimedId)}</a>` : ''}
          </div>`,
    ),
    tables.column(
      t('admin.sessions.place'),
      ({ address, size }) =>
        html`${address}
          <div class="soft">${size} B</div>`,
      tables.FROM_MD,
      'small num any',
    ),
    tables.column(t('admin.field.received'), ({ at }) => moment(view, at), 'text-end'),
  ]);
}

function eventSheet(view: View, { event, requestId }: OpenedEvent): Markup[] {
  const { t } = view;
  return [
    ui.card(
      t('admin.inbox.event', { id: event.id }),
      ui.facts([
        [t('admin.field.status'), ui.state(view, event.state)],
        [t('admin.inbox.outcome'), outcome(view, event)],
        [t('admin.field.source'), wordOf(view, 'timeline.source', event.source)],
        [t('admin.field.request'), requestId === undefined ? null : ui.requestLink(view, requestId)],
        [t('admin.inbox.subject'), html`<code>${event.subjectId}</code>`],
        [t('admin.inbox.key'), html`<code>${event.eventKey}</code>`],
        [t('admin.field.received'), moment(view, event.receivedAt)],
        [t('admin.inbox.finished'), event.finishedAt && moment(view, event.finishedAt)],
      ]),
    ),
    event.body ? ui.card(t('admin.inbox.body'), ui.jsonBlock(event.body.toString('utf8'))) : html``,
  ];
}
