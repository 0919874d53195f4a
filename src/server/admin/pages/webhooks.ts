/** /admin/webhooks: subscriptions and their state; enable, disable, ping, and redeliver everything that failed. */
import { cursorOf } from '../../../core/calls/cursor.js';
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
  everyWebhook,
  findWebhookNumbered,
  getWebhook,
  lastSuccessOf,
  type ListedWebhook,
  type WebhookRow,
} from '../../../core/webhooks/webhooks.js';
import { findUserCalled, getUser } from '../../../core/users/users.js';
import type { Parts } from '../../parts.js';
import { addressOf, queryOf } from '../address.js';
import { icon } from '../assets/icons.js';
import * as ui from '../components.js';
import { csvTime, sendCsv, type CsvColumn } from '../csv.js';
import * as lists from '../lists.js';
import * as tables from '../table.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { ago, count, day, moment, wordOf, type Markup, type View } from '../view.js';
import { deliveriesOf, deliveryTable } from './deliveries.js';
import { historyCard } from './history.js';

const PATH = '/admin/webhooks';
const ONE = `${PATH}/:id{[0-9]+}`;
const PER_PAGE = 50;
const NAME_LENGTH_MAX = 254;
const ON_THE_SHEET = 10;

/** The first is the list's own. */
const ORDERS = ['created-asc', 'created-desc', 'url-asc', 'url-desc'] as const;
const STATUSES = ['enabled', 'off'] as const;

export function webhookPages(parts: Parts) {
  return new Pages(parts, 'webhooks')
    .get(PATH, (call) => {
      const { ctx, view } = call;
      const { t } = view;
      const wish = wishOf(call);
      const past = findWebhookNumbered(ctx, lists.placeIn(call) ?? 0);
      const order = {
        by: wish.order.startsWith('url') ? 'url' : 'id',
        direction: tables.directionOf(wish.order),
      } as const;
      const found = browseWebhooks(ctx, { ...askedOf(call, wish), ...order, past, limit: PER_PAGE + 1 });
      const { shown, last } = lists.pageOf(found, PER_PAGE);
      const list = {
        rows: shown,
        none: t(isFiltered(wish) ? 'admin.webhooks.none_fits' : 'admin.webhooks.none'),
        columns: webhookColumns(call, wish),
        file: lists.csvButton(view, PATH, wished(wish)),
      };
      const body = [
        filters(view, wish),
        lists.listCard(view, t('admin.webhooks.all'), list),
        lists.steps(view, {
          first: past && addressOf(PATH, wished(wish)),
          previous: undefined,
          next: last && addressOf(PATH, wished(wish, last)),
        }),
      ];
      return { title: t('admin.nav.webhooks'), body };
    })
    .get(`${PATH}.csv`, (call) =>
      sendCsv(call, PATH, csvColumns(call), everyWebhook(call.ctx, askedOf(call, wishOf(call)))),
    )
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
        text: call.view.t('admin.webhook.ask_redeliver', { count: failed, url }),
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
      return call.view.t('admin.webhook.owed', { count: owed });
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

type Wish = ReturnType<typeof wishOf>;

function wishOf(call: PageCall) {
  return {
    owner: call.query('owner', NAME_LENGTH_MAX),
    status: call.choice('status', 'admin.field.status', STATUSES),
    order: call.choice('order', 'admin.list.order', ORDERS) ?? ORDERS[0],
  };
}

function isFiltered({ owner, status }: Wish): boolean {
  return [owner, status].some(Boolean);
}

/** An owner whom nobody knows has none, with a notice. */
function askedOf(call: PageCall, { owner, status }: Wish) {
  const user = owner === '' ? undefined : findUserCalled(call.ctx, owner);
  if (owner !== '' && !user) call.notices.push(call.view.t('admin.requests.no_owner', { owner }));
  return {
    ownerId: owner === '' ? undefined : (user?.id ?? 0),
    active: status === undefined ? undefined : status === 'enabled',
  };
}

function wished({ order, ...wish }: Wish, last?: { id: number }): URLSearchParams {
  return queryOf({ ...wish, order: order === ORDERS[0] ? undefined : order, cursor: last && cursorOf(last) });
}

function filters(view: View, wish: Wish): Markup {
  const { t } = view;
  return lists.filterForm(PATH, [
    lists.searchField('owner', t('admin.webhooks.owner'), wish.owner, NAME_LENGTH_MAX, 'owner'),
    lists.selectField(
      view,
      'status',
      t('admin.field.status'),
      wish.status,
      STATUSES.map((status) => [status, wordOf(view, 'state', status)] as const),
    ),
    html`<div class="actions">${lists.findButton(view)} ${lists.showAll(view, PATH, isFiltered(wish))}</div>`,
  ]);
}

function webhookColumns({ ctx, view }: PageCall, wish: Wish): tables.Column<ListedWebhook>[] {
  const { t } = view;
  const sorting = (by: 'created' | 'url') =>
    tables.sorting(wish.order, by, 'asc', (order) => addressOf(PATH, wished({ ...wish, order })));
  return [
    tables.sortable(
      tables.leadColumn(
        t('admin.delivery.target'),
        (webhook) =>
          html`${ui.lead(`${PATH}/${webhook.id}`, ui.address(webhook.url), webhook.event)}
            <div class="d-lg-none soft small">${ui.address(webhook.owner)}</div>
            ${trouble(view, webhook)}`,
      ),
      sorting('url'),
    ),
    tables.column(
      t('admin.webhook.owner'),
      ({ ownerId, owner }) => html`<a href="/admin/users/${ownerId}">${ui.address(owner)}</a>`,
      `${tables.FROM_LG} who-cell`,
    ),
    tables.stateColumn(view, (webhook) => stateOf(view, webhook)),
    tables.column(
      t('admin.webhook.last_success'),
      (webhook) => {
        const at = lastSuccessOf(ctx, webhook);
        return at === null ? '–' : ago(view, at);
      },
      `${tables.FROM_MD} text-end`,
    ),
    tables.sortable(
      tables.column(
        t('admin.field.created'),
        ({ createdAt }) => day(view, createdAt),
        `${tables.FROM_LG} text-end`,
      ),
      sorting('created'),
    ),
  ];
}

/** What goes wrong at its receiver, and since when. */
function trouble(view: View, { lastError, failingSince }: WebhookRow): Markup {
  if (lastError === null || failingSince === null) return html``;
  return html`<div class="small any">
    ${outcomeWords(view.t, lastError)}
    <span class="soft">· ${view.t('admin.webhook.failing')} ${moment(view, failingSince)}</span>
  </div>`;
}

function csvColumns({ ctx, view }: PageCall): CsvColumn<ListedWebhook>[] {
  const { t } = view;
  return [
    [t('admin.list.number'), ({ id }) => id],
    [t('admin.delivery.target'), ({ url }) => url],
    [t('admin.field.event'), ({ event }) => event],
    [t('admin.webhook.owner'), ({ owner }) => owner],
    [t('admin.field.status'), ({ active }) => wordOf(view, 'state', statusOf(active))],
    [t('admin.field.reason_why'), ({ disabledReason }) => whyOff(view, disabledReason)],
    [
      t('admin.webhook.last_error'),
      ({ lastError }) => (lastError === null ? '' : outcomeWords(t, lastError)),
    ],
    csvTime(view, t('admin.webhook.failing'), ({ failingSince }) => failingSince),
    csvTime(view, t('admin.webhook.last_success'), (webhook) => lastSuccessOf(ctx, webhook)),
    csvTime(view, t('admin.field.created'), ({ createdAt }) => createdAt),
  ];
}

function statusOf(active: number): 'enabled' | 'off' {
  return active ? 'enabled' : 'off';
}

function whyOff(view: View, reason: string | null): string {
  return reason === null ? '' : wordOf(view, 'admin.webhook.off', reason);
}

function stateOf(view: View, { active, disabledReason }: WebhookRow): Markup {
  const why = whyOff(view, disabledReason);
  return html`${ui.state(view, statusOf(active))} ${why && html`<div class="soft small">${why}</div>`}`;
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
