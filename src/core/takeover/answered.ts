/**
 * Which answers of the providers a takeover needs (rules 14): all of them, since a plan from half of the answers names half of the
 * losses. One that never comes would hold the installation for ever, so a person may leave it to the bulk checks, by name.
 */
import type { Db } from '../../db/db.js';
import { requireRequest } from '../../db/requests/requests.js';
import { Round, type Pacing } from '../calls/round.js';
import { command, type Advice } from '../commands.js';
import type { Context } from '../context.js';
import { AppError, notFound } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { askAboutPayment } from '../payment/check-payment.js';
import type { PaymentCheckOptions } from '../payment/apply-answer.js';
import type { PaymentCheckResult } from '../payment/session-result.js';
import { findByKey } from '../requests/find-by-key.js';
import type { BulkCheckResult } from '../signature/check-all-signatures.js';
import type { UnknownSignature } from '../signature/unknown-signatures.js';

/** Numbers or references of requests, and signIds of documents that are unknown here. */
export type Left = ReadonlySet<string>;

type Silence = 'provider_unavailable' | 'payment_unavailable';

/** That of a payment's check, which has no words of its own. */
export const NO_ANSWER = 'payment provider does not answer';

/** What `ask` resolves with. Throws `provider_unavailable` or `payment_unavailable`; `name` says what may be left. */
export async function asked<T>(code: Silence, ask: () => Promise<T>, name?: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isProviderError(error)) throw error;
    throw stillHeld(code, error.message, name, error);
  }
}

/** Throws `provider_unavailable` unless every contract was answered or is left. */
export function mustBeAnswered(db: Db, { results, brokeOff, trouble }: BulkCheckResult, left: Left): void {
  if (brokeOff) throw stillHeld('provider_unavailable', `check ${trouble}`);
  for (const { key, requestId, params } of results)
    if (key === 'provider_unavailable') mayBeLeft(db, key, requestId, left, String(params['error']));
}

/** Asks about the payment of each of these, and tells what was answered; returns those that are left. Throws `payment_unavailable` for any other. */
export async function askPayments<T extends { requestId: number }>(
  ctx: Context,
  about: readonly T[],
  { left, signal, ...options }: PaymentCheckOptions & Pacing & { left: Left },
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
      mayBeLeft(ctx.db, 'payment_unavailable', requestId, left);
      silent.push(requestId);
    },
  });
  if (round.hasBrokenOff) throw stillHeld('payment_unavailable', `check ${round.trouble}`);
  return silent;
}

/** Throws unless the request is left. */
export function mayBeLeft(db: Db, code: Silence, requestId: number, left: Left, what = NO_ANSWER): void {
  if (!isLeft(db, requestId, left))
    throw stillHeld(code, what, requireRequest(db, { id: requestId }).reference);
}

export function isLeft(db: Db, requestId: number, left: Left): boolean {
  return left.has(String(requestId)) || left.has(requireRequest(db, { id: requestId }).reference);
}

/** Throws `request_not_found` for a name that nothing has, since a mistyped one would leave nothing. */
export function mustExist(db: Db, left: Left, unknown: readonly Pick<UnknownSignature, 'signId'>[]): void {
  for (const name of left) {
    const { request } = findByKey(db, name);
    const isOfRequest = request && isLeft(db, request.id, new Set([name]));
    if (!isOfRequest && !unknown.some(({ signId }) => signId === name))
      throw notFound('request_not_found', `--leave: nothing here is called “${name}”.`, NAMES);
  }
}

const NAMES =
  'Give the number or the reference of a request, such as REQ-2026-000042, or the signId of a document that is unknown here.';

function stillHeld(code: Silence, what: string, name?: string, cause?: unknown): AppError {
  const later = 'The installation is still held, and sends nothing. Run the command again later';
  const hint: Advice =
    name === undefined
      ? `${later}.`
      : [`${later}. If this answer never comes: `, { ...command('takeover'), options: ['--leave', name] }];
  const about = name === undefined ? '' : `${name}: `;
  return new AppError('unavailable', code, `${about}The ${what}.`, { cause, hint });
}
