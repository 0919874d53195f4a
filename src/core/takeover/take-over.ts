/**
 * Takes over (rules 14). First it compares a held installation with both providers, in one pass of their lists, and changes
 * nothing: what has happened since the backup, what is lost, what would go out a second time.
 */
import { findHold, deleteHold } from '../../db/installation/installation.js';
import { listOpenJobsUpTo } from '../../db/jobs/jobs.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { HoldRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { type By, change } from '../change.js';
import { addDays, iso } from '../clock.js';
import { Round, type Pacing } from '../calls/round.js';
import type { Context } from '../context.js';
import { mustBeOurAccount } from '../installation/identity.js';
import { jobViews } from '../jobs/view.js';
import { parseJob } from '../jobs/kinds.js';
import { CallCut } from '../http/provider-error.js';
import { payableSessions } from '../payment/observe.js';
import { SESSION_DAYS } from '../payment/check-payment.js';
import type { PaymentSession } from '../payment/session.js';
import { areAllGone, checkAllSignatures, nameOfDocument } from '../signature/check-all-signatures.js';
import type { SignatureState } from '../signature/provider-answers.js';
import type { SignatureClass } from '../signature/answers.js';
import type { UnknownSignature } from '../signature/unknown-signatures.js';
import {
  asked,
  askPayments,
  isUnanswered,
  mustBeAnswered,
  NO_ANSWER,
  type Leaving,
  lostAmong,
  newsAmong,
  type LostPayment,
  type NewsKey,
  referenceOf,
} from './answered.js';
import { nameWithAddress } from '../users/names.js';
import { isHeld } from '../installation/hold.js';
import { JOBS_TOPIC } from '../jobs/queue.js';
import { reconcilePayment } from '../payment/reconcile.js';

interface Affected {
  requestId: number;
  reference: string;
  /** The customer's name and log-in name. */
  customer: string;
}

export interface SignatureChange extends Affected {
  contractId: number;
  class: SignatureClass;
}

export interface PaymentChange extends Affected {
  paymentId: string;
  key: NewsKey;
}

export interface LostSignature extends UnknownSignature {
  /** The signers' addresses. */
  customers: string[];
}

/** A job of the backup that may have been done since. */
export interface OwedJob {
  jobId: number;
  kind: string;
  /** Which mail; null for other jobs. */
  mail: string | null;
  reference: string | null;
  customer: string | null;
  dueAt: string;
}

export interface Plan {
  hold: HoldRow;
  signatures: SignatureChange[];
  payments: PaymentChange[];
  lostSignatures: LostSignature[];
  lostPayments: LostPayment[];
  owed: OwedJob[];
  /** About which no answer came, so that they are left to the bulk checks. */
  left: (Affected & { error: string })[];
}

/** The plan, and the lists it was made from. */
export interface Takeover {
  plan: Plan;
  states: readonly SignatureState[];
  sessions: readonly PaymentSession[];
  /** Requests whose session was too old for the list. */
  unlisted: readonly number[];
}

export interface SurveyOptions extends By, Pacing, Leaving {
  onProgress?: (done: number) => void;
}

/** Undefined when the installation is not held. Throws `provider_unavailable`, `payment_unavailable`, `other_account`. */
export async function surveyTakeover(ctx: Context, options: SurveyOptions): Promise<Takeover | undefined> {
  const hold = findHold(ctx.db);
  if (!hold) return undefined;
  const { leave = false } = options;
  const round = new Round({ ...options, isPatient: true });
  const states: SignatureState[] = [];
  const checked = await asked('provider_unavailable', () =>
    checkAllSignatures(ctx, {
      ...options,
      dryRun: true,
      isPatient: true,
      backTo: iso(addDays(new Date(hold.madeAt), -1)),
      onListed: (state) => states.push(state),
    }),
  );
  // What is known by then is no plan.
  if (options.signal?.aborted) throw new CallCut('signature provider', { mayHaveActed: false });
  mustBeAnswered(ctx.db, checked, options);
  if (!leave && areAllGone(checked)) await mustBeOurAccount(ctx.db, 'signature', states, nameOfDocument);
  const { sessions, unlisted, unlistedNews, silent } = await askAboutPayments(ctx, hold, {
    ...options,
    round,
  });
  const plan = {
    hold,
    signatures: checked.results
      .filter((result) => !isUnanswered(result))
      .filter((result) => result.changed || !['waiting', 'over'].includes(result.class))
      .map((result) => ({
        ...affected(ctx, result.requestId),
        contractId: result.contractId,
        class: result.class,
      })),
    payments: [
      ...newsAmong(ctx.db, sessions).flatMap(({ requestId, sessions }) =>
        sessions.map((session) => ({ ...affected(ctx, requestId), ...session })),
      ),
      ...unlistedNews,
    ],
    lostSignatures: await withCustomers(ctx, checked.unknown ?? [], { states, leave, round }),
    lostPayments: lostAmong(ctx.db, sessions),
    owed: owedJobs(ctx, hold),
    left: [
      ...checked.results.filter(isUnanswered).map(({ requestId, params }) => ({
        ...affected(ctx, requestId),
        error: String(params['error']),
      })),
      ...silent.map((requestId) => ({ ...affected(ctx, requestId), error: NO_ANSWER })),
    ],
  };
  return { plan, states, sessions, unlisted };
}

async function askAboutPayments(ctx: Context, hold: HoldRow, options: SurveyOptions & { round: Round }) {
  const open = [...payableSessions(ctx)];
  const since = addDays(new Date(hold.madeAt), -SESSION_DAYS);
  const list = () => options.round.ask(() => ctx.payment.listSessions(since));
  const sessions = await asked('payment_unavailable', list);
  const listed = new Set(sessions.map(({ paymentId }) => paymentId));
  const unlisted = oneOfEach(open.filter(({ paymentId }) => !listed.has(paymentId)));
  const unlistedNews: PaymentChange[] = [];
  let gone = 0;
  const silent = await askPayments(
    ctx,
    unlisted,
    { ...options, dryRun: true },
    ({ requestId, paymentId }, result) => {
      const { key, changed } = result;
      if (key === 'payment_session_not_found') gone += 1;
      if (changed) unlistedNews.push({ ...affected(ctx, requestId), paymentId, key });
    },
  );
  if (gone > 0 && gone === open.length && !options.leave)
    await mustBeOurAccount(ctx.db, 'payment', sessions, ({ name }) => name);
  return { sessions, unlisted: unlisted.map(({ requestId }) => requestId), unlistedNews, silent };
}

/** A check of a request asks about all its sessions. */
function oneOfEach<T extends { requestId: number }>(sessions: readonly T[]): T[] {
  return [...new Map(sessions.map((one) => [one.requestId, one])).values()];
}

async function withCustomers(
  ctx: Context,
  unknown: readonly UnknownSignature[],
  { states, leave, round }: { states: readonly SignatureState[]; leave: boolean; round: Round },
): Promise<LostSignature[]> {
  const found: LostSignature[] = [];
  for (const one of unknown) {
    const state = states.find(({ signId }) => signId === one.signId);
    const ask = () => round.ask(async () => (state ? ctx.provider.withEmails(state) : undefined));
    const known = await asked('provider_unavailable', ask, one.signId).catch((error: unknown) => {
      if (!leave) throw error;
      return undefined;
    });
    found.push({ ...one, customers: known?.signers.map(({ email }) => email) ?? [] });
  }
  return found;
}

function owedJobs({ db }: Context, { lastJobId }: HoldRow): OwedJob[] {
  return jobViews(db, listOpenJobsUpTo(db, lastJobId)).map(({ job: row, reference, customer }) => {
    const job = parseJob(row);
    return {
      jobId: row.id,
      kind: row.kind,
      mail: job.kind === 'send-mail' ? job.payload.mail : null,
      reference,
      customer,
      dueAt: row.runAt,
    };
  });
}

function affected({ db }: Context, requestId: number): Affected {
  const { reference, ownerId } = requireRequest(db, { id: requestId });
  return { requestId, reference, customer: nameWithAddress(requireUser(db, { id: ownerId })) };
}

// Then it brings the installation into line with the providers, by the routines of webhooks and checks, and
// lets go. Until its last transaction it is held; whatever cut it short, the next one comes to the same end.

export interface TakenOver {
  /** Requests whose signature was brought up to date, and whose payment. */
  signatures: number;
  payments: number;
  /** Documents and payments of this installation that this data does not have. */
  lost: number;
  /** Contracts that could not be checked, those that were left among them; the bulk check tries again. */
  failed: { requestId: number; error: string }[];
}

/** Throws `provider_unavailable` or `payment_unavailable`: what was done stays, and the installation is still held. */
export async function takeOver(
  ctx: Context,
  { plan, states, sessions, unlisted }: Takeover,
  { leave = false, ...by }: By & Leaving,
): Promise<TakenOver> {
  const checked = await checkAllSignatures(ctx, { ...by, listed: states, isPatient: true });
  mustBeAnswered(ctx.db, checked, { leave });
  let payments = 0;
  for (const news of newsAmong(ctx.db, sessions)) {
    await reconcilePayment(ctx, news.requestId, { ...by, answers: news.answers });
    payments += news.sessions.length;
  }
  const about = unlisted.map((requestId) => ({ requestId }));
  const silent = await askPayments(ctx, about, { ...by, leave }, (_, { changed }) => {
    if (changed) payments += 1;
  });
  const { madeAt, since } = plan.hold;
  const failed = [
    ...checked.results
      .filter(({ key }) => key === 'check_failed' || key === 'provider_unavailable')
      .map(({ requestId, params }) => ({ requestId, error: String(params['error']) })),
    ...silent.map((requestId) => ({ requestId, error: NO_ANSWER })),
  ];
  const left = [...new Set(failed.map(({ requestId }) => referenceOf(ctx.db, requestId)))];
  const done = {
    signatures: checked.changed,
    payments,
    lost: plan.lostSignatures.length + plan.lostPayments.length,
  };
  await change(ctx, by, (tx) => {
    // Somebody else's takeover may have ended it meanwhile, and has said so.
    if (!isHeld(tx)) return;
    deleteHold(tx.db);
    tx.record('data.taken_over', null, { madeAt, restoredAt: since, ...done, left, reason: tx.reason });
    tx.db.announce(JOBS_TOPIC);
  });
  return { ...done, failed };
}
