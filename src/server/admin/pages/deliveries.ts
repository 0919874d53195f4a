/** /admin/deliveries: what was sent to subscribers and how it went; a delivery can be sent again. */
import { html } from 'hono/html';
import type { Context } from '../../../core/context.js';
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
import { getWebhookOf, type WebhookRow } from '../../../core/webhooks/webhooks.js';
import type { Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import * as ui from '../components.js';
import { alertOf } from '../layout.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { count, moment, wordOf, type Markup, type View } from '../view.js';

const PATH = '/admin/deliveries';
const ONE = `${PATH}/:id{[0-9]+}`;
const PER_PAGE = 50;

export function deliveryPages(parts: Parts) {
  return new Pages(parts, 'deliveries')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { t } = view;
      const wish = wishOf(call);
      const beforeId = ui.idOf(call.query('before'));
      const { deliveries, isUnknown } = found(ctx, wish, beforeId);
      const older = `${PATH}?${queryOf({ ...wish, before: String(deliveries.at(-1)?.id) })}`;
      const body = [
        filters(view, wish),
        isUnknown ? alertOf({ type: 'info', message: t('admin.deliveries.unknown') }) : html``,
        ui.card(t('admin.deliveries.log'), deliveryTable(view, viewsOf(ctx.db, deliveries))),
        ui.goOn(deliveries, PER_PAGE, older, t('admin.deliveries.older')),
      ];
      return { title: t('admin.nav.deliveries'), body };
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

interface Wish {
  webhook: string;
  status: string;
  request: string;
}

function wishOf(call: PageCall): Wish {
  return {
    webhook: call.query('webhook'),
    status: DELIVERY_STATES.find((state) => state === call.query('status')) ?? '',
    request: call.query('request'),
  };
}

/** The page of the deliveries of one subscription. */
export function deliveriesOf(webhookId: number, status = ''): string {
  return `${PATH}?${queryOf({ webhook: String(webhookId), status })}`;
}

function queryOf(given: Partial<Wish & { before: string }>): string {
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
}

/** A webhook or request that is not there is an empty list, with a word about it. */
function found(
  ctx: Context,
  { webhook, status, request }: Wish,
  beforeId: number | undefined,
): { deliveries: ListedDelivery[]; isUnknown: boolean } {
  const webhookId = ui.idOf(webhook);
  const state = DELIVERY_STATES.find((each) => each === status);
  try {
    if (webhook !== '' && webhookId === undefined) return { deliveries: [], isUnknown: true };
    const requestId = request === '' ? undefined : requestsByKey(ctx, request)[0].id;
    const page = { beforeId, webhookId, state, requestId, limit: PER_PAGE };
    return { deliveries: browseDeliveries(ctx, page), isUnknown: false };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    return { deliveries: [], isUnknown: true };
  }
}

function filters(view: View, { webhook, status, request }: Wish): Markup {
  const { t } = view;
  const option = (value: string, words: string) =>
    html`<option value="${value}" ${value === status ? 'selected' : ''}>${words}</option>`;
  return ui.filterForm(PATH, [
    html`<div>
      <label for="webhook">${t('admin.delivery.webhook')}</label>
      <input class="form-control" id="webhook" name="webhook" inputmode="numeric" value="${webhook}" />
    </div>`,
    html`<div>
      <label for="status">${t('admin.field.status')}</label>
      <select class="form-select" id="status" name="status">
        ${option('', t('admin.history.any'))}
        ${DELIVERY_STATES.map((state) => option(state, wordOf(view, 'admin.state', state)))}
      </select>
    </div>`,
    html`<div>
      <label for="request">${t('admin.field.request')}</label>
      <input class="form-control" id="request" name="request" value="${request}" />
    </div>`,
    ui.findButton(view),
  ]);
}

export function deliveryTable(view: View, deliveries: DeliveryView<ListedDelivery>[]): Markup {
  const { t } = view;
  return ui.table(deliveries, t('admin.deliveries.none'), [
    ui.leadColumn(
      t('admin.field.event'),
      ({ delivery: { id, event, url, webhookId, createdAt }, error }) =>
        html`<a class="title" href="${PATH}/${id}">${event}</a> <span class="soft small num">#${id}</span>
          <div class="soft small any">
            <a href="/admin/webhooks/${webhookId}">${t('admin.webhook', { id: webhookId })}</a> ${url}
          </div>
          ${error === null ? '' : html`<div class="small any">${outcomeWords(t, error)}</div>`}
          <div class="d-md-none soft small">${moment(view, createdAt)}</div>`,
    ),
    ui.stateColumn(view, ({ delivery }) => ui.state(view, delivery.state)),
    ui.column(
      t('admin.field.request'),
      ({ delivery: { requestId } }) => (requestId === null ? '' : ui.requestLink(view, requestId)),
      ui.FROM_MD,
    ),
    ui.column(
      t('admin.field.created'),
      ({ delivery: { createdAt } }) => moment(view, createdAt),
      `${ui.FROM_MD} text-end`,
    ),
  ]);
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
    [t('admin.delivery.target'), url],
    [
      t('admin.delivery.webhook'),
      html`<a href="/admin/webhooks/${webhookId}">${t('admin.webhook', { id: webhookId })}</a>
        ${ui.state(view, active ? 'enabled' : 'disabled')}`,
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
  return ui.table(attempts.toReversed(), t('admin.delivery.none'), [
    ui.leadColumn(
      t('admin.delivery.answer'),
      ({ at, outcome, answer }) =>
        html`<span class="fw-semibold">${outcomeWords(t, outcome)}</span>
          ${answer ? html`<div class="soft small pre">${answer}</div>` : ''}
          <div class="d-md-none soft small">${moment(view, at)}</div>`,
    ),
    ui.column(
      t('admin.delivery.took'),
      ({ ms }) => `${count(view, ms)} ms`,
      'text-end',
      'small num text-nowrap',
    ),
    ui.column(t('admin.delivery.at'), ({ at }) => moment(view, at), `${ui.FROM_MD} text-end`),
  ]);
}
