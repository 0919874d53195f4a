/** /admin/deliveries: what was sent to subscribers and how it went; a delivery can be sent again. */
import { html } from 'hono/html';
import { DELIVERIES } from '../../../core/resources/deliveries.js';
import { getDeliveryOf, redeliver, type DeliveryView } from '../../../core/webhooks/deliveries.js';
import { outcomeWords } from '../../../core/webhooks/words.js';
import { signedBody } from '../../../core/webhooks/signatures.js';
import { getWebhookOf } from '../../../core/webhooks/webhooks.js';
import type { Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import { linkTo, figure, moment, type Markup, type View } from '../frame/view.js';
import * as ui from '../frame/components.js';
import { postButton } from '../frame/forms.js';
import { columnsOf, factsOf } from './field-columns.js';
import { listPage } from './list-page.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';
import * as tables from './table.js';

const PATH = '/admin/deliveries';
const ONE = `${PATH}/:id{[0-9]+}`;

export function deliveryPages(parts: Parts) {
  return listPage(new Pages(parts, 'deliveries'), DELIVERIES, {
    path: PATH,
    title: 'admin.nav.deliveries',
    heading: 'admin.deliveries.log',
    none: 'admin.deliveries.none',
    noneFits: 'admin.deliveries.none_fits',
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

/** The page of the deliveries of one subscription. */
export function deliveriesOf(webhookId: number, status?: string): string {
  return linkTo(PATH, { webhook: String(webhookId), status });
}

export function deliveryTable(view: View, deliveries: DeliveryView[]): Markup {
  return tables.table(deliveries, view.t('admin.deliveries.none'), columnsOf(view, DELIVERIES));
}

/** One delivery: content, receiver and the log of its attempts. Throws `not_found`, also when it was deleted with its subscription. */
function deliverySheet({ view, ctx, user, id }: PageCall): Markup[] {
  const { t } = view;
  const known = getDeliveryOf(ctx, user, id);
  const webhook = getWebhookOf(ctx, user, known.delivery.webhookId);
  const { content, signature } = known.delivery;
  const again = postButton(view, {
    action: `/admin/deliveries/${id}/redeliver`,
    words: html`${icon('arrow-repeat')} ${t('admin.delivery.redeliver')}`,
  });
  return [
    ui.card(
      t('admin.delivery.facts'),
      deliveryFacts(view, known, webhook.active === 1),
      webhook.active ? again : '',
    ),
    ui.card(t('admin.delivery.attempts'), attemptTable(view, known)),
    ui.card(
      t('admin.delivery.body'),
      ui.jsonBlock(signature === null ? content : signedBody(content, signature)),
    ),
  ];
}

function deliveryFacts(view: View, known: DeliveryView, isActive: boolean): Markup {
  const { t } = view;
  const { messageId, webhookId } = known.delivery;
  const webhook = html`<a href="/admin/webhooks/${webhookId}">${t('admin.webhook', { id: webhookId })}</a>
    ${ui.state(view, isActive ? 'enabled' : 'off')}`;
  return ui.facts([
    ...factsOf(view, DELIVERIES, known, { webhookId: webhook, attempts: null }),
    [t('list.messageId'), html`<code>${messageId}</code>`],
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
      ({ ms }) => `${figure(view, ms)} ms`,
      'text-end',
      'small num text-nowrap',
    ),
    tables.column(t('list.at'), ({ at }) => moment(view, at), `${tables.FROM_MD} text-end`),
  ]);
}
