/** /admin/webhooks: subscriptions and their state; enable, disable, ping, and redeliver everything that failed. */
import { html } from 'hono/html';
import { switchWebhook } from '../../../core/webhooks/change-webhook.js';
import {
  browseDeliveries,
  failedDeliveryIds,
  pingAndWait,
  redeliverFailed,
  viewsOf,
} from '../../../core/webhooks/deliveries.js';
import { outcomeWords } from '../../../core/webhooks/outcome-words.js';
import {
  browseWebhooks,
  getWebhook,
  lastSuccessOf,
  type ListedWebhook,
  type WebhookRow,
} from '../../../core/webhooks/webhooks.js';
import { getUser } from '../../../core/users/users.js';
import type { Parts } from '../../parts.js';
import { icon } from '../assets/icons.js';
import * as ui from '../components.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { ago, count, counted, moment, wordOf, type Markup, type View } from '../view.js';
import { deliveriesOf, deliveryTable } from './deliveries.js';
import { historyCard } from './history.js';

const PATH = '/admin/webhooks';
const ONE = `${PATH}/:id{[0-9]+}`;
const PER_PAGE = 50;
const ON_THE_SHEET = 10;

export function webhookPages(parts: Parts) {
  return new Pages(parts, 'webhooks')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { t } = view;
      const webhooks = browseWebhooks(ctx, { afterId: ui.idOf(call.query('after')) ?? 0, limit: PER_PAGE });
      const more = `${PATH}?after=${webhooks.at(-1)?.id}`;
      const body = [
        ui.card(t('admin.webhooks.all'), webhookTable(call, webhooks)),
        ui.goOn(webhooks, PER_PAGE, more, t('admin.webhooks.more')),
      ];
      return { title: t('admin.nav.webhooks'), body };
    })
    .get(ONE, (call) => ({ title: call.view.t('admin.webhook', { id: call.id }), body: sheet(call) }))
    .get(`${ONE}/disable`, (call) => {
      const { t } = call.view;
      const { url } = getWebhook(call.ctx, call.id);
      return call.ask({
        action: `${pathOf(call)}/disable`,
        text: t('admin.webhook.ask_disable', { url }),
        yes: t('admin.webhook.disable'),
        back: pathOf(call),
        isDanger: true,
        fields: ui.reasonField(call.view, { isRequired: false }),
      });
    })
    .get(`${ONE}/redeliver`, (call) => {
      const { t } = call.view;
      const { url } = getWebhook(call.ctx, call.id);
      const failed = failedDeliveryIds(call.ctx, { webhookId: call.id }).length;
      return call.ask({
        action: `${pathOf(call)}/redeliver`,
        text: counted(call.view, 'admin.webhook.ask_redeliver', failed, { url }),
        yes: t('admin.webhook.redeliver'),
        back: pathOf(call),
        fields: ui.reasonField(call.view, { isRequired: false }),
      });
    })
    .act(`${ONE}/enable`, pathOf, async (call) => {
      await switchWebhook(call.ctx, call.id, true, byOf(call));
      return call.view.t('admin.webhook.enabled');
    })
    .act(`${ONE}/disable`, pathOf, async (call) => {
      await switchWebhook(call.ctx, call.id, false, byOf(call));
      return call.view.t('admin.webhook.disabled');
    })
    .act(`${ONE}/redeliver`, pathOf, async (call) => {
      const owed = await redeliverFailed(call.ctx, call.id, byOf(call));
      return counted(call.view, 'admin.webhook.owed', owed);
    })
    .act(`${ONE}/ping`, pathOf, async (call) => {
      const { t } = call.view;
      const { delivery, attempts } = await pingAndWait(call.ctx, call.id, byOf(call));
      const { outcome = 'timeout', ms = 0 } = attempts.at(-1) ?? {};
      if (delivery.state === 'delivered') return t('admin.webhook.pinged', { ms: count(call.view, ms) });
      const message = t('admin.webhook.ping_failed', { outcome: outcomeWords(t, outcome) });
      return { type: 'danger', message };
    });
}

function pathOf({ id }: PageCall): string {
  return `${PATH}/${id}`;
}

function byOf(call: PageCall) {
  const reason = call.reason;
  return { actor: call.actor, ...(reason && { reason }) };
}

function webhookTable({ ctx, view }: PageCall, webhooks: ListedWebhook[]): Markup {
  const { t } = view;
  return ui.table(webhooks, t('admin.webhooks.none'), [
    ui.leadColumn(
      t('admin.delivery.target'),
      ({ id, url, event, owner, lastError, failingSince }) =>
        html`${ui.lead(`${PATH}/${id}`, url, html`${event} · ${owner}`)}
        ${
          lastError !== null && failingSince !== null
            ? html`<div class="small any">${outcomeWords(t, lastError)}</div>`
            : ''
        }`,
    ),
    ui.stateColumn(view, (webhook) => stateOf(view, webhook)),
    ui.column(
      t('admin.webhook.last_success'),
      (webhook) => {
        const at = lastSuccessOf(ctx, webhook);
        return at === null ? '–' : ago(view, at);
      },
      `${ui.FROM_MD} text-end`,
    ),
  ]);
}

function stateOf(view: View, { active, disabledReason }: WebhookRow): Markup {
  return html`${ui.state(view, active ? 'enabled' : 'disabled')}
  ${disabledReason === null ? '' : html`<div class="soft small">${wordOf(view, 'admin.webhook.off', disabledReason)}</div>`}`;
}

function sheet(call: PageCall): Markup[] {
  const { ctx, view, id } = call;
  const { t } = view;
  const webhook = getWebhook(ctx, id);
  const newest = browseDeliveries(ctx, { webhookId: id, limit: ON_THE_SHEET });
  const failed = failedDeliveryIds(ctx, { webhookId: id }).length;
  const all = html`<a href="${deliveriesOf(id)}">${t('admin.webhook.all_deliveries')}</a>`;
  return [
    ui.card(t('admin.webhook.facts'), webhookFacts(call, webhook, failed), buttons(view, webhook, failed)),
    ui.card(t('admin.webhook.deliveries'), deliveryTable(view, viewsOf(ctx.db, newest)), all),
    historyCard(view, ctx, `webhook:${id}`),
  ];
}

function webhookFacts({ ctx, view }: PageCall, webhook: WebhookRow, failed: number): Markup {
  const { t } = view;
  const { id, url, event, ownerId, failingSince, lastError, lastErrorAt, createdAt } = webhook;
  const success = lastSuccessOf(ctx, webhook);
  return ui.facts([
    [t('admin.field.status'), stateOf(view, webhook)],
    [t('admin.delivery.target'), html`<span class="any">${url}</span>`],
    [t('admin.field.event'), html`<code>${event}</code>`],
    [t('admin.webhook.owner'), html`<a href="/admin/users/${ownerId}">${getUser(ctx, ownerId).username}</a>`],
    [
      t('admin.webhook.last_success'),
      success === null ? t('admin.webhook.no_success') : moment(view, success),
    ],
    [
      t('admin.webhook.last_error'),
      lastError === null || lastErrorAt === null
        ? null
        : html`${outcomeWords(t, lastError)} <span class="soft small">${moment(view, lastErrorAt)}</span>`,
    ],
    [t('admin.webhook.failing'), failingSince && moment(view, failingSince)],
    [
      t('admin.webhook.failed'),
      failed > 0 ? html`<a href="${deliveriesOf(id, 'failed')}">${count(view, failed)}</a>` : null,
    ],
    [t('admin.field.created'), moment(view, createdAt)],
  ]);
}

function buttons(view: View, { id, active }: WebhookRow, failed: number): Markup {
  const { t } = view;
  const path = `${PATH}/${id}`;
  return html`<div class="actions">
    ${ui.postButton(view, { action: `${path}/ping`, words: t('admin.webhook.ping') })}
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
        : ui.postButton(view, { action: `${path}/enable`, words: t('admin.webhook.enable') })
    }
  </div>`;
}
