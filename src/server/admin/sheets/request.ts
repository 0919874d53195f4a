/** /admin/requests/{id}: everything about one request, and the actions it allows. */
import { setTimeout as pause } from 'node:timers/promises';
import { html } from 'hono/html';
import type { Context } from '../../../core/context.js';
import { getContractOf, openContractPdf } from '../../../core/contracts/contracts.js';
import { readCaseFile, type CaseFile } from '../../../core/explain/case-file.js';
import { findingsHere, replyAbout, type Finding } from '../../../core/explain/explain.js';
import { recentTimeline, type RecentTimeline, type TimelineEntry } from '../../../core/explain/timeline.js';
import { priceWords } from '../../../core/payment/price.js';
import { payLink } from '../../../core/payment/pay-link.js';
import { actOf, type Act } from '../../../core/requests/acts.js';
import { priceToCome, openActs } from '../../../core/requests/before-act.js';
import { getRequest } from '../../../core/requests/requests.js';
import { getEquipment, type EquipmentRow } from '../../../core/equipments/equipments.js';
import { isBeforeSending } from '../../../core/lifecycle.js';
import { withMoments } from '../../../core/texts/format.js';
import { whoOf, fullName, nameOrAddress } from '../../../core/users/names.js';
import { CONTRACTS } from '../../../core/resources/contracts.js';
import { requestState } from '../../../core/resources/requests.js';
import { offersOf } from '../../../core/offers/offers.js';
import { PAYMENTS } from '../../../core/resources/payments.js';
import { withFreshSignLink } from '../../../core/signature/sent.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../../core/rows.js';
import { sendPdf } from '../../api/contracts.js';
import type { Parts } from '../../parts.js';
import { linkTo, lately, moment, type Markup, type View } from '../frame/view.js';
import { cursorOf } from '../../../core/calls/listing.js';
import { icon } from '../assets/icons.js';
import { address, card, facts, folded, outside, state, type Fact } from '../frame/components.js';
import { factsOf } from '../lists/field-columns.js';
import { offersCard } from '../acts/entries.js';
import { exportButton } from '../acts/exports.js';
import { actButton } from '../acts/fields.js';
import { wayOf } from '../acts/ways.js';
import type { PageCall } from '../frame/page-call.js';
import { Pages } from '../frame/pages.js';

const LINK_WAIT_MS = 2_000;

export function requestPage(parts: Parts) {
  return new Pages(parts, 'requests')
    .get('/admin/requests/:id{[0-9]+}', async (call) => {
      const { ctx, view, user, id } = call;
      const read = () => readCaseFile(ctx, getRequest(ctx, id));
      const before = read();
      const contract = before.contract && (await withLink(ctx, before.contract));
      // A renewed link is no longer a finding.
      const file = contract === before.contract ? before : read();
      const sheet = {
        file,
        link: file.request.status === 'WAITING_PAYMENT' ? payLink(ctx.config.baseUrl, file.request) : null,
        contract,
        equipment: getEquipment(ctx, user, file.request.equipmentId),
        acts: openActs(ctx, file.request),
        findings: await findingsHere(ctx, file),
        ...recentTimeline(ctx, file),
      };
      const { reference, title } = file.request;
      const aside = html`<div class="actions align-items-center">
        <span class="soft">${reference}</span> ${state(view, requestState(file))}
      </div>`;
      const customer = nameOrAddress(file.customer);
      return { title: `${customer} · ${title}`, aside, body: requestSheet(call, sheet) };
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
        <button
          type="button"
          class="btn btn-primary needs-script"
          data-copy="reply"
          data-done="${t('admin.reply.copied')}"
        >
          ${icon('clipboard')} ${t('admin.reply.copy')}
        </button>
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

interface Sheet extends RecentTimeline {
  /** The customer's link to pay, while there is something to pay. */
  link: string | null;
  file: CaseFile;
  contract: ContractRow | undefined;
  equipment: EquipmentRow;
  acts: readonly Act[];
  /** Most serious first. */
  findings: Finding[];
}

function requestSheet(call: PageCall, sheet: Sheet): Markup[] {
  const { view } = call;
  const { t } = view;
  const { file, contract, acts } = sheet;
  const { id } = file.request;
  const told = withButtons(call, sheet);
  const advised = told.flatMap(({ act }) => act ?? []);
  // A check learns nothing new about a contract that has ended: it comes last.
  const isOver = contract !== undefined && contract.status !== 'PENDING';
  const isLast = ({ name }: Act) => Number(isOver && name === 'check-signature');
  const others = acts.filter((act) => !advised.includes(act)).toSorted((a, b) => isLast(a) - isLast(b));
  return [
    findingList(view, told),
    html`<div class="actions">
      ${others.map((act) => actButton(view, id, act))}
      <a class="btn btn-outline-secondary" href="/admin/requests/${id}/reply"
        >${icon('send')} ${t('admin.reply')}</a
      >
    </div>`,
    html`<div class="columns even">
      <div class="stack">
        ${card(t('admin.request.facts'), requestFacts(call, sheet), entryLinks(view, file.request))}
      </div>
      <div class="stack">
        ${offersPart(call, file.request)} ${contract ? contractCard(view, contract) : ''}
        ${file.payment ? paymentCard(view, file.payment, sheet.link) : ''}
      </div>
    </div>`,
    card(t('admin.request.timeline'), timelineList(view, id, sheet), exportButton(view, id)),
  ];
}

interface Told {
  finding: Finding;
  /** The act that it advises, shown beside the first that does. */
  act?: Act;
  button?: Markup | undefined;
}

/** What each advises, once, as a button; that of the first act is filled, or else the first. */
function withButtons({ ctx, view }: PageCall, { file, acts, findings }: Sheet): Told[] {
  const { id } = file.request;
  const actFor = ({ next }: Finding) => acts.find(({ name }) => next !== null && name === actOf(next)?.name);
  const lead = findings.find(actFor) ?? findings.find(({ next }) => next !== null);
  const shown = new Set<string>();
  return findings.map((finding) => {
    const { next } = finding;
    const act = actFor(finding);
    const words = next === null ? '' : view.advice([next]);
    if (next === null || shown.has(words) || (actOf(next) && !act)) return { finding };
    shown.add(words);
    const look = finding === lead ? 'btn-primary' : 'btn-outline-secondary';
    const button = act
      ? actButton(view, id, act, finding === lead)
      : wayOf({ view, ctx, look, requestIds: [id], isItsPage: true }, next);
    return { finding, button, ...(act && { act }) };
  });
}

/** The findings, as in `esignctl explain --offline`. */
function findingList(view: View, told: readonly Told[]): Markup {
  return html`<ul class="findings" aria-label="${view.t('admin.request.findings')}">
    ${told.map(
      ({ finding: { level, message, next }, button }) =>
        html`<li class="${level}">
          <div class="d-grid gap-1 align-content-center">
            <div class="any">${withMoments(view, view.advice(message))}</div>
            ${next ? folded(view.t('mail.command'), html`<code>${view.advice([next])}</code>`) : ''}
          </div>
          ${button ?? ''}
        </li>`,
    )}
  </ul>`;
}

/** While its contract has not been sent. */
function entryLinks({ t }: View, request: RequestRow): Markup | string {
  if (!isBeforeSending(request)) return '';
  const path = `/admin/requests/${request.id}`;
  return html`<div class="actions">
    <a class="btn btn-sm btn-outline-secondary" href="${path}/edit">${t('admin.entry.edit')}</a>
  </div>`;
}

/** Once the contract is sent there is nothing to offer, and an empty card says nothing. */
function offersPart({ ctx, view }: PageCall, request: RequestRow): Markup | string {
  const offers = offersOf(ctx, request.id);
  const isOpen = isBeforeSending(request);
  if (offers.length === 0 && !isOpen) return '';
  const more = html`<a class="btn btn-sm btn-outline-secondary" href="/admin/requests/${request.id}/offer"
    >${view.t('admin.offer.new')}</a
  >`;
  return offersCard(view, offers, isOpen ? more : '');
}

function requestFacts(
  { ctx, view }: PageCall,
  { file: { request, customer, renews, renewal }, equipment }: Sheet,
): Markup {
  const { t } = view;
  const linked = (other: RequestRow | undefined) =>
    other && html`<a href="/admin/requests/${other.id}">${other.reference}</a>`;
  return facts([
    [t('list.customer'), html`<a href="/admin/users/${customer.id}">${nameOrAddress(customer)}</a>`],
    [t('list.username'), fullName(customer) ? address(customer.username) : null],
    [t('list.phone'), customer.phone],
    [
      t('list.equipment'),
      html`<a href="/admin/equipments/${equipment.id}"
        >${equipment.name}, ${equipment.model}, ${equipment.serialNumber}</a
      >`,
    ],
    [t('evidence.description'), html`<span class="pre">${request.description}</span>`],
    [t('pdf.price.label'), isBeforeSending(request) ? priceToCome(ctx, request) : null],
    [t('admin.request.renews'), linked(renews)],
    [t('admin.request.renewal'), linked(renewal)],
    [t('list.entered'), moment(view, request.createdAt)],
    [
      t('admin.request.more'),
      html`${(['contracts', 'troubleshootings', 'prices'] as const).map(
        (name) =>
          html`<a href="${linkTo(`/admin/${name}`, name === 'prices' ? {} : { request: String(request.id) })}"
            >${t(`admin.nav.${name}`)}</a
          > `,
      )}`,
    ],
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
  const lastDay = t(contract.signedAt ? 'evidence.term_end' : 'evidence.sign_before');
  return card(
    t('list.contract'),
    facts([
      ...factsOf(
        view,
        CONTRACTS,
        { ...contract, customer: '' },
        {
          requestId: null,
          customer: null,
          expiredAt: null,
          signId: null,
          amount: priceWords(view.locale, contract),
        },
      ),
      [lastDay, contract.expiredAt && moment(view, contract.expiredAt)],
      [t('list.signUrl'), contract.status === 'PENDING' ? outside(contract.signUrl) : null],
      ...technical(view, {
        [t('list.id')]: String(contract.id),
        signId: contract.signId,
        'SHA-256': contract.pdfSha256,
      }),
    ]),
    pdf,
  );
}

function paymentCard(view: View, payment: PaymentRow, link: string | null): Markup {
  const { t } = view;
  const { state, expiresAt, paymentId } = payment;
  return card(
    t('evidence.payment'),
    facts([
      ...factsOf(
        view,
        PAYMENTS,
        { ...payment, requestId: 0, customer: '' },
        {
          paymentId: null,
          customer: null,
          requestId: null,
          contractId: null,
          expiresAt: state === 'open' ? expiresAt && moment(view, expiresAt) : null,
        },
      ),
      [t('admin.field.payment_link'), ['pending', 'case'].includes(state) ? null : outside(link)],
      ...technical(view, { paymentId }),
    ]),
  );
}

/** What support reads out to a provider, folded away. */
function technical({ t }: View, values: Record<string, string | null>): Fact[] {
  const known = Object.entries(values).filter(([, value]) => value !== null);
  if (known.length === 0) return [];
  const lines = known.map(([name, value]) => html`<div>${name} <code>${value}</code></div>`);
  return [['', folded(t('list.detail'), html`${lines}`)]];
}

function timelineList(view: View, requestId: number, { timeline, cutAt }: RecentTimeline): Markup {
  if (timeline.length === 0) return html`<p class="empty mb-0">${view.t('admin.request.nothing')}</p>`;
  const before = (place: { id: number }) =>
    linkTo('/admin/history', { about: String(requestId), cursor: cursorOf(place) });
  return html`<ol class="timeline">
      ${withSteps(byJob(timeline.toReversed())).map((event) => timelineItem(view, event))}
    </ol>
    ${cutAt ? html`<p class="px-3"><a href="${before(cutAt)}">${view.t('admin.request.before')}</a></p>` : ''}`;
}

/** What stands in the list, and what is folded below it. */
interface ShownEvent {
  newest: TimelineEntry;
  /** Of the same job. */
  earlier: TimelineEntry[];
  steps: TimelineEntry[];
}

/** They say nothing that the event beside them does not say too. */
const STEPS = ['request.moved', 'webhook.received', 'contract.created', 'contract.trail_kept'];

function isStep({ what, level, note }: TimelineEntry): boolean {
  return STEPS.includes(what) && level !== 'trouble' && note === null;
}

/** Steps go to the event that they led to, which is newer; where there is none, to the next; alone they stand for themselves. */
function withSteps(groups: TimelineEntry[][]): ShownEvent[] {
  const shown: ShownEvent[] = [];
  let early: TimelineEntry[] = [];
  for (const [newest, ...earlier] of groups) {
    if (!newest) continue;
    const last = shown.at(-1);
    if (!isStep(newest)) {
      shown.push({ newest, earlier, steps: early });
      early = [];
    } else if (last) last.steps.push(newest);
    else early.push(newest);
  }
  return [...shown, ...early.map((newest) => ({ newest, earlier: [], steps: [] }))];
}

/** What became of one job is one entry, its newest; each other entry stands for itself. In the order of the list. */
function byJob(entries: TimelineEntry[]): TimelineEntry[][] {
  const groups = Map.groupBy(entries, (entry) => {
    const isOfJob = entry.jobId !== null && entry.what.startsWith('job.');
    return isOfJob ? entry.jobId : entry;
  });
  return [...groups.values()];
}

function timelineItem(view: View, { newest, earlier, steps }: ShownEvent): Markup {
  const isAhead = newest.at > view.now.toISOString();
  const tone = isAhead ? 'ahead' : { info: '', good: 'good', trouble: 'bad' }[newest.level];
  const below = [...earlier, ...steps];
  const words = steps.length === 0 ? 'admin.request.earlier' : 'admin.request.steps';
  const list = html`<ul>
    ${below.map((each) => html`<li>${entryText(view, each)}</li>`)}
  </ul>`;
  return html`<li class="${tone}">
    ${entryText(view, newest)}
    ${below.length === 0 ? '' : folded(view.t(words, { count: below.length }), list)}
  </li>`;
}

function entryText(view: View, { message, note, at, actor }: TimelineEntry): Markup {
  return html`<div class="entry">
    <div>
      <div class="any">${withMoments(view, message)}</div>
      ${note ? html`<div class="small any pre">${view.t('admin.quoted', { words: note })}</div>` : ''}
    </div>
    <div class="soft small any">${lately(view, at)}${actor ? html` · ${whoOf(view.t, actor)}` : ''}</div>
  </div>`;
}
