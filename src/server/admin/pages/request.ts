/** /admin/requests/{id}: everything about one request, and the actions it allows. */
import { setTimeout as pause } from 'node:timers/promises';
import { html } from 'hono/html';
import { commandLine } from '../../../core/commands.js';
import type { Context } from '../../../core/context.js';
import { getContractOf, openContractPdf } from '../../../core/contracts/contracts.js';
import { openCase, type CaseFile } from '../../../core/explain/case-file.js';
import { findingsHere, replyAbout, type Finding } from '../../../core/explain/explain.js';
import { timelineOf, type TimelineEntry } from '../../../core/explain/timeline.js';
import { payLink } from '../../../core/payment/pay-link.js';
import { allowedActions, type RequestAction } from '../../../core/requests/allowed-actions.js';
import { getRequest } from '../../../core/requests/requests.js';
import { getEquipment, type EquipmentRow } from '../../../core/equipments/equipments.js';
import { withMoments } from '../../../core/texts/format.js';
import { withFreshSignLink } from '../../../core/signature/fresh-sign-link.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../../db/schema.js';
import { sendPdf } from '../../api/contracts.js';
import type { Parts } from '../../parts.js';
import { icon, type IconName } from '../assets/icons.js';
import { card, facts, outside, requestsAbout, state } from '../components.js';
import { exportButton } from './exports.js';
import { Pages } from '../pages.js';
import { actionLabel, money, moment, nameOf, type Markup, type View } from '../view.js';

const LINK_WAIT_MS = 2_000;

export function requestPage(parts: Parts) {
  return new Pages(parts, 'requests')
    .get('/admin/requests/:id{[0-9]+}', async ({ ctx, view, user, id }) => {
      const read = () => openCase(ctx, getRequest(ctx, id));
      const before = read();
      const contract = before.contract && (await withLink(ctx, before.contract));
      // A renewed link is no longer a finding.
      const file = contract === before.contract ? before : read();
      const sheet = {
        file,
        link: file.request.status === 'WAITING_PAYMENT' ? payLink(ctx.config.baseUrl, file.request) : null,
        contract,
        equipment: getEquipment(ctx, user, file.request.equipmentId),
        actions: allowedActions(ctx, file.request),
        findings: await findingsHere(ctx, file),
        timeline: timelineOf(ctx, file),
      };
      const { reference, title } = file.request;
      const aside = html`<span class="soft">${reference}</span>`;
      return { title, aside, body: requestSheet(view, sheet) };
    })
    .get('/admin/requests/:id{[0-9]+}/reply', async ({ ctx, view, id }) => {
      const request = getRequest(ctx, id);
      return { title: view.t('admin.reply'), body: replySheet(view, request, await replyNow(ctx, request)) };
    })
    .get('/admin/contracts/:id{[0-9]+}/pdf', async ({ c, ctx, user, actor, id }) => {
      const contract = getContractOf(ctx, user, id);
      return sendPdf(c, contract.id, await openContractPdf(ctx, contract, actor));
    });
}

/** A hanging provider must not hang the page; then the reply says what is known here. */
function replyNow(ctx: Context, request: RequestRow): Promise<string> {
  const here = pause(LINK_WAIT_MS, undefined, { ref: false }).then(() =>
    replyAbout(ctx, request, { offline: true }),
  );
  return Promise.race([replyAbout(ctx, request), here]);
}

function replySheet(view: View, { id, reference }: RequestRow, reply: string): Markup {
  const { t } = view;
  return html`<section class="card medium">
    <div class="card-body d-grid gap-3">
      <p class="mb-0">${t('admin.reply.about', { reference })}</p>
      <label class="visually-hidden" for="reply">${t('admin.reply')}</label>
      <textarea class="form-control" id="reply" rows="7" readonly>${reply}</textarea>
      <div class="actions">
        <a class="btn btn-outline-secondary" href="/admin/requests/${id}">${t('admin.reply.back')}</a>
      </div>
    </div>
  </section>`;
}

/** A hanging provider must not hang the page; it is shown without the link. */
async function withLink(ctx: Context, contract: ContractRow): Promise<ContractRow> {
  const without = pause(LINK_WAIT_MS, { ...contract, signUrl: null }, { ref: false });
  return Promise.race([withFreshSignLink(ctx, contract), without]);
}

interface Sheet {
  /** The customer's link to pay, while there is something to pay. */
  link: string | null;
  file: CaseFile;
  contract: ContractRow | undefined;
  equipment: EquipmentRow;
  actions: readonly RequestAction[];
  /** Most serious first. */
  findings: Finding[];
  timeline: TimelineEntry[];
}

function requestSheet(view: View, sheet: Sheet): Markup[] {
  const { t } = view;
  const { file, contract, actions, findings, timeline } = sheet;
  const buttons = actions.map((action) => actionLink(view, file.request.id, action));
  return [
    html`<div class="head">
      <div class="d-flex flex-wrap gap-2 align-items-center">
        ${state(view, file.request.status)} <code class="soft">${file.request.status}</code>
      </div>
      ${buttons.length > 0 ? html`<div class="actions">${buttons}</div>` : ''}
    </div>`,
    findingList(view, findings),
    html`<p class="mb-0">
      <a href="/admin/requests/${file.request.id}/reply">${icon('send')} ${t('admin.reply')}</a>
    </p>`,
    html`<div class="columns wide">
      <div class="stack">
        ${card(t('admin.request.facts'), requestFacts(view, sheet))}
        ${contract ? contractCard(view, contract) : ''}
        ${file.payment ? paymentCard(view, file.payment, sheet.link) : ''}
      </div>
      <div class="stack">
        ${card(t('admin.request.timeline'), timelineList(view, timeline), exportButton(view, file.request.id))}
      </div>
    </div>`,
  ];
}

const LOOKS: Record<RequestAction, { classes: string; icon: IconName }> = {
  'start-signature': { classes: 'btn-primary', icon: 'pen' },
  'check-signature': { classes: 'btn-warning', icon: 'arrow-repeat' },
  'accept-late': { classes: 'btn-outline-primary', icon: 'check2-circle' },
  'reset-signature': { classes: 'btn-outline-danger', icon: 'arrow-counterclockwise' },
  'check-payment': { classes: 'btn-outline-primary', icon: 'arrow-repeat' },
  'renew-payment': { classes: 'btn-primary', icon: 'credit-card' },
  complete: { classes: 'btn-outline-danger', icon: 'check2-circle' },
  remind: { classes: 'btn-outline-primary', icon: 'send' },
  cancel: { classes: 'btn-outline-secondary', icon: 'x-circle' },
  reopen: { classes: 'btn-outline-primary', icon: 'arrow-counterclockwise' },
  settle: { classes: 'btn-primary', icon: 'check2-circle' },
};

function actionLink(view: View, id: number, action: RequestAction): Markup {
  const look = LOOKS[action];
  const isCheck = action === 'check-signature';
  const path = isCheck ? `/check_signature/request/${id}` : `/admin/requests/${id}/${action}`;
  return html`<a class="btn ${look.classes}" href="${path}"
    >${icon(look.icon)} ${actionLabel(view, action)}</a
  >`;
}

/** The findings, as in `esignctl explain --offline`. */
function findingList(view: View, findings: Finding[]): Markup {
  const { t } = view;
  return html`<ul class="findings" aria-label="${t('admin.request.findings')}">
    ${findings.map(
      ({ level, message, next }) =>
        html`<li class="${level}">
          ${withMoments(view, message)}
          ${next ? html`<div class="soft small">${t('admin.request.command')} <code>${commandLine(next)}</code></div>` : ''}
        </li>`,
    )}
  </ul>`;
}

function requestFacts(view: View, { file: { request, customer }, equipment }: Sheet): Markup {
  const { t } = view;
  const name = nameOf(customer);
  return facts([
    [t('admin.field.reference'), html`<span class="num">${request.reference}</span>`],
    [
      t('admin.field.customer'),
      html`${name ? html`${name}<br />` : ''}<a href="${requestsAbout(customer.username)}"
          >${customer.username}</a
        >`,
    ],
    [t('admin.field.phone'), customer.phone],
    [t('admin.field.equipment'), `${equipment.name}, ${equipment.model}, ${equipment.serialNumber}`],
    [t('admin.field.description'), html`<span class="pre">${request.description}</span>`],
    [t('admin.field.created'), moment(view, request.createdAt)],
    [t('admin.field.updated'), moment(view, request.updatedAt)],
  ]);
}

function contractCard(view: View, contract: ContractRow): Markup {
  const { t } = view;
  const isSigned = contract.pdfSha256 !== null;
  const pdf = html`<a
    class="btn btn-sm btn-outline-secondary btn-icon"
    href="/admin/contracts/${contract.id}/pdf"
    >${icon('file-earmark-pdf')} ${t(isSigned ? 'admin.contract.signed_pdf' : 'admin.contract.pdf')}</a
  >`;
  const lastDay = t(contract.signedAt ? 'admin.field.term_end' : 'admin.field.sign_before');
  return card(
    t('admin.contract', { id: contract.id }),
    facts([
      [t('admin.field.status'), state(view, contract.status)],
      [t('admin.field.amount'), money(view, contract.amount, contract.currency)],
      [t('admin.field.created'), moment(view, contract.createdAt)],
      [t('admin.field.signed'), contract.signedAt && moment(view, contract.signedAt)],
      [lastDay, contract.expiredAt && moment(view, contract.expiredAt)],
      ['signId', contract.signId && html`<code>${contract.signId}</code>`],
      [t('admin.field.sign_link'), contract.status === 'PENDING' ? outside(contract.signUrl) : null],
      ['SHA-256', contract.pdfSha256 && html`<code>${contract.pdfSha256}</code>`],
    ]),
    pdf,
  );
}

function paymentCard(view: View, payment: PaymentRow, link: string | null): Markup {
  const { t } = view;
  const { status, amount, currency, createdAt, expiresAt, pendingSince, paidAt, paymentId } = payment;
  const isLinkOpen = status === 'open' && pendingSince === null;
  return card(
    t('admin.payment'),
    facts([
      [t('admin.field.status'), state(view, status)],
      [t('admin.field.amount'), money(view, amount, currency)],
      [t('admin.field.created'), moment(view, createdAt)],
      [t('admin.field.valid_until'), isLinkOpen ? expiresAt && moment(view, expiresAt) : null],
      [t('admin.field.pending_since'), pendingSince && moment(view, pendingSince)],
      [t('admin.field.paid'), paidAt && moment(view, paidAt)],
      ['paymentId', html`<code>${paymentId}</code>`],
      [t('admin.field.payment_link'), pendingSince === null ? outside(link) : null],
    ]),
  );
}

function timelineList(view: View, timeline: TimelineEntry[]): Markup {
  if (timeline.length === 0) return html`<p class="empty mb-0">${view.t('admin.request.nothing')}</p>`;
  const now = view.now.toISOString();
  const tone = ({ level, at }: TimelineEntry) =>
    at > now ? 'ahead' : { info: '', good: 'good', trouble: 'bad' }[level];
  return html`<ol class="timeline">
    ${timeline.toReversed().map(
      (entry) =>
        html`<li class="${tone(entry)}">
          <div class="any">${withMoments(view, entry.message)}</div>
          ${entry.note ? html`<div class="small any pre">“${entry.note}”</div>` : ''}
          <div class="soft small any">
            ${moment(view, entry.at)}${entry.actor ? html` · ${entry.actor}` : ''}
          </div>
        </li>`,
    )}
  </ol>`;
}
