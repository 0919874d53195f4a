/**
 * Which answers of the providers a takeover needs (rules 14): all of them, since a plan from half of the answers names half of the
 * losses. One that never comes would hold the installation for ever, so a person may leave those that do not come to the bulk checks.
 */
import type { Db } from '../../db/db.js';
import { requireRequest } from '../../db/requests/requests.js';
import { Round, type Pacing } from '../calls/round.js';
import type { Advice } from '../commands.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { LEAVING } from '../installation/identity.js';
import {
  askAboutPayment,
  type PaymentCheckOptions,
  type PaymentCheckResult,
  type PaymentCheckKey,
} from '../payment/check-payment.js';
import type { BulkCheckResult } from '../signature/check-all-signatures.js';
import { requireContract } from '../../db/contracts/contracts.js';
import { findPayment } from '../../db/payments/payments.js';
import { isOver } from '../lifecycle.js';
import { ANSWER_KEYS, answerAbout, answerOf, type Answer, type Answers } from '../payment/answers.js';
import { troubleOf } from '../payment/apply.js';
import { decidePayment, keptIn, type PaymentEffect } from '../payment/decide.js';
import { answersOf, contractOfSession } from '../payment/observe.js';
import { factsOf, ourPayments, type OurPayments } from '../payment/our-payments.js';
import type { PaymentSession } from '../payment/session.js';
import { isOursByName } from '../payment/unknown-payments.js';

export interface Leaving {
  /** A person goes on without the answers that do not come. */
  leave?: boolean;
}

type Silence = 'provider_unavailable' | 'payment_unavailable';

/** That of a payment's check, which has no words of its own. */
export const NO_ANSWER = 'payment provider does not answer';

/** What `ask` resolves with. Throws `provider_unavailable` or `payment_unavailable`; `name` says of what may be left. */
export async function asked<T>(code: Silence, ask: () => Promise<T>, name?: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isProviderError(error)) throw error;
    throw stillHeld(code, error.message, name, error);
  }
}

/** Throws `provider_unavailable` unless every contract was answered or is left. */
export function mustBeAnswered(
  db: Db,
  { results, brokeOff, trouble }: BulkCheckResult,
  { leave = false }: Leaving,
): void {
  if (brokeOff) throw stillHeld('provider_unavailable', `check ${trouble}`);
  const silent = results.find(isUnanswered);
  if (silent && !leave)
    throw stillHeld(
      'provider_unavailable',
      String(silent.params['error']),
      referenceOf(db, silent.requestId),
    );
}

export function isUnanswered({ key }: BulkCheckResult['results'][number]): boolean {
  return key === 'provider_unavailable';
}

/** Asks about the payment of each of these, and tells what was answered; returns those that are left. Throws `payment_unavailable` for any other. */
export async function askPayments<T extends { requestId: number }>(
  ctx: Context,
  about: readonly T[],
  { leave = false, signal, ...options }: PaymentCheckOptions & Pacing & Leaving,
  tell: (one: T, result: PaymentCheckResult) => void,
): Promise<number[]> {
  const silent: number[] = [];
  const round = new Round({ signal, isPatient: true });
  await round.each(ctx, about, {
    keyOf: ({ requestId }) => requestId,
    nameOf: ({ requestId }) => `request ${requestId}`,
    async act(one) {
      const { result, silence } = await askAboutPayment(ctx, one.requestId, options);
      tell(one, result);
      if (silence !== undefined) throw silence;
    },
    failed({ requestId }, error) {
      if (!isProviderError(error)) throw error;
      if (!leave) throw stillHeld('payment_unavailable', NO_ANSWER, referenceOf(ctx.db, requestId));
      silent.push(requestId);
    },
  });
  if (round.hasBrokenOff) throw stillHeld('payment_unavailable', `check ${round.trouble}`);
  return silent;
}

export function referenceOf(db: Db, requestId: number): string {
  return requireRequest(db, { id: requestId }).reference;
}

function stillHeld(code: Silence, what: string, name?: string, cause?: unknown): AppError {
  const later = 'The installation is still held, and sends nothing. Run the command again later';
  const hint: Advice = name === undefined ? `${later}.` : [`${later}. If this answer never comes: `, LEAVING];
  const about = name === undefined ? '' : `${name}: `;
  return new AppError('unavailable', code, `${about}The ${what}.`, { cause, hint });
}

// What the payment provider's list knows and these data do not: sessions paid, ended or made since the backup.

/** What has become of a session; `other_price`: a person must look. */
export type NewsKey = PaymentCheckKey | 'other_price';

/** Of each request that there is any of, with the provider's answers. */
export function newsAmong(db: Db, listed: readonly PaymentSession[]) {
  const requestIds = new Set(listed.flatMap((one) => requestOf(db, one) ?? []));
  return [...requestIds].flatMap((requestId) => {
    const ours = ourPayments(db, requestId);
    const answers = new Map<string, Answer>(answersOf(db, ours, listed));
    const known = new Set(ours.payments.map(({ paymentId }) => paymentId));
    for (const session of listed)
      if (known.has(session.paymentId)) answers.set(session.paymentId, answerOf(session));
    const { effects } = decidePayment(factsOf(db, ours, answers));
    const sessions = keptIn(effects)
      // Nobody has to make another page.
      .filter(({ state }) => !(state === 'over' && isOver(ours.request)))
      .map((effect) => told(ours, answers, effect));
    return sessions.length > 0 ? [{ requestId, sessions, answers }] : [];
  });
}

function requestOf(db: Db, session: PaymentSession): number | undefined {
  const known = findPayment(db, session);
  const contract = known ? requireContract(db, { id: known.contractId }) : contractOfSession(db, session);
  return contract?.requestId;
}

function told(ours: OurPayments, answers: Answers, { paymentId, state }: PaymentEffect & { do: 'keep' }) {
  const { theirs } = answerAbout(answers, paymentId);
  return { paymentId, key: state === 'case' ? keyOfCase(ours, answers, paymentId) : ANSWER_KEYS[theirs] };
}

/** One that came before the signature is known here counts as soon as that does. */
function keyOfCase(ours: OurPayments, answers: Answers, paymentId: string): NewsKey {
  const answer = answerAbout(answers, paymentId);
  const known = ours.payments.find((row) => row.paymentId === paymentId);
  const contractId = known?.contractId ?? answer.contractId;
  const contract = ours.contracts.find(({ id }) => id === contractId);
  const trouble = contract && troubleOf(ours, contract, answer.money);
  if (trouble === 'paid_unsigned') return 'check_payment_success';
  return trouble === 'other_price' ? 'other_price' : 'old_session_paid';
}

/** A session of this installation for a contract that this data does not have. */
export interface LostPayment {
  paymentId: string;
  /** By the provider's clock. */
  createdAt: string | null;
  customer: string | null;
  /** In minor units. */
  amount: number | null;
  currency: string | null;
  key: NewsKey;
}

export function lostAmong(db: Db, listed: readonly PaymentSession[]): LostPayment[] {
  return listed
    .filter((session) => isOursByName(db, session) && !contractOfSession(db, session))
    .map((session) => ({
      paymentId: session.paymentId,
      createdAt: session.createdAt,
      customer: session.customer,
      ...session.money,
      key: ANSWER_KEYS[answerOf(session).theirs],
    }));
}
