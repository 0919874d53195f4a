/** /admin/deliveries: what was sent to subscribers and how it went; a delivery can be sent again. */
import { cursorOf } from '../../../core/calls/cursor.js';
import { html } from 'hono/html';
import { everyRow } from '../../../core/calls/every-row.js';
import { AppError } from '../../../core/errors.js';
import { requestsByKey } from '../../../core/requests/find-by-key.js';
import {
  browseDeliveries,
  DELIVERY_STATES,
  getDeliveryOf,
  redeliver,
  viewsOf,
  type DeliveryView,
  type ListedDelivery,
} from '../../../core/webhooks/deliveries.js';
import { outcomeWords } from '../../../core/webhooks/outcome-words.js';
import { signedBody } from '../../../core/webhooks/signatures.js';
import {
  browseWebhooks,
  getWebhook,
  getWebhookOf,
  type WebhookRow,
} from '../../../core/webhooks/webhooks.js';
import { boundsOfDay } from '../../../core/zone.js';
import type { Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import { addressOf, queryOf } from '../address.js';
import * as ui from '../components.js';
import * as lists from '../lists.js';
import * as tables from '../table.js';
import { csvTime, sendCsv, type CsvColumn } from '../csv.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { count, moment, wordOf, type Markup, type View } from '../view.js';

const PATH = '/admin/deliveries';
const ONE = `${PATH}/:id{[0-9]+}`;
const PER_PAGE = 50;
/** So many subscriptions are chosen from; of more, one is named by its number. */
const CHOICES_MAX = 50;
/** The first is the list's own. */
const ORDERS = ['created-desc', 'created-asc'] as const;

export function deliveryPages(parts: Parts) {
  return new Pages(parts, 'deliveries')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { t } = view;
      const wish = wishOf(call);
      const pastId = lists.placeIn(call);
      const asked = askedOf(call, wish);
      const direction = tables.directionOf(wish.order);
      const found = asked ? browseDeliveries(ctx, { ...asked, direction, pastId, limit: PER_PAGE + 1 }) : [];
      const { shown, last } = lists.pageOf(found, PER_PAGE);
      const list = {
        rows: viewsOf(ctx.db, shown),
        none: t(isFiltered(wish) ? 'admin.deliveries.none_fits' : 'admin.deliveries.none'),
        columns: deliveryColumns(view, wish),
        file: lists.csvButton(view, PATH, wished(wish)),
      };
      const body = [
        filters(call, wish),
        lists.listCard(view, t('admin.deliveries.log'), list),
        lists.steps(view, {
          first: pastId === undefined ? undefined : addressOf(PATH, wished(wish)),
          previous: undefined,
          next: last && addressOf(PATH, wished(wish, last)),
        }),
      ];
      return { title: t('admin.nav.deliveries'), body };
    })
    .get(`${PATH}.csv`, (call) => {
      const { ctx, view } = call;
      const asked = askedOf(call, wishOf(call));
      const page = (last: DeliveryView<ListedDelivery> | undefined, limit: number) =>
        viewsOf(ctx.db, browseDeliveries(ctx, { ...asked, pastId: last?.delivery.id, limit }));
      return sendCsv(call, PATH, csvColumns(view), asked ? everyRow(page) : []);
    })
    .get(ONE, (call) => ({
      title: call.view.t('admin.delivery', { id: call.id }),
      body: deliverySheet(call),
    }))
    .act(
      `${ONE}/redeliver`,
      ({ id }) => `${PATH}/${id}`,
      async ({ ctx, id, actor, view }) => {
        await redeliver(ctx, id, { actor });
        return view.t('admin.delivery.owed');
      },
    );
}

type Wish = ReturnType<typeof wishOf>;

function wishOf(call: PageCall) {
  return {
    webhook: call.query('webhook'),
    status: call.choice('status', 'admin.field.status', DELIVERY_STATES),
    request: call.query('request'),
    since: call.day('since', 'admin.history.since'),
    order: call.choice('order', 'admin.list.order', ORDERS) ?? ORDERS[0],
  };
}

function isFiltered({ webhook, status, request, since }: Wish): boolean {
  return [webhook, status, request, since].some(Boolean);
}

/** The page of the deliveries of one subscription. */
export function deliveriesOf(webhookId: number, status = ''): string {
  return `${PATH}?${new URLSearchParams({ webhook: String(webhookId), ...(status && { status }) }).toString()}`;
}

function wished({ order, ...wish }: Wish, last?: { id: number }): URLSearchParams {
  return queryOf({ ...wish, order: order === ORDERS[0] ? undefined : order, cursor: last && cursorOf(last) });
}

/** Undefined for a webhook or request that is not there, with a notice. */
function askedOf(call: PageCall, { webhook, status, request, since }: Wish) {
  const { ctx, view } = call;
  const webhookId = ui.idOf(webhook);
  try {
    if (webhook !== '') getWebhook(ctx, webhookId ?? 0);
    const requestId = request === '' ? undefined : requestsByKey(ctx, request)[0].id;
    const from = since ? boundsOfDay(view.timeZone, since).from.toISOString() : undefined;
    return { webhookId, state: status, requestId, since: from };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    call.notices.push(view.t('admin.deliveries.unknown'));
    return undefined;
  }
}

function filters({ ctx, view }: PageCall, wish: Wish): Markup {
  const { t } = view;
  return lists.filterForm(PATH, [
    webhookField(view, browseWebhooks(ctx, { limit: CHOICES_MAX + 1 }), wish.webhook),
    lists.selectField(
      view,
      'status',
      t('admin.field.status'),
      wish.status,
      DELIVERY_STATES.map((state) => [state, wordOf(view, 'state', state)] as const),
    ),
    html`<div>
      <label for="request">${t('admin.field.request')}</label>
      <input class="form-control" id="request" name="request" value="${wish.request}" />
    </div>`,
    lists.dayField('since', t('admin.history.since'), wish.since),
    html`<div class="actions">${lists.findButton(view)} ${lists.showAll(view, PATH, isFiltered(wish))}</div>`,
  ]);
}

function webhookField(view: View, webhooks: WebhookRow[], value: string): Markup {
  const { t } = view;
  const label = t('admin.delivery.target');
  if (webhooks.length <= CHOICES_MAX) {
    const options = webhooks.map(({ id, url }) => [String(id), `${id}: ${shortUrl(url)}`] as const);
    return lists.selectField(view, 'webhook', label, value, options);
  }
  return html`<div>
    <label for="webhook">${t('admin.delivery.webhook')}</label>
    <input class="form-control" id="webhook" name="webhook" inputmode="numeric" value="${value}" />
  </div>`;
}

const URL_LENGTH_MAX = 60;

function shortUrl(url: string): string {
  const plain = url.replace(/^https?:\/\//, '');
  return plain.length > URL_LENGTH_MAX ? `${plain.slice(0, URL_LENGTH_MAX)}…` : plain;
}

function csvColumns(view: View): CsvColumn<DeliveryView<ListedDelivery>>[] {
  const { t } = view;
  return [
    [t('admin.list.number'), ({ delivery }) => delivery.id],
    [t('admin.field.event'), ({ delivery }) => delivery.event],
    [t('admin.delivery.webhook'), ({ delivery }) => delivery.webhookId],
    [t('admin.delivery.target'), ({ delivery }) => delivery.url],
    [t('admin.field.request'), ({ delivery }) => delivery.requestId],
    [t('admin.field.status'), ({ delivery }) => wordOf(view, 'state', delivery.state)],
    [t('admin.inbox.outcome'), (row) => outcomeOf(view, row)],
    [t('admin.field.attempts'), ({ attempts }) => attempts.length],
    csvTime(view, t('admin.field.created'), ({ delivery }) => delivery.createdAt),
    csvTime(view, t('admin.inbox.finished'), ({ delivery }) => delivery.finishedAt),
  ];
}

/** What went wrong last, else how it went. */
function outcomeOf({ t }: View, { delivery, error }: DeliveryView): string {
  if (error !== null) return outcomeWords(t, error);
  return delivery.state === 'delivered' ? outcomeWords(t, 'delivered') : '';
}

export function deliveryTable(view: View, deliveries: DeliveryView<ListedDelivery>[]): Markup {
  return tables.table(deliveries, view.t('admin.deliveries.none'), deliveryColumns(view));
}

/** Without a wish: in the one order of a short list. */
function deliveryColumns(view: View, wish?: Wish): tables.Column<DeliveryView<ListedDelivery>>[] {
  const { t } = view;
  return [
    tables.leadColumn(
      t('admin.field.event'),
      ({ delivery: { id, event, url, webhookId, requestId, createdAt }, error }) =>
        html`<a class="title" href="${PATH}/${id}">${event}</a> <span class="soft small num">#${id}</span>
          <div class="soft small"><a href="/admin/webhooks/${webhookId}">${ui.address(url)}</a></div>
          ${error === null ? '' : html`<div class="d-md-none small">${outcomeWords(t, error)}</div>`}
          <div class="d-md-none soft small">
            ${moment(view, createdAt)} ${requestId === null ? '' : html`· ${ui.requestLink(view, requestId)}`}
          </div>`,
    ),
    tables.stateColumn(
      view,
      ({ delivery, error }) =>
        html`${ui.state(view, delivery.state)}
        ${error === null ? '' : html`<div class="d-none d-md-block soft small">${outcomeWords(t, error)}</div>`}`,
    ),
    tables.column(
      t('admin.field.request'),
      ({ delivery: { requestId } }) => (requestId === null ? '' : ui.requestLink(view, requestId)),
      tables.FROM_MD,
      'small text-nowrap',
    ),
    tables.sortable(
      tables.column(
        t('admin.field.created'),
        ({ delivery: { createdAt } }) => moment(view, createdAt),
        `${tables.FROM_MD} text-end`,
      ),
      wish &&
        tables.sorting(wish.order, 'created', 'desc', (order) => addressOf(PATH, wished({ ...wish, order }))),
    ),
  ];
}

/** One delivery: content, receiver and the log of its attempts. Throws `not_found`, also when it was deleted with its subscription. */
function deliverySheet({ view, ctx, user, id }: PageCall): Markup[] {
  const { t } = view;
  const known = getDeliveryOf(ctx, user, id);
  const webhook = getWebhookOf(ctx, user, known.delivery.webhookId);
  const { content, signature } = known.delivery;
  const again = ui.postButton(view, {
    action: `/admin/deliveries/${id}/redeliver`,
    words: html`${icon('arrow-repeat')} ${t('admin.delivery.redeliver')}`,
  });
  return [
    ui.card(t('admin.delivery.facts'), deliveryFacts(view, known, webhook), webhook.active ? again : ''),
    ui.card(t('admin.delivery.attempts'), attemptTable(view, known)),
    ui.card(
      t('admin.delivery.body'),
      ui.jsonBlock(signature === null ? content : signedBody(content, signature)),
    ),
  ];
}

function deliveryFacts(
  view: View,
  { delivery, nextTryAt, error }: DeliveryView,
  { url, active }: WebhookRow,
): Markup {
  const { t } = view;
  const { event, state: word, messageId, webhookId, createdAt, finishedAt } = delivery;
  return ui.facts([
    [t('admin.field.status'), ui.state(view, word)],
    [t('admin.field.event'), html`<code>${event}</code>`],
    [t('admin.delivery.target'), ui.address(url)],
    [
      t('admin.delivery.webhook'),
      html`<a href="/admin/webhooks/${webhookId}">${t('admin.webhook', { id: webhookId })}</a>
        ${ui.state(view, active ? 'enabled' : 'off')}`,
    ],
    [t('admin.field.request'), delivery.requestId === null ? null : ui.requestLink(view, delivery.requestId)],
    [t('admin.webhook.last_error'), error === null ? null : outcomeWords(t, error)],
    ['webhook-id', html`<code>${messageId}</code>`],
    [t('admin.field.created'), moment(view, createdAt)],
    [t('admin.delivery.next'), nextTryAt && moment(view, nextTryAt)],
    [t('admin.inbox.finished'), finishedAt && moment(view, finishedAt)],
  ]);
}

function attemptTable(view: View, { attempts }: DeliveryView): Markup {
  const { t } = view;
  return tables.table(attempts.toReversed(), t('admin.delivery.none'), [
    tables.leadColumn(
      t('admin.delivery.answer'),
      ({ at, outcome, answer }) =>
        html`<span class="fw-semibold">${outcomeWords(t, outcome)}</span>
          ${answer ? html`<div class="soft small pre">${answer}</div>` : ''}
          <div class="d-md-none soft small">${moment(view, at)}</div>`,
    ),
    tables.column(
      t('admin.delivery.took'),
      ({ ms }) => `${count(view, ms)} ms`,
      'text-end',
      'small num text-nowrap',
    ),
    tables.column(t('admin.delivery.at'), ({ at }) => moment(view, at), `${tables.FROM_MD} text-end`),
  ]);
}
