/**
 * Bulk payment check: the schedule asks about every session that may still be paid, a person about every request that
 * waits for its payment, because a restore may have forgotten a renewal.
 */
import { listRequestsInStatus } from '../../db/requests/requests.js';
import type { RequestRow } from '../../db/schema.js';
import { everyRow } from '../calls/listing.js';
import { Round, type RoundOptions } from '../calls/round.js';
import type { Context } from '../context.js';
import { describeError, isAppError } from '../errors.js';
import { askByHand, problem, type PaymentCheckOptions, type PaymentCheckResult } from './check-payment.js';
import { payableSessions, type ListSince } from './observe.js';
import type { PaymentSession } from './session.js';

interface BulkPaymentOptions extends PaymentCheckOptions, RoundOptions {
  onProgress?: (done: number) => void;
}

/** `trouble`: why it was not a good one; `brokeOff`: not all were asked, and the next check goes on from there. */
export async function checkAllPayments(ctx: Context, options: BulkPaymentOptions) {
  /** Changed: our records were, or would be with `dryRun`. */
  const results: (Omit<PaymentCheckResult, 'changed'> & { requestId: number; changed: boolean })[] = [];
  const list = readOnce(ctx);
  const round = new Round(options);
  const report = (requestId: number, result: PaymentCheckResult) => {
    results.push({ requestId, ...result, changed: result.changed === true });
    options.onProgress?.(results.length);
  };
  const ids = options.actor.kind === 'system' ? withOpenSession(ctx) : waiting(ctx);
  await round.each(ctx, [...new Set(ids)], {
    keyOf: (requestId) => requestId,
    nameOf: (requestId) => `request ${requestId}`,
    async act(requestId) {
      const { result, silence } = await askByHand(ctx, requestId, { ...options, list });
      if (isWorthALine(result) && (silence === undefined || result.changed)) report(requestId, result);
      if (silence !== undefined) throw silence;
    },
    failed(requestId, error) {
      if (isAppError(error, 'other_account')) throw error;
      ctx.log.warn({ requestId, error: describeError(error) }, 'payment could not be checked');
      report(requestId, problem('payment_unavailable'));
    },
    name: options.dryRun ? undefined : 'payments',
  });
  const { trouble } = round;
  return {
    checked: results.length,
    changed: results.filter(({ changed }) => changed).length,
    failed: results.filter(({ key }) => key === 'payment_unavailable').length,
    results,
    ...(trouble !== undefined && { trouble }),
    ...(round.hasBrokenOff && { brokeOff: true as const }),
  };
}

/** Else the payment job waits or has failed; or the request is over, and what it left open has not changed. */
function isWorthALine({ key, changed }: PaymentCheckResult): boolean {
  return key !== 'no_payment_session' && (key !== 'not_waiting_payment' || changed === true);
}

/** What was made after the first reading is known here. */
function readOnce({ payment }: Context): ListSince {
  let read: { since: Date; sessions: readonly PaymentSession[] } | undefined;
  return async (since) => {
    if (!read || since < read.since) read = { since, sessions: await payment.listSessions(since) };
    return read.sessions;
  };
}

function* withOpenSession(ctx: Context): Generator<number> {
  for (const { requestId } of payableSessions(ctx)) yield requestId;
}

function* waiting({ db }: Context): Generator<number> {
  const requests = everyRow<RequestRow>((after, limit) =>
    listRequestsInStatus(db, { status: 'WAITING_PAYMENT', after, limit }),
  );
  for (const { id } of requests) yield id;
}
