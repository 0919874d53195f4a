/** /admin/inbox: inbound events, and rejected deliveries. */
import { html } from 'hono/html';
import {
  browseInbox,
  getInboxEvent,
  newestRejected,
  type InboxEvent,
  type OpenedEvent,
  type RejectedDeliveryRow,
} from '../../../core/inbox/inbox.js';
import type { Parts } from '../../parts.js';
import * as ui from '../components.js';
import { Pages } from '../pages.js';
import { moment, wordOf, type Markup, type View } from '../view.js';

const PATH = '/admin/inbox';
const PER_PAGE = 50;
const SUBJECT_LENGTH_MAX = 200;

export function inboxPages(parts: Parts) {
  return new Pages(parts, 'inbox')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { t } = view;
      const subjectId = call.query('q', SUBJECT_LENGTH_MAX);
      const beforeId = ui.idOf(call.query('before'));
      const events = browseInbox(ctx, { beforeId, subjectId, limit: PER_PAGE });
      const search = ui.searchField('subject', t('admin.inbox.search'), subjectId, SUBJECT_LENGTH_MAX);
      const older = `${PATH}?before=${events.at(-1)?.id}`;
      const body = [
        ui.filterForm(PATH, [search, ui.findButton(view)]),
        ui.card(t('admin.inbox.events'), eventTable(view, events)),
        subjectId === '' ? ui.goOn(events, PER_PAGE, older, t('admin.inbox.older')) : html``,
        ui.card(t('admin.inbox.rejected'), rejectedTable(view, newestRejected(ctx))),
      ];
      return { title: t('admin.nav.inbox'), body };
    })
    .get(`${PATH}/:id{[0-9]+}`, ({ ctx, view, id }) => {
      const opened = getInboxEvent(ctx, id);
      return { title: opened.event.eventName, body: eventSheet(view, opened) };
    });
}

function eventTable(view: View, events: InboxEvent[]): Markup {
  const { t } = view;
  return ui.table(events, t('admin.inbox.none'), [
    ui.leadColumn(
      t('admin.field.event'),
      ({ id, eventName, subjectId, receivedAt }) =>
        html`${ui.lead(`${PATH}/${id}`, eventName, subjectId)}
          <div class="d-lg-none soft small">${moment(view, receivedAt)}</div>`,
    ),
    ui.column(t('admin.field.source'), ({ source }) => wordOf(view, 'timeline.source', source), ui.FROM_MD),
    ui.stateColumn(
      view,
      (event) =>
        html`${ui.state(view, event.state)}
          <div class="d-none d-md-block soft small">${outcome(view, event)}</div>`,
    ),
    ui.column(
      t('admin.field.received'),
      ({ receivedAt }) => moment(view, receivedAt),
      `${ui.FROM_LG} text-end`,
    ),
  ]);
}

function outcome(view: View, event: Pick<InboxEvent, 'outcome'>): string {
  return event.outcome === null ? '' : wordOf(view, 'inbox.outcome', event.outcome);
}

function rejectedTable(view: View, rejected: RejectedDeliveryRow[]): Markup {
  const { t } = view;
  return ui.table(rejected, t('admin.inbox.none_rejected'), [
    ui.leadColumn(
      t('admin.field.reason_why'),
      ({ reason, claimedId, source }) =>
        html`${wordOf(view, 'inbox.rejected', reason)}
          <div class="soft small any">
            ${wordOf(view, 'timeline.source', source)}${claimedId ? ` · ${claimedId}` : ''}
          </div>`,
    ),
    ui.column(
      t('admin.sessions.place'),
      ({ address, size }) =>
        html`${address}
          <div class="soft">${size} B</div>`,
      ui.FROM_MD,
      'small num any',
    ),
    ui.column(t('admin.field.received'), ({ at }) => moment(view, at), 'text-end'),
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
