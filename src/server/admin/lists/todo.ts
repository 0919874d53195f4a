/** /admin/todo: what needs the office; its beginning is on top of the dashboard. */
import { html } from 'hono/html';
import type { Command } from '../../../core/commands.js';
import { listNeeds, type Need, type Needs } from '../../../core/needs/needs.js';
import { actOf } from '../../../core/requests/acts.js';
import { moneyWords } from '../../../core/payment/price.js';
import { findUnknownPayment, settleUnknownPayment } from '../../../core/payment/unknown-payments.js';
import { settleUnknown, adviceOn, findOpenUnknown } from '../../../core/signature/unknown-signatures.js';
import { csvLines } from '../../../core/resources/show.js';
import { todoIn } from '../../../core/resources/todo.js';
import { withMoments } from '../../../core/texts/format.js';
import type { Parts } from '../../parts.js';
import { linkTo } from '../frame/address.js';
import * as ui from '../frame/components.js';
import { sendList } from './list-file.js';
import { csvButton } from './paging.js';
import * as tables from './table.js';
import { pathOfAct } from '../acts/fields.js';
import { Pages } from '../frame/pages.js';
import { ago, figure, type Markup, type View } from '../frame/view.js';

const PATH = '/admin/todo';
/** A document at the signature provider that is unknown here. */
const UNKNOWN = `${PATH}/unknown`;
/** A payment whose contract is unknown here. */
const UNKNOWN_PAYMENT = `${PATH}/unknown-payment`;
const ALL = 200;
const BEGINNING = 8;

export function todoPage(parts: Parts) {
  return new Pages(parts, 'dashboard')
    .get(PATH, async ({ ctx, view }) => {
      const found = await listNeeds(ctx, ALL);
      const file = found.needs.length > 0 ? csvButton(view, PATH, {}) : '';
      const more = found.isMore
        ? html`<p class="mb-0 soft">${view.t('admin.todo.more', { count: figure(view, ALL) })}</p>`
        : html``;
      return {
        title: view.t('admin.todo'),
        body: [ui.card(view.t('admin.todo'), needTable(view, found.needs), file), more],
      };
    })
    .get(`${PATH}.csv`, async (call) => {
      const { needs } = await listNeeds(call.ctx, Infinity);
      return sendList(call, PATH, csvLines(todoIn(call.view.advice), needs, call.view));
    })
    .asked(UNKNOWN, {
      back: () => PATH,
      ask(call) {
        const { ctx, view } = call;
        const document = findOpenUnknown(ctx.db, call.query('document'));
        if (!document) return { type: 'info', message: view.t('admin.unknown.gone') };
        const { signId: sign, name } = document;
        const advice = view.advice(adviceOn(view.locale, ctx.db, document));
        return settling(view, view.t('admin.ask.unknown', { name: name ?? '–', sign, advice }));
      },
      async run(call) {
        const { ctx, actor } = call;
        const { t } = call.view;
        const signId = call.query('document');
        if (!findOpenUnknown(ctx.db, signId)) return { type: 'info', message: t('admin.unknown.gone') };
        await settleUnknown(ctx, signId, { actor, reason: call.neededReason });
        return t('act.settle.done');
      },
    })
    .asked(UNKNOWN_PAYMENT, {
      back: () => PATH,
      ask(call) {
        const { t, locale } = call.view;
        const found = findUnknownPayment(call.ctx.db, call.query('payment'));
        if (!found) return { type: 'info', message: t('admin.unknown_payment.gone') };
        const { paymentId: payment, ...paid } = found;
        return settling(
          call.view,
          t('admin.ask.unknown_payment', { paid: moneyWords(locale, paid), payment }),
        );
      },
      async run(call) {
        const { ctx, actor } = call;
        const { t } = call.view;
        const paymentId = call.query('payment');
        if (!findUnknownPayment(ctx.db, paymentId))
          return { type: 'info', message: t('admin.unknown_payment.gone') };
        await settleUnknownPayment(ctx, paymentId, { actor, reason: call.neededReason });
        return t('act.settle.done');
      },
    });
}

function settling(view: View, text: string): ui.Question {
  return { text, yes: view.t('act.settle'), fields: ui.reasonField(view, { isRequired: true }) };
}

/** The first of them. */
export function needsCard(view: View, { needs, isMore }: Needs): Markup {
  const rest = isMore || needs.length > BEGINNING;
  const all = rest ? html`<a class="small" href="${PATH}">${view.t('admin.todo.all')}</a>` : '';
  return ui.card(view.t('admin.todo'), needTable(view, needs.slice(0, BEGINNING)), all);
}

/** One more than are shown tells whether there are more. */
export const NEEDS_ON_DASHBOARD = BEGINNING + 1;

function needTable(view: View, needs: readonly Need[]): Markup {
  const { t } = view;
  return tables.table(needs, t('admin.todo.none'), [
    tables.leadColumn(
      t('list.request'),
      // A phone has no room for a column of what happened.
      (need) =>
        html`${aboutWhat(need)}
          <div class="small any d-md-none">${withMoments(view, view.advice(need.what))}</div>`,
    ),
    tables.column(
      t('list.message'),
      ({ what }) => withMoments(view, view.advice(what)),
      tables.FROM_MD,
      'small any',
    ),
    tables.column(t('list.since'), ({ since }) => ago(view, since), `${tables.FROM_MD} text-end`),
    tables.hiddenHead(tables.column(t('list.next'), (need) => button(view, need), 'text-end', '')),
  ]);
}

function aboutWhat({ request }: Need): Markup {
  if (!request) return html`<span class="soft d-none d-md-inline">–</span>`;
  const small = `${request.reference} · ${request.customer}`;
  return ui.lead(`/admin/requests/${request.id}`, request.title, small);
}

function button(view: View, { next, request, signId, paymentId }: Need): Markup {
  const unknown =
    signId !== undefined
      ? linkTo(UNKNOWN, { document: signId })
      : paymentId && linkTo(UNKNOWN_PAYMENT, { payment: paymentId });
  const { path, words } = unknown
    ? { path: unknown, words: view.t('act.settle') }
    : placeOf(view, next, request?.id);
  return html`<a class="btn btn-sm btn-outline-primary" href="${path}">${words}</a>`;
}

function placeOf(view: View, next: Command, requestId: number | undefined): { path: string; words: string } {
  const { t } = view;
  const { name, about } = next;
  const act = actOf(next);
  if (requestId !== undefined && act) return { path: pathOfAct(requestId, act), words: t(act.label) };
  if (name === 'failed replay') return { path: '/admin/failed', words: t('admin.nav.failed') };
  if (name === 'webhooks enable') return { path: `/admin/webhooks/${about[0]}`, words: t('admin.todo.open') };
  if (name === 'users set-email' && requestId === undefined) {
    return { path: linkTo('/admin/users', { search: String(about[0]) }), words: t('admin.todo.open') };
  }
  return {
    path: requestId === undefined ? '/admin' : `/admin/requests/${requestId}`,
    words: t('admin.todo.open'),
  };
}
