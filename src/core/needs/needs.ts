/**
 * What needs the office (rules 12): every request, job and subscription where somebody has to act, with since when, what
 * happened and the next command. The same list is the command `todo`, the queue on the dashboard and the daily mail.
 *
 * Only requests that may need somebody are looked at, each found by an index: those whose time is over, those with a
 * failed job or a refused mail, those with a case told to the office, those that have been new or unpaid for too long, those whose money is late or was given up, and the newest whose
 * signed PDF is not there.
 */
import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { listOpenCases } from '../../db/cases/cases.js';
import { listSignedContracts, newestContractId } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findHold } from '../../db/installation/installation.js';
import { listFailingRuns } from '../../db/installation/runs.js';
import { listFailedJobs } from '../../db/jobs/failed.js';
import { listRefusedMails } from '../../db/jobs/waiting.js';
import { listInDoubt } from '../../db/payments/payments.js';
import { listDueRequests, listRequestsByIds, listSince, requireRequest } from '../../db/requests/requests.js';
import type { ContractRow, JobRow, RequestRow, UserRow, WebhookRow } from '../../db/schema.js';
import { findUser, requireUser } from '../../db/users/users.js';
import { listDisabledWebhooks } from '../../db/webhooks/webhooks.js';
import { iso } from '../clock.js';
import { command, type Advice, type Command } from '../commands.js';
import type { Context } from '../context.js';
import { signedPdfPath } from '../contracts/contract-files.js';
import { readCaseFiles, type CaseFile } from '../explain/case-file.js';
import { findingsHere, surroundings, surroundingsOf } from '../explain/explain.js';
import { findingWords, type Surroundings } from '../explain/finding.js';
import { sayer } from '../explain/timeline-entry.js';
import { nameOfJob } from '../explain/timeline-jobs.js';
import { parseJob, type Job } from '../jobs/kinds.js';
import { isServersTrouble } from '../mail/mail-server.js';
import { pastErrors } from '../jobs/past-errors.js';
import { listUnpayableStarts } from '../prices/request-price.js';
import { moneyWords } from '../payment/price.js';
import { overdueSince, pendingTooLongSince } from '../requests/too-long.js';
import { thinSince } from '../payment/thin-events.js';
import { listUnknownPayments, settlingUnknown, type UnknownPayment } from '../payment/unknown-payments.js';
import { listRuns } from '../schedule/runs.js';
import {
  adviceOn,
  contractOfSecond,
  listOpenUnknown,
  nextForUnknown,
  type OpenUnknown,
} from '../signature/unknown-signatures.js';
import { textParts } from '../texts/index.js';
import { outcomeWords } from '../webhooks/words.js';
import { sinceOf, type NeedKind } from './kinds.js';
import { rowsOf, type NeedRow } from './rows.js';
import { nameOrAddress } from '../users/names.js';

export interface AboutRequest {
  id: number;
  reference: string;
  title: string;
  customer: string;
}

export interface Need {
  kind: NeedKind;
  /** The same in every language; its kind where that says it. */
  cause?: string;
  /** ISO 8601. */
  since: string;
  /** Null when it is about no request. */
  request: AboutRequest | null;
  /** In the language of the settings. */
  what: Advice;
  next: Command;
  /** Of the document at the signature provider that is unknown here. */
  signId?: string;
  /** Of the payment whose contract is unknown here. */
  paymentId?: string;
}

export interface Needs {
  /** Since the longest time first. */
  needs: Need[];
  isMore: boolean;
}

/**
 * Looks on until there are `limit` needs or no more candidates, however many of these need nobody, such as requests that
 * were reopened. `lookedAtMax`: of each sort, for what shows only the beginning.
 */
export async function listNeeds(ctx: Context, limit: number, lookedAtMax = Infinity): Promise<Needs> {
  for (let lookedAt = Math.min(limit, LOOKED_AT_FIRST); ; lookedAt *= 4) {
    const { needs, isMore } = await needsAmong(ctx, lookedAt);
    if (!isMore || needs.length >= limit || lookedAt >= lookedAtMax)
      return { needs: needs.slice(0, limit), isMore: isMore || needs.length > limit };
  }
}

const LOOKED_AT_FIRST = 1_000;
/** At least so many are read, however few rows are shown. What is wrong with a request takes 0.4 ms to find out. */
const READ_MIN = 1_000;

export interface Rows {
  rows: NeedRow[];
  isMore: boolean;
}

/** The same as rows: at most `limit` of these, and each of them whole, so that its count and its command are those of all that it is about. */
export async function listRows(ctx: Context, limit: number, lookedAtMax?: number): Promise<Rows> {
  const { needs, isMore } = await listNeeds(ctx, Math.max(limit, READ_MIN), lookedAtMax);
  const rows = rowsOf(needs);
  counts.set(ctx.db, { at: ctx.clock.now().getTime(), count: rows.length, isMore });
  return { rows: rows.slice(0, limit), isMore: isMore || rows.length > limit };
}

/** On the dashboard and in `status`. */
export function beginningOf(ctx: Context, limit: number): Promise<Rows> {
  return listRows(ctx, limit, LOOKED_AT_FIRST);
}

/** At most this many at once; then other work has its turn. */
const PORTION = 20;

/** `isMore`: not all candidates were looked at. */
async function needsAmong(ctx: Context, lookedAt: number): Promise<Needs> {
  const around = surroundings(ctx);
  const { ids, others, isMore } = candidates(ctx, lookedAt, around);
  const requests = listRequestsByIds(ctx.db, { ids });
  const found: Need[] = [];
  for (let i = 0; i < requests.length; i += PORTION) {
    if (i > 0) await nextTurn();
    const portion = requests.slice(i, i + PORTION);
    const fileOf = readCaseFiles(ctx, portion);
    const near = surroundingsOf(ctx, around, portion);
    const needs = portion.map((request) => needsOf(ctx, fileOf(request), near));
    found.push(...(await Promise.all(needs)).flat());
  }
  const needs = [...others, ...found].toSorted((a, b) =>
    a.since < b.since ? -1 : a.since > b.since ? 1 : 0,
  );
  return { needs, isMore };
}

/** So long a count may be old. */
const COUNT_MS = 15_000;
const counts = new WeakMap<Context['db'], NeedsCount & { at: number }>();

export interface NeedsCount {
  count: number;
  isMore: boolean;
}

/**
 * How many rows there are of what needs the office, at most `max`; kept for a moment, since every page shows it, and one that
 * lists the rows has just counted them.
 */
export async function countNeeds(ctx: Context, max: number): Promise<NeedsCount> {
  const now = ctx.clock.now().getTime();
  const known = counts.get(ctx.db);
  if (!known || Math.abs(now - known.at) >= COUNT_MS) {
    const { rows, isMore } = await beginningOf(ctx, max);
    return { count: rows.length, isMore };
  }
  return { count: Math.min(known.count, max), isMore: known.isMore || known.count > max };
}

export function forgetNeeds({ db }: Context): void {
  counts.delete(db);
}

/** The requests to look at, and what needs somebody although it is about none of them. */
function candidates(ctx: Context, limit: number, { newTooLongSince }: Surroundings) {
  const { db } = ctx;
  const due = listDueRequests(db, { now: iso(ctx.clock.now()), limit });
  const failed = listFailedJobs(db, {}, { limit });
  const refused = listRefusedMails(db, { limit });
  const webhooks = listDisabledWebhooks(db, { limit });
  const cases = listOpenCases(db, { limit });
  const now = ctx.clock.now();
  const stale = listSince(db, { status: 'new', since: newTooLongSince(), limit });
  const overdue = listSince(db, { status: 'WAITING_PAYMENT', since: overdueSince(ctx.config, now), limit });
  const inDoubt = listInDoubt(db, { since: pendingTooLongSince(ctx.clock.now()), limit });
  const unknown = listOpenUnknown(db, limit);
  const unknownPayments = listUnknownPayments(db, limit);
  const ids = new Set([
    ...[...due, ...stale, ...overdue, ...inDoubt].map(({ id }) => id),
    ...[...failed, ...refused, ...cases].flatMap(({ requestId }) => requestId ?? []),
    ...withoutPdf(ctx).slice(0, limit),
    ...unpayableStarts(ctx).slice(0, limit),
  ]);
  return {
    ids: [...ids],
    others: [
      ...heldNeed(ctx),
      ...[...failed, ...refused]
        .filter(({ requestId }) => requestId === null)
        .flatMap((job) => ofJob(ctx, job)),
      ...webhooks.map((webhook) => ofWebhook(ctx, webhook)),
      ...unknown.map((one) => ofUnknown(ctx, one)),
      ...unknownPayments.map((one) => ofUnknownPayment(ctx, one)),
      ...thinEvents(ctx),
      ...lateRuns(ctx),
      ...failingRuns(ctx),
    ],
    isMore: [due, stale, overdue, inDoubt, failed, refused, webhooks, cases, unknown, unknownPayments].some(
      (rows) => rows.length === limit,
    ),
  };
}

function heldNeed(ctx: Context): Need[] {
  const hold = findHold(ctx.db);
  if (!hold) return [];
  const what = sayer(ctx)('todo.held', { madeAt: hold.madeAt });
  return [{ kind: 'held', since: hold.since, request: null, what, next: command('takeover') }];
}

/** Of so many of the newest the signed PDF is looked for; doctor looks at more of them and reads them. */
const PDFS_LOOKED_AT = 200;

/** The requests whose signed PDF is missing, or has another size than when it was signed. */
function withoutPdf(ctx: Context): number[] {
  const after = newestContractId(ctx.db) - PDFS_LOOKED_AT;
  const signed = listSignedContracts(ctx.db, { after, limit: PDFS_LOOKED_AT });
  const isThere = ({ id, pdfSize }: ContractRow) =>
    statSync(signedPdfPath(ctx, id), { throwIfNoEntry: false })?.size === pdfSize;
  return signed.filter((contract) => !isThere(contract)).map(({ requestId }) => requestId);
}

/** At most this many of the newest requests that were not started are looked at; doctor looks at more. */
const STARTS_LOOKED_AT = 200;

function unpayableStarts(ctx: Context): number[] {
  return listUnpayableStarts(ctx, ctx.db, STARTS_LOOKED_AT).map(({ id }) => id);
}

function ofWebhook(ctx: Context, { id, url, lastError, updatedAt }: WebhookRow): Need {
  const say = sayer(ctx);
  const error = lastError === null ? '–' : outcomeWords(say, lastError);
  const what = say('todo.webhook_disabled', { webhook: id, url, error });
  return aboutNone('webhook_disabled', updatedAt, what, command('webhooks enable', id));
}

function ofUnknown(ctx: Context, one: OpenUnknown): Need {
  const { signId, name, seenAt } = one;
  const advice = adviceOn(ctx.config.locale, ctx.db, one);
  const contract = contractOfSecond(ctx.db, one);
  const next = nextForUnknown(ctx.db, one);
  if (!contract) {
    const what = textParts(ctx.config.locale, 'todo.unknown_signature', {
      sign: signId,
      name: name ?? '–',
      advice,
    });
    return { ...aboutNone('unknown', seenAt, what, next), signId };
  }
  const request = requireRequest(ctx.db, { id: contract.requestId });
  const customer = requireUser(ctx.db, { id: request.ownerId });
  return {
    ...aboutNone('second_document', seenAt, advice, next),
    request: aboutRequest(request, customer),
    signId,
  };
}

function ofUnknownPayment(
  { config: { locale } }: Context,
  { paymentId, seenAt, ...paid }: UnknownPayment,
): Need {
  const what = textParts(locale, 'todo.unknown_payment', {
    paid: moneyWords(locale, paid),
    payment: paymentId,
  });
  return { ...aboutNone('unknown', seenAt, what, settlingUnknown(paymentId)), paymentId };
}

function aboutRequest({ id, reference, title }: RequestRow, customer: UserRow): AboutRequest {
  return { id, reference, title, customer: nameOrAddress(customer) };
}

/** The endpoint at the payment provider is set up wrongly. */
function thinEvents(ctx: Context): Need[] {
  const since = thinSince(ctx.db, ctx.config);
  const what = sayer(ctx)('todo.thin_events');
  return since === undefined ? [] : [aboutNone('payment_webhook', since, what, command('doctor'))];
}

/** Scheduled work that was not done, and did not fail either. */
function lateRuns(ctx: Context): Need[] {
  const say = sayer(ctx);
  return listRuns(ctx).flatMap(({ run, isLate, isFailing, lastAt }) => {
    if (!isLate || isFailing || lastAt === null) return [];
    const what = say('todo.run_late', { run: say(`run.${run}`) });
    return aboutNone('run_failing', lastAt, what, command('doctor'));
  });
}

function failingRuns(ctx: Context): Need[] {
  const say = sayer(ctx);
  return listFailingRuns(ctx.db).map(({ name, since, error: stored }) => {
    const error = outcomeWords(say, stored);
    if (name === 'mail') {
      return aboutNone('mail_server', since, say('todo.mail_server', { error }), command('doctor'));
    }
    const what = say('todo.run_failing', { run: say(`run.${name}`), error });
    return aboutNone('run_failing', since, what, command('doctor'));
  });
}

function aboutNone(kind: NeedKind, since: string, what: Advice, next: Command): Need {
  return { kind, since, request: null, what, next };
}

/** A job about no request that has failed, or a mail whose recipient is refused. */
function ofJob(ctx: Context, row: JobRow): Need[] {
  const job = parseJob(row);
  const last = pastErrors(row).at(-1);
  const user = last?.reason === 'recipient_refused' ? userOf(ctx.db, job) : undefined;
  if (!user && (row.state !== 'failed' || isServersTrouble(ctx.db, row))) return [];
  const say = sayer(ctx);
  const error = row.lastError === null ? '–' : outcomeWords(say, row.lastError);
  const names = nameOfJob(say, job);
  if (last && user) {
    const { username } = user;
    const what = say('todo.address_refused', { username, mail: names, error });
    return [aboutNone('mail_refused', last.at, what, command('users set-email', username, '…'))];
  }
  const what = findingWords(ctx.config.locale, 'jobs_failed', { names, error });
  return [aboutNone('job_failed', row.finishedAt ?? row.runAt, what, command('failed replay', row.id))];
}

function userOf(db: Db, job: Job): UserRow | undefined {
  const userId = job.kind === 'send-mail' && 'userId' in job.payload ? job.payload.userId : null;
  return userId === null ? undefined : findUser(db, { id: userId });
}

async function needsOf(ctx: Context, file: CaseFile, around: Surroundings): Promise<Need[]> {
  const { request } = file;
  const findings = await findingsHere(ctx, file, around);
  return findings.flatMap(({ need: kind, key, cause, message, next }) => {
    if (!kind) return [];
    const since = sinceOf(kind, file) ?? request.dueAt ?? request.statusSince;
    return [
      {
        kind,
        cause: cause === null ? key : `${key}: ${cause}`,
        since,
        request: aboutRequest(request, file.customer),
        what: message,
        next: next ?? command('explain', request.id),
      },
    ];
  });
}
