/**
 * Bulk payment check: the schedule asks about every session that may still be paid, a person about every request that
 * waits for its payment, because a restore may have forgotten a renewal. A failure does not stop the others.
 */
import { listPayablePayments } from '../../db/payments/payments.js';
import { listRequestsInStatus } from '../../db/requests/requests.js';
import type { RequestRow } from '../../db/schema.js';
import { everyRow } from '../calls/every-row.js';
import type { Context } from '../context.js';
import { CallCut, isProviderError } from '../http/provider-error.js';
import type { PaymentCheckOptions } from './apply-answer.js';
import { askAboutPayment } from './check-payment.js';
import { comesSince } from './left-over.js';
import { asUnavailable, type PaymentCheckResult } from './session-result.js';

export interface CheckedPayment extends Omit<PaymentCheckResult, 'changed'> {
  requestId: number;
  /** True when our records were changed, or would be with `dryRun`. */
  changed: boolean;
}

export interface BulkPaymentCheck {
  checked: number;
  changed: number;
  failed: number;
  results: CheckedPayment[];
}

export interface BulkPaymentOptions extends PaymentCheckOptions {
  onProgress?: (done: number) => void;
  /** Stops after the current session. */
  signal?: AbortSignal;
}

/** Stops when the provider is silent: each further call would also take its whole time-out. A refusal is about one session. */
export async function checkAllPayments(ctx: Context, options: BulkPaymentOptions): Promise<BulkPaymentCheck> {
  const results: CheckedPayment[] = [];
  for (const requestId of options.actor.kind === 'system' ? withOpenSession(ctx) : waiting(ctx)) {
    if (options.signal?.aborted) break;
    let isSilent = false;
    const result = await askAboutPayment(ctx, requestId, options).catch((error: unknown) => {
      // The caller has gone.
      if (error instanceof CallCut) return undefined;
      isSilent = !isProviderError(error, 'rejected');
      return asUnavailable(ctx, requestId)(error);
    });
    if (!result) break;
    // The payment job waits or has failed; or the request is over, and what it left open has not changed.
    if (result.key === 'no_payment_session') continue;
    if (result.key === 'not_waiting_payment' && !result.changed) continue;
    results.push({ requestId, ...result, changed: result.changed === true });
    options.onProgress?.(results.length);
    if (isSilent) break;
  }
  return {
    checked: results.length,
    changed: results.filter(({ changed }) => changed).length,
    failed: results.filter(({ key }) => key === 'payment_unavailable').length,
    results,
  };
}

/** Each once, although a restore may have left two sessions. */
function* withOpenSession(ctx: Context): Generator<number> {
  const since = comesSince(ctx);
  const open = everyRow((after: { id: number; requestId: number } | undefined, limit) =>
    listPayablePayments(ctx.db, { afterId: after?.id ?? 0, since, limit }),
  );
  const seen = new Set<number>();
  for (const { requestId } of open) {
    if (!seen.has(requestId)) yield requestId;
    seen.add(requestId);
  }
}

function* waiting({ db }: Context): Generator<number> {
  const requests = everyRow<RequestRow>((after, limit) =>
    listRequestsInStatus(db, { status: 'WAITING_PAYMENT', after, limit }),
  );
  for (const { id } of requests) yield id;
}
