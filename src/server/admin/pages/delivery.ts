/** One delivery: what is sent, to whom, and the log of its tries. */
import { html } from 'hono/html';
import type { Context } from '../../../core/context.js';
import type { UserRow } from '../../../core/users/rights.js';
import { getDeliveryOf, type DeliveryView } from '../../../core/webhooks/deliveries.js';
import { signedBody } from '../../../core/webhooks/signatures.js';
import { getWebhookOf, type WebhookRow } from '../../../core/webhooks/webhooks.js';
import { icon } from '../assets/icons.js';
import { card, facts, jsonBlock, postButton, state, table } from '../pieces.js';
import { count, label, moment, type Markup, type View } from '../view.js';

/** Throws `not_found` for one that is not there, or went with its subscription. */
export function deliverySheet(view: View, ctx: Context, user: UserRow, id: number): Markup[] {
  const { t } = view;
  const known = getDeliveryOf(ctx, user, id);
  const webhook = getWebhookOf(ctx, user, known.delivery.webhookId);
  const { content, signature } = known.delivery;
  const again = postButton(view, {
    action: `/admin/deliveries/${id}/redeliver`,
    words: html`${icon('arrow-repeat')} ${t('admin.delivery.redeliver')}`,
  });
  return [
    card(t('admin.delivery.facts'), deliveryFacts(view, known, webhook), webhook.active ? again : ''),
    card(t('admin.delivery.attempts'), attemptTable(view, known)),
    card(t('admin.delivery.body'), jsonBlock(signature === null ? content : signedBody(content, signature))),
  ];
}

function deliveryFacts(
  view: View,
  { delivery, nextTryAt }: DeliveryView,
  { url, active }: WebhookRow,
): Markup {
  const { t } = view;
  const { event, state: word, messageId, webhookId, createdAt, finishedAt } = delivery;
  return facts([
    [t('admin.field.status'), state(view, word)],
    [t('admin.field.event'), html`<code>${event}</code>`],
    [t('admin.delivery.target'), url],
    [
      t('admin.delivery.webhook'),
      html`<span class="num">${webhookId}</span> ${state(view, active ? 'enabled' : 'disabled')}`,
    ],
    ['webhook-id', html`<code>${messageId}</code>`],
    [t('admin.field.created'), moment(view, createdAt)],
    [t('admin.delivery.next'), nextTryAt && moment(view, nextTryAt)],
    [t('admin.inbox.finished'), finishedAt && moment(view, finishedAt)],
  ]);
}

function attemptTable(view: View, { attempts }: DeliveryView): Markup {
  const { t } = view;
  const rows = attempts.toReversed().map(
    ({ at, ms, outcome, answer }) =>
      html`<tr>
        <td class="lead-cell">
          <span class="fw-semibold">${label(view, 'admin.outcome', outcome)}</span>
          ${answer ? html`<div class="soft small pre">${answer}</div>` : ''}
          <div class="d-md-none soft small">${moment(view, at)}</div>
        </td>
        <td class="small text-end num text-nowrap">${count(view, ms)} ms</td>
        <td class="d-none d-md-table-cell small text-end">${moment(view, at)}</td>
      </tr>`,
  );
  const columns = [
    { head: t('admin.delivery.answer') },
    { head: t('admin.delivery.took'), class: 'text-end' },
    { head: t('admin.delivery.at'), class: 'd-none d-md-table-cell text-end' },
  ];
  return table(columns, rows, t('admin.delivery.none'));
}
