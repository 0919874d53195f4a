/** /admin/inbox: inbound events, and rejected deliveries. */
import { html } from 'hono/html';
import { getInboxEvent, newestRejected, type OpenedEvent } from '../../../core/inbox/inbox.js';
import { INBOX, REJECTED } from '../../../core/resources/inbox.js';
import type { Parts } from '../../parts.js';
import * as ui from '../frame/components.js';
import { columnsOf, factsOf } from './field-columns.js';
import { listPage } from './list-page.js';
import { Pages } from '../frame/pages.js';
import { table } from './table.js';
import type { Markup, View } from '../frame/view.js';

const PATH = '/admin/inbox';

export function inboxPages(parts: Parts) {
  return listPage(new Pages(parts, 'inbox'), INBOX, {
    path: PATH,
    title: 'admin.nav.inbox',
    heading: 'admin.inbox.events',
    none: 'admin.inbox.none',
    noneFits: 'admin.inbox.none_fits',
    below: ({ ctx, view }) => [
      ui.card(
        view.t('admin.inbox.rejected'),
        table(newestRejected(ctx), view.t('admin.inbox.none_rejected'), columnsOf(view, REJECTED)),
      ),
    ],
  }).get(`${PATH}/:id{[0-9]+}`, ({ ctx, view, id }) => {
    const opened = getInboxEvent(ctx, id);
    return { title: opened.event.eventName, body: eventSheet(view, opened) };
  });
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
