/** /admin/deliveries: what was sent to subscribers and how it went; a delivery can be sent again. */
import { html } from 'hono/html';
import {
  browseDeliveries,
  getDeliveryOf,
  redeliver,
  type DeliveryView,
  type ListedDelivery,
} from '../../../core/webhooks/deliveries.js';
import { signedBody } from '../../../core/webhooks/signatures.js';
import { getWebhookOf, type WebhookRow } from '../../../core/webhooks/webhooks.js';
import type { Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import * as ui from '../components.js';
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
      const deliveries = browseDeliveries(ctx, { beforeId: ui.idOf(call.query('before')), limit: PER_PAGE });
      const older = `${PATH}?before=${deliveries.at(-1)?.id}`;
      const body = [
        ui.card(t('admin.deliveries.log'), list(view, deliveries)),
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

function list(view: View, deliveries: ListedDelivery[]): Markup {
  const { t } = view;
  return ui.table(deliveries, t('admin.deliveries.none'), [
    ui.leadColumn(
      t('admin.field.event'),
      ({ id, event, url, createdAt }) =>
        html`<a class="title" href="${PATH}/${id}">${event}</a> <span class="soft small num">#${id}</span>
          <div class="soft small any">${url}</div>
          <div class="d-md-none soft small">${moment(view, createdAt)}</div>`,
    ),
    ui.stateColumn(view, (delivery) => ui.state(view, delivery.state)),
    ui.column(t('admin.field.created'), ({ createdAt }) => moment(view, createdAt), `${ui.FROM_MD} text-end`),
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
  { delivery, nextTryAt }: DeliveryView,
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
      html`<span class="num">${webhookId}</span> ${ui.state(view, active ? 'enabled' : 'disabled')}`,
    ],
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
        html`<span class="fw-semibold">${wordOf(view, 'admin.outcome', outcome)}</span>
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
