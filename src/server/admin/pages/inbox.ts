/** /admin/inbox: what the providers have told us, and what was turned away. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import {
  browseInbox,
  getInboxEvent,
  newestRejected,
  type InboxEvent,
  type OpenedEvent,
  type RejectedDeliveryRow,
} from '../../../core/inbox.js';
import { idParam } from '../../iri.js';
import type { Env, Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import { card, facts, jsonBlock, state, table } from '../pieces.js';
import { sendPage, viewOf } from '../respond.js';
import { label, moment, type Markup, type View } from '../view.js';

const PATH = '/admin/inbox';
const PER_PAGE = 50;

export function inboxPages(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>()
    .get(PATH, (c) => {
      const view = viewOf(c, parts);
      const subjectId = (c.req.query('q') ?? '').trim().slice(0, 200);
      const before = c.req.query('before') ?? '';
      const beforeId = /^[1-9]\d{0,14}$/.test(before) ? Number(before) : undefined;
      const events = browseInbox(ctx, { beforeId, subjectId, limit: PER_PAGE });
      const body = [
        search(view, subjectId),
        card(view.t('admin.inbox.events'), eventTable(view, events)),
        older(view, events, subjectId),
        card(view.t('admin.inbox.rejected'), rejectedTable(view, newestRejected(ctx))),
      ];
      return sendPage(c, parts, view, { title: view.t('admin.nav.inbox'), section: 'inbox', body });
    })
    .get(`${PATH}/:id{[0-9]+}`, (c) => {
      const view = viewOf(c, parts);
      const opened = getInboxEvent(ctx, idParam(c));
      const title = opened.event.eventName;
      return sendPage(c, parts, view, { title, section: 'inbox', body: eventSheet(view, opened) });
    });
}

function search({ t }: View, subjectId: string): Markup {
  return html`<form class="filters" method="get" action="${PATH}" role="search">
    <div class="grow">
      <label for="q">${t('admin.inbox.search')}</label>
      <input class="form-control" type="search" id="q" name="q" value="${subjectId}" maxlength="200" />
    </div>
    <button class="btn btn-primary btn-icon">${icon('search')} ${t('admin.requests.find')}</button>
  </form>`;
}

function eventTable(view: View, events: InboxEvent[]): Markup {
  const { t } = view;
  const rows = events.map(
    (event) =>
      html`<tr>
        <td class="lead-cell">
          <a class="title" href="${PATH}/${event.id}">${event.eventName}</a>
          <div class="soft small any">${event.subjectId}</div>
          <div class="d-lg-none soft small">${moment(view, event.receivedAt)}</div>
        </td>
        <td class="d-none d-md-table-cell small">${label(view, 'timeline.source', event.source)}</td>
        <td class="text-end text-md-start">
          ${state(view, event.state)}
          <div class="d-none d-md-block soft small">${outcome(view, event)}</div>
        </td>
        <td class="d-none d-lg-table-cell small text-end">${moment(view, event.receivedAt)}</td>
      </tr>`,
  );
  const columns = [
    { head: t('admin.field.event') },
    { head: t('admin.field.source'), class: 'd-none d-md-table-cell' },
    { head: t('admin.field.status'), class: 'text-end text-md-start' },
    { head: t('admin.field.received'), class: 'd-none d-lg-table-cell text-end' },
  ];
  return table(columns, rows, t('admin.inbox.none'));
}

function outcome(view: View, event: Pick<InboxEvent, 'outcome'>): string {
  return event.outcome === null ? '' : label(view, 'inbox.outcome', event.outcome);
}

function older({ t }: View, events: InboxEvent[], subjectId: string): Markup {
  const last = events.at(-1);
  if (!last || events.length < PER_PAGE || subjectId !== '') return html``;
  return html`<p class="mb-0"><a href="${PATH}?before=${last.id}">${t('admin.inbox.older')}</a></p>`;
}

function rejectedTable(view: View, rejected: RejectedDeliveryRow[]): Markup {
  const { t } = view;
  const rows = rejected.map(
    ({ reason, address, size, claimedId, source, at }) =>
      html`<tr>
        <td class="lead-cell">
          ${label(view, 'inbox.rejected', reason)}
          <div class="soft small any">
            ${label(view, 'timeline.source', source)}${claimedId ? ` · ${claimedId}` : ''}
          </div>
        </td>
        <td class="d-none d-md-table-cell small num any">
          ${address}
          <div class="soft">${size} B</div>
        </td>
        <td class="small text-end">${moment(view, at)}</td>
      </tr>`,
  );
  const columns = [
    { head: t('admin.field.reason_why') },
    { head: t('admin.sessions.place'), class: 'd-none d-md-table-cell' },
    { head: t('admin.field.received'), class: 'text-end' },
  ];
  return table(columns, rows, t('admin.inbox.none_rejected'));
}

function eventSheet(view: View, { event, requestId }: OpenedEvent): Markup[] {
  const { t } = view;
  return [
    card(
      t('admin.inbox.event', { id: event.id }),
      facts([
        [t('admin.field.status'), state(view, event.state)],
        [t('admin.inbox.outcome'), outcome(view, event)],
        [t('admin.field.source'), label(view, 'timeline.source', event.source)],
        [
          t('admin.field.request'),
          requestId === undefined
            ? null
            : html`<a href="/admin/requests/${requestId}">${t('admin.request', { id: requestId })}</a>`,
        ],
        [t('admin.inbox.subject'), html`<code>${event.subjectId}</code>`],
        [t('admin.inbox.key'), html`<code>${event.eventKey}</code>`],
        [t('admin.field.received'), moment(view, event.receivedAt)],
        [t('admin.inbox.finished'), event.finishedAt && moment(view, event.finishedAt)],
      ]),
    ),
    event.body ? card(t('admin.inbox.body'), jsonBlock(event.body.toString('utf8'))) : html``,
  ];
}
