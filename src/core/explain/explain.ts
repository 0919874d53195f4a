/** Answers "the customer has signed, why is it stuck?": a request's whole story, what is wrong, what to do (rules 10). */
import type { RequestRow, RequestStatus } from '../../db/schema.js';
import { cursorOf } from '../calls/listing.js';
import { command, type Advice, type Command } from '../commands.js';
import type { Context } from '../context.js';
import { isSuppliedPdfLost } from '../contracts/contract-files.js';
import { isHeld } from '../installation/hold.js';
import { hasDaemon } from '../jobs/waiting.js';
import { isOver } from '../lifecycle.js';
import { isLocked, lockedAmong, requestLock } from '../lock.js';
import { once } from '../once.js';
import { pricesOf, readPriceList } from '../prices/request-price.js';
import { newTooLongSince } from '../requests/too-long.js';
import { examinePdf } from '../signature/signed-pdf.js';
import { requestsByKey } from '../requests/find-requests.js';
import { readCaseFile, type CaseFile } from './case-file.js';
import type { Facts, Finding, Surroundings } from './finding.js';
import { findingsOf } from './findings.js';
import { askProviders, viewEntries } from './present-view.js';
import { inOrder, recentTimeline } from './timeline.js';
import { sayer, type TimelineEntry } from './timeline-entry.js';
export type { Finding } from './finding.js';
import { payLink } from '../payment/pay-link.js';
import { formatDay, formatMoney } from '../texts/format.js';
import { text } from '../texts/index.js';
import { oneLine } from '../texts/plain.js';
import { localeOf } from '../users/names.js';
import type { Reply } from './findings-table.js';

export interface OtherRequest {
  id: number;
  reference: string;
  status: RequestStatus;
}

export interface Subject extends OtherRequest {
  title: string;
  /** Log-in name of the owner. */
  customer: string;
  contractId: number | null;
  signId: string | null;
  paymentId: string | null;
  /** Other requests that the key names. */
  others: OtherRequest[];
}

export interface Explanation {
  subject: Subject;
  timeline: TimelineEntry[];
  /** Lists what happened before; null when all is in the time line. */
  earlier: Command | null;
  /** Most serious first; at least one. */
  findings: Finding[];
  /** The first finding's message. */
  verdict: Advice;
  /** Null when there is nothing to do. */
  next: Command | null;
}

/** What to answer the customer who asks about this request now. */
export async function replyAbout(
  ctx: Context,
  request: RequestRow,
  options: ExplainOptions = {},
): Promise<string> {
  const { file, findings } = await examine(ctx, request, options);
  return replyTo(ctx, file, findings);
}

export interface ExplainOptions {
  /** Do not ask the providers. */
  offline?: boolean;
}

/** Throws `request_not_found` when the key names nothing. Changes nothing. */
export async function explain(ctx: Context, key: string, options: ExplainOptions = {}): Promise<Explanation> {
  const found = requestsByKey(ctx, key);
  const chosen = found.length > 1 ? mostUrgent(ctx, found) : found[0];
  const others = found.filter(({ id }) => id !== chosen.id).map(nameOf);
  return explainRequest(ctx, chosen, { ...options, others });
}

/** The same for a known request, as the back office shows it. */
export async function explainRequest(
  ctx: Context,
  request: RequestRow,
  { others = [], ...options }: ExplainOptions & { others?: OtherRequest[] } = {},
): Promise<Explanation> {
  const { file, view, findings } = await examine(ctx, request, options);
  const [{ message: verdict, next }] = findings;
  const asked = view ? viewEntries(sayer(ctx), file, view) : [];
  const { timeline: told, cutAt } = recentTimeline(ctx, file);
  const earlier = cutAt
    ? { ...command('history'), options: ['--about', String(request.id), '--cursor', cursorOf(cutAt)] }
    : null;
  const timeline = inOrder([...told, ...asked]);
  return { subject: { ...subjectOf(file), others }, timeline, earlier, findings, verdict, next };
}

/** Reads once and decides once; what is shown of it and what is answered agree. */
async function examine(ctx: Context, request: RequestRow, { offline = false }: ExplainOptions) {
  const file = readCaseFile(ctx, request);
  const view = offline ? undefined : await askProviders(ctx, file);
  const files = await filesOf(ctx, file);
  return { file, view, findings: findingsOf({ ...factsOf(ctx, file, surroundings(ctx)), ...files, view }) };
}

/** The findings without asking the providers, most serious first; at least one. Unchanged PDFs are not read again. */
export async function findingsHere(
  ctx: Context,
  file: CaseFile,
  around: Surroundings = surroundings(ctx),
): Promise<Finding[]> {
  return findingsOf({ ...factsOf(ctx, file, around), ...(await filesOf(ctx, file, { isTrusted: true })) });
}

/** Asked once for all requests of a list. */
export function surroundings(ctx: Context): Surroundings {
  const priceList = once(() => readPriceList(ctx.db));
  return {
    isHeld: isHeld(ctx),
    isDaemonRunning: once(() => hasDaemon(ctx)),
    // The first use of a time zone takes 10 ms of a short command.
    newTooLongSince: once(() => newTooLongSince(ctx.config, ctx.clock.now())),
    priceList,
    isLocked: ({ id }) => isLocked(ctx, ctx.db, requestLock(id)),
    priceOf: (request) => pricesOf(ctx, ctx.db, priceList(), [request])(request),
  };
}

/** The same around these, whose locks and prices are read together. */
export function surroundingsOf(
  ctx: Context,
  around: Surroundings,
  requests: readonly RequestRow[],
): Surroundings {
  const nameOfLock = ({ id }: RequestRow) => requestLock(id);
  const locked = lockedAmong(ctx, ctx.db, requests.map(nameOfLock));
  const prices = once(() => pricesOf(ctx, ctx.db, around.priceList(), requests));
  return {
    ...around,
    isLocked: (request) => locked.has(nameOfLock(request)),
    priceOf: (request) => prices()(request),
  };
}

/** What is known without asking the providers or reading files. */
function factsOf(ctx: Context, file: CaseFile, around: Surroundings): Facts {
  return {
    ctx,
    ...around,
    say: sayer(ctx),
    file,
    view: undefined,
    pdf: undefined,
    isSuppliedPdfLost: false,
    isBusy: around.isLocked(file.request),
  };
}

async function filesOf(
  ctx: Context,
  { contract, contracts }: CaseFile,
  how: { isTrusted?: boolean } = {},
): Promise<Pick<Facts, 'pdf' | 'isSuppliedPdfLost'>> {
  const signed = contracts.findLast(({ pdfSha256 }) => pdfSha256 !== null);
  const state = signed && (await examinePdf(ctx, signed, how));
  return {
    pdf: signed && state ? { contractId: signed.id, state } : undefined,
    isSuppliedPdfLost: contract !== undefined && (await isSuppliedPdfLost(ctx, contract)),
  };
}

/** The newest in trouble, else the newest that somebody pursues, else the newest. */
export function mostUrgent(ctx: Context, requests: readonly [RequestRow, ...RequestRow[]]): RequestRow {
  const open = requests.filter((request) => !isOver(request));
  const around = surroundings(ctx);
  const isStuck = (each: RequestRow) =>
    findingsOf(factsOf(ctx, readCaseFile(ctx, each), around))[0].level === 'trouble';
  return open.find(isStuck) ?? open[0] ?? requests[0];
}

function nameOf({ id, reference, status }: RequestRow): OtherRequest {
  return { id, reference, status };
}

function subjectOf({ request, customer, contract, payment }: CaseFile): Omit<Subject, 'others'> {
  return {
    ...nameOf(request),
    title: request.title,
    customer: customer.username,
    contractId: contract?.id ?? null,
    signId: contract?.signId ?? null,
    paymentId: payment?.paymentId ?? null,
  };
}

// What to answer a customer who asks (rules 10): three sentences about the present state of the request, in the language of
// the mails to customers, without words of ours such as statuses, ids or commands.

/** `findings` are those of the moment, most serious first. */
function replyTo({ config }: Context, file: CaseFile, findings: readonly Finding[]): string {
  const { timeZone, baseUrl } = config;
  const { request, contract, customer } = file;
  const locale = localeOf(config, customer);
  const [answer = 'checking'] = findings.flatMap(({ reply }) => reply ?? []);
  const reply = answer === 'sign' && hasOldLink(file) ? 'sign_newest' : answer;
  const link = payLink(baseUrl, request);
  return text(locale, `reply.${link === null && NEEDS_LINK.includes(reply) ? 'pay_soon' : reply}`, {
    title: oneLine(request.title),
    reference: request.reference,
    date: contract?.expiredAt ? formatDay({ locale, timeZone }, contract.expiredAt) : '–',
    amount: contract ? formatMoney(locale, contract.amount, contract.currency) : '–',
    link: link ?? '',
  });
}

/** The customer also has the mail of a contract that does not count any more. */
function hasOldLink({ contract, contracts }: CaseFile): boolean {
  return contracts.some(({ id, signId }) => id !== contract?.id && signId !== null);
}

const NEEDS_LINK: readonly Reply[] = ['pay', 'pay_failed'];
