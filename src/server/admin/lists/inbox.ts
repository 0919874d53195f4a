/** /admin/inbox: inbound events, and rejected deliveries. */
import { html } from 'hono/html';
import {
  getInboxEvent,
  newestRejected,
  type OpenedEvent,
  type RejectedDeliveryRow,
} from '../../../core/inbox/inbox.js';
import { INBOX } from '../../../core/resources/inbox.js';
import type { Parts } from '../../parts.js';
import { linkTo } from '../frame/address.js';
import * as ui from '../frame/components.js';
import { factsOf } from './field-columns.js';
import { listPage } from './list-page.js';
import { Pages } from '../frame/pages.js';
import * as tables from './table.js';
import { moment, wordOf, type Markup, type View } from '../frame/view.js';

const PATH = '/admin/inbox';

export function inboxPages(parts: Parts) {
  return listPage(new Pages(parts, 'inbox'), INBOX, {
    path: PATH,
    title: 'admin.nav.inbox',
    heading: 'admin.inbox.events',
    none: 'admin.inbox.none',
    noneFits: 'admin.inbox.none_fits',
    perPage: 50,
    below: ({ ctx, view }) => [
      ui.card(view.t('admin.inbox.rejected'), rejectedTable(view, newestRejected(ctx))),
    ],
  }).get(`${PATH}/:id{[0-9]+}`, ({ ctx, view, id }) => {
    const opened = getInboxEvent(ctx, id);
    return { title: opened.event.eventName, body: eventSheet(view, opened) };
  });
}

function rejectedTable(view: View, rejected: RejectedDeliveryRow[]): Markup {
  const { t } = view;
  return tables.table(rejected, t('admin.inbox.none_rejected'), [
    tables.leadColumn(
      t('list.disabledReason'),
      ({ reason, claimedId, source }) =>
        html`${wordOf(view, 'inbox.rejected', reason)}
          <div class="soft small">
            ${wordOf(view, 'timeline.source', source)}
            ${claimedId ? html`· <a href="${linkTo('/admin/find', { q: claimedId })}">${ui.address(claimedId)}</a>` : ''}
          </div>`,
    ),
    tables.column(
      t('mail.label.url'),
      ({ address, size }) =>
        html`${address}
          <div class="soft">${size} B</div>`,
      tables.FROM_MD,
      'small num any',
    ),
    tables.column(t('list.receivedAt'), ({ at }) => moment(view, at), 'text-end'),
  ]);
}

function eventSheet(view: View, { event, requestId }: OpenedEvent): Markup[] {
  const { t } = view;
  return [
    ui.card(
      t('admin.inbox.event', { id: event.id }),
      ui.facts([
        ...factsOf(view, INBOX, { ...event, requestId: requestId ?? null }),
        [t('list.eventKey'), html`<code>${event.eventKey}</code>`],
      ]),
    ),
    event.body ? ui.card(t('admin.inbox.body'), ui.jsonBlock(event.body.toString('utf8'))) : html``,
  ];
}
