/**
 * Which answers of the providers a takeover needs (rules 14): all of them, since a plan from half of the answers names half of the
 * losses. One that never comes would hold the installation for ever, so a person may leave those that do not come to the bulk checks.
 */
import type { Db } from '../../db/db.js';
import { requireRequest } from '../../db/requests/requests.js';
import { Round, type Pacing } from '../calls/round.js';
import { command, type Advice, type Command } from '../commands.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import {
  askAboutPayment,
  type PaymentCheckOptions,
  type PaymentCheckResult,
} from '../payment/check-payment.js';
import type { BulkCheckResult } from '../signature/check-all-signatures.js';

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

/** The command that goes on without what does not come. */
export const LEAVING: Command = { ...command('takeover'), options: ['--leave'], reason: '…' };
