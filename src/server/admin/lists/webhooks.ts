/** /admin/webhooks: subscriptions and their state; enable, disable, ping, and redeliver everything that failed. */
import { html } from 'hono/html';
import { WEBHOOKS } from '../../../core/resources/webhooks.js';
import { switchWebhook, getWebhook, type ShownWebhook } from '../../../core/webhooks/webhooks.js';
import {
  countWaitingDeliveries,
  failedDeliveryIds,
  newestDeliveries,
  pingAndWait,
  redeliverFailed,
} from '../../../core/webhooks/deliveries.js';
import { outcomeWords } from '../../../core/webhooks/words.js';
import type { Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import * as ui from '../frame/components.js';
import { postButton, reasonField } from '../frame/forms.js';
import { factsOf } from './field-columns.js';
import { listPage } from './list-page.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';
import { figure, type Markup, type View } from '../frame/view.js';
import { deliveriesOf, deliveryTable } from './deliveries.js';
import { historyCard } from './history.js';

const PATH = '/admin/webhooks';
const ONE = `${PATH}/:id{[0-9]+}`;
const ON_THE_SHEET = 10;

export function webhookPages(parts: Parts) {
  return listPage(new Pages(parts, 'webhooks'), WEBHOOKS, {
    path: PATH,
    title: 'admin.nav.webhooks',
    heading: 'admin.webhooks.all',
    none: 'admin.webhooks.none',
    noneFits: 'admin.webhooks.none_fits',
  })
    .get(ONE, (call) => ({ title: call.view.t('admin.webhook', { id: call.id }), body: sheet(call) }))
    .asked(`${ONE}/disable`, {
      back: pathOf,
      ask: ({ ctx, id, view }) => ({
        text: view.t('admin.webhook.ask_disable', { url: getWebhook(ctx, id).url }),
        yes: view.t('admin.webhook.disable'),
        isDanger: true,
        fields: reasonField(view, { isRequired: false }),
      }),
      async run(call) {
        await switchWebhook(call.ctx, call.id, false, call.by);
        return call.view.t('admin.webhook.disabled');
      },
    })
    .asked(`${ONE}/redeliver`, {
      back: pathOf,
      ask({ ctx, id, view }) {
        const { url } = getWebhook(ctx, id);
        const failed = failedDeliveryIds(ctx, { webhookId: id }).length;
        return {
          text: view.t('admin.webhook.ask_redeliver', { count: failed, url }),
          yes: view.t('admin.webhook.redeliver'),
          fields: reasonField(view, { isRequired: false }),
        };
      },
      async run(call) {
        const owed = await redeliverFailed(call.ctx, call.id, call.by);
        return call.view.t('admin.webhook.owed', { count: owed });
      },
    })
    .act(`${ONE}/enable`, pathOf, async (call) => {
      await switchWebhook(call.ctx, call.id, true, call.by);
      return call.view.t('admin.webhook.enabled');
    })
    .act(`${ONE}/ping`, pathOf, async (call) => {
      const { t } = call.view;
      const { delivery, attempts } = await pingAndWait(call.ctx, call.id, call.by);
      const { outcome = 'timeout', ms = 0 } = attempts.at(-1) ?? {};
      if (delivery.state === 'delivered') return t('admin.webhook.pinged', { ms: figure(call.view, ms) });
      const message = t('admin.webhook.ping_failed', { outcome: outcomeWords(t, outcome) });
      return { type: 'danger', message };
    });
}

function pathOf({ id }: PageCall): string {
  return `${PATH}/${id}`;
}

function sheet(call: PageCall): Markup[] {
  const { ctx, view, id } = call;
  const { t } = view;
  const webhook = getWebhook(ctx, id);
  const failed = failedDeliveryIds(ctx, { webhookId: id }).length;
  const waiting = countWaitingDeliveries(ctx, { webhookId: id });
  const all = html`<a href="${deliveriesOf(id)}">${t('admin.webhook.all_deliveries')}</a>`;
  return [
    ui.card(
      t('admin.webhook.facts'),
      webhookFacts(view, webhook, { failed, waiting }),
      buttons(view, webhook, failed),
    ),
    ui.card(t('admin.webhook.deliveries'), deliveryTable(view, newestDeliveries(ctx, id, ON_THE_SHEET)), all),
    historyCard(view, ctx, `webhook:${id}`),
  ];
}

function webhookFacts(
  view: View,
  webhook: ShownWebhook,
  { failed, waiting }: { failed: number; waiting: number },
): Markup {
  const { t } = view;
  const { id, lastSuccessAt } = webhook;
  const none = lastSuccessAt === null && { lastSuccessAt: t('admin.webhook.no_success') };
  return ui.facts([
    ...factsOf(view, WEBHOOKS, webhook, { failures: null, ...none }),
    [
      t('admin.webhook.failed'),
      failed > 0 ? html`<a href="${deliveriesOf(id, 'failed')}">${figure(view, failed)}</a>` : null,
    ],
    [
      t('admin.webhook.waiting'),
      waiting > 0 ? html`<a href="${deliveriesOf(id, 'pending')}">${figure(view, waiting)}</a>` : null,
    ],
  ]);
}

function buttons(view: View, { id, active }: ShownWebhook, failed: number): Markup {
  const { t } = view;
  const path = `${PATH}/${id}`;
  return html`<div class="actions">
    ${postButton(view, { action: `${path}/ping`, words: t('admin.webhook.ping') })}
    ${
      active && failed > 0
        ? html`<a class="btn btn-sm btn-outline-primary btn-icon" href="${path}/redeliver"
            >${icon('arrow-repeat')} ${t('admin.webhook.redeliver')}</a
          >`
        : ''
    }
    ${
      active
        ? html`<a class="btn btn-sm btn-outline-danger" href="${path}/disable"
            >${t('admin.webhook.disable')}</a
          >`
        : postButton(view, { action: `${path}/enable`, words: t('admin.webhook.enable') })
    }
  </div>`;
}
