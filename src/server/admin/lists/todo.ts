/** /admin/todo: what needs the office; its beginning is on top of the dashboard. */
import { html } from 'hono/html';
import { listNeeds, listRows, type AboutRequest, type Rows } from '../../../core/needs/needs.js';
import { apart, type NeedRow } from '../../../core/needs/rows.js';
import { settledWords } from '../../../core/cases/cases.js';
import type { By } from '../../../core/change.js';
import type { Context } from '../../../core/context.js';
import { moneyWords } from '../../../core/payment/price.js';
import { findUnknownPayment, settleUnknownPayment } from '../../../core/payment/unknown-payments.js';
import { settleUnknown, adviceOn, findOpenUnknown } from '../../../core/signature/unknown-signatures.js';
import { csvLines } from '../../../core/resources/show.js';
import { todoIn } from '../../../core/resources/todo.js';
import { withMoments } from '../../../core/texts/format.js';
import type { Parts } from '../../parts.js';
import { linkTo, ago, figure, type Markup, type View } from '../frame/view.js';
import * as ui from '../frame/components.js';
import { reasonField } from '../frame/forms.js';
import { sendList } from './list-page.js';
import { csvButton } from './paging.js';
import * as tables from './table.js';
import { wayOf } from '../acts/ways.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages, type Asking } from '../frame/pages.js';
import type { PageLabel } from '../texts.js';
import type { CaseKind } from '../../../core/rows.js';
import type { Flash } from '../../../core/users/sessions.js';

const PATH = '/admin/todo';
/** A document at the signature provider that is unknown here. */
const UNKNOWN = `${PATH}/unknown`;
/** A payment whose contract is unknown here. */
const UNKNOWN_PAYMENT = `${PATH}/unknown-payment`;
const ALL = 200;

export function todoPage(parts: Parts) {
  return new Pages(parts, 'dashboard')
    .get(PATH, async (call) => {
      const { ctx, view } = call;
      const { rows, isMore } = await listRows(ctx, ALL);
      const file = rows.length > 0 ? csvButton(view, PATH, {}) : '';
      const more = isMore
        ? html`<p class="mb-0 soft">${view.t('admin.todo.more', { count: figure(view, ALL) })}</p>`
        : html``;
      return {
        title: view.t('admin.todo'),
        body: [ui.card(view.t('admin.todo'), needTable(call, rows), file), more],
      };
    })
    .get(`${PATH}.csv`, async (call) => {
      const { needs } = await listNeeds(call.ctx, Infinity);
      return sendList(call, PATH, csvLines(todoIn(call.view.advice), apart(needs), call.view));
    })
    .asked(
      UNKNOWN,
      settling('document', {
        kind: 'unknown_document',
        gone: 'admin.unknown.gone',
        question({ ctx, view }, id) {
          const found = findOpenUnknown(ctx.db, id);
          if (!found) return undefined;
          const advice = view.advice(adviceOn(view.locale, ctx.db, found));
          return view.t('admin.ask.unknown', { name: found.name ?? '–', sign: id, advice });
        },
        settle: settleUnknown,
      }),
    )
    .asked(
      UNKNOWN_PAYMENT,
      settling('payment', {
        kind: 'unknown_payment',
        gone: 'admin.unknown_payment.gone',
        question({ ctx, view }, id) {
          const found = findUnknownPayment(ctx.db, id);
          if (!found) return undefined;
          const { paymentId: payment, ...paid } = found;
          return view.t('admin.ask.unknown_payment', { paid: moneyWords(view.locale, paid), payment });
        },
        settle: settleUnknownPayment,
      }),
    );
}

interface Unknown {
  kind: CaseKind;
  /** Where it is not known who settled it. */
  gone: PageLabel;
  /** Undefined when it waits for nobody any more. */
  question: (call: PageCall, id: string) => string | undefined;
  settle: (ctx: Context, id: string, by: By) => Promise<void>;
}

/** What is unknown here, named in the address by `name`. */
function settling(name: string, { kind, gone, question, settle }: Unknown): Asking {
  const idOf = (call: PageCall) => call.query(name);
  const over = (call: PageCall): Flash => ({
    type: 'info',
    message: settledWords(call.ctx, { kind, subject: idOf(call) }) ?? call.view.t(gone),
  });
  return {
    back: () => PATH,
    ask(call) {
      const { view } = call;
      const text = question(call, idOf(call));
      if (text === undefined) return over(call);
      return { text, yes: view.t('act.settle'), fields: reasonField(view, { isRequired: true }) };
    },
    async run(call) {
      if (question(call, idOf(call)) === undefined) return over(call);
      await settle(call.ctx, idOf(call), { actor: call.actor, reason: call.neededReason });
      return call.view.t('act.settle.done');
    },
  };
}

export function needsCard(call: PageCall, { rows, isMore }: Rows): Markup {
  const { view } = call;
  const all = isMore ? html`<a class="small" href="${PATH}">${view.t('admin.todo.all')}</a>` : '';
  return ui.card(view.t('admin.todo'), needTable(call, rows), all);
}

function needTable(call: PageCall, rows: readonly NeedRow[]): Markup {
  const { view } = call;
  const { t } = view;
  return tables.table(rows, t('admin.todo.none'), [
    tables.leadColumn(
      t('list.customer'),
      // A phone has no room for a column of what happened.
      (row) =>
        html`${aboutWhom(view, row)}
          <div class="d-md-none d-grid gap-1 justify-items-start">
            <div class="small any">${whatHappened(view, row)}</div>
            <div>${button(call, row)}</div>
          </div>`,
    ),
    tables.column(t('list.message'), (row) => whatHappened(view, row), tables.FROM_MD, 'small any what-cell'),
    tables.column(t('list.since'), (row) => times(view, row), `${tables.FROM_MD} text-end`),
    tables.hiddenHead(
      tables.column(t('list.next'), (row) => button(call, row), `${tables.FROM_MD} text-end`, ''),
    ),
  ]);
}

/** The customer; of several, how many, and who on demand. */
function aboutWhom({ t }: View, { request, requests }: NeedRow): Markup {
  if (request) return customerOf(request);
  if (requests.length === 0) return html`<span class="soft d-none d-md-inline">–</span>`;
  return html`<details>
    <summary class="fw-semibold">${t('todo.requests', { count: requests.length })}</summary>
    ${requests.map(customerOf)}
  </details>`;
}

function customerOf({ id, customer, reference, title }: AboutRequest): Markup {
  return ui.lead(
    `/admin/requests/${id}`,
    customer,
    html`${title} · <span class="text-nowrap">${reference}</span>`,
  );
}

function whatHappened(view: View, { what, also }: NeedRow): Markup {
  const all = [what, ...also.map((each) => each.what)];
  return html`${all.map((words) => html`<div>${withMoments(view, view.advice(words))}</div>`)}`;
}

function times(view: View, { since, until }: NeedRow): Markup {
  if (until === null) return ago(view, since);
  return html`${ago(view, since)}
    <div class="soft">${view.t('admin.failed.newest')} ${ago(view, until)}</div>`;
}

/** Without a button, the command for whoever runs the server. */
function button({ ctx, view }: PageCall, { next, requests, signId, paymentId }: NeedRow): Markup {
  const look = 'btn-sm btn-outline-primary';
  const unknown =
    signId !== undefined
      ? linkTo(UNKNOWN, { document: signId })
      : paymentId && linkTo(UNKNOWN_PAYMENT, { payment: paymentId });
  if (unknown) return html`<a class="btn ${look}" href="${unknown}">${view.t('act.settle')}</a>`;
  const requestIds = requests.map(({ id }) => id);
  return wayOf({ ctx, view, look, requestIds }, next) ?? html`<code>${view.advice([next])}</code>`;
}
