/** /admin/deliveries: what was sent to subscribers and how it went; a delivery can be sent again. */
import { label } from '../../../core/texts/index.js';
import { html } from 'hono/html';
import type { Context } from '../../../core/context.js';
import type { UserRow } from '../../../core/users/rights.js';
import {
  browseDeliveries,
  getDeliveryOf,
  redeliver,
  type DeliveryView,
  type ListedDelivery,
} from '../../../core/webhooks/deliveries.js';
import { signedBody } from '../../../core/webhooks/signatures.js';
import { getWebhookOf, type WebhookRow } from '../../../core/webhooks/webhooks.js';
import { idParam } from '../../iri.js';
import type { Call, Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import * as ui from '../components.js';
import { Pages } from '../pages.js';
import { count, moment, type Markup, type View } from '../view.js';

const PATH = '/admin/deliveries';
const ONE = `${PATH}/:id{[0-9]+}`;
const PER_PAGE = 50;

export function deliveryPages(parts: Parts) {
  const { ctx } = parts;
  return new Pages(parts)
    .show(PATH, (view, c) => {
      const { t } = view;
      const deliveries = browseDeliveries(ctx, { beforeId: ui.idOf(c.req.query('before')), limit: PER_PAGE });
      const older = `${PATH}?before=${deliveries.at(-1)?.id}`;
      const body = [
        ui.card(t('admin.deliveries.log'), list(view, deliveries)),
        ui.goOn(deliveries, PER_PAGE, older, t('admin.deliveries.older')),
      ];
      return { title: t('admin.nav.deliveries'), section: 'deliveries', body };
    })
    .show(ONE, (view, c) => ({
      title: view.t('admin.delivery', { id: idParam(c) }),
      section: 'deliveries',
      body: deliverySheet(view, ctx, c.get('session').user, idParam(c)),
    }))
    .act(`${ONE}/redeliver`, pathOfOne, async (c, actor) => {
      await redeliver(ctx, idParam(c), { actor });
      return { type: 'success', key: 'admin.delivery.owed' };
    });
}

function pathOfOne(c: Call): string {
  return `${PATH}/${idParam(c)}`;
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
function deliverySheet(view: View, ctx: Context, user: UserRow, id: number): Markup[] {
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
        html`<span class="fw-semibold">${label(view.t, `admin.outcome.${outcome}`, outcome)}</span>
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
