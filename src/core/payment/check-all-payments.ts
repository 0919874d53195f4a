/** Bulk payment check: asks about every session that may still be paid. One that fails does not stop the others. */
import { listOpenPayments } from '../../db/payments.js';
import type { Context } from '../context.js';
import { CallCut } from '../http/call-cut.js';
import {
  checkPayment,
  type PaymentCheckKey,
  type PaymentCheckOptions,
  type PaymentCheckResult,
} from './check-payment.js';

export interface CheckedPayment extends PaymentCheckResult {
  requestId: number;
  /** True when our records were changed (with `dryRun`: would be). */
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
  /** Ends it after the session under way. */
  signal?: AbortSignal;
}

const PAGE = 100;

/** Stops at the first call that the provider does not answer: each further one would take its whole time-out as well. */
export async function checkAllPayments(ctx: Context, options: BulkPaymentOptions): Promise<BulkPaymentCheck> {
  const results: CheckedPayment[] = [];
  for (const requestId of requestsWithOpenSession(ctx)) {
    if (options.signal?.aborted) break;
    const result = await checkPayment(ctx, requestId, options).catch(unlessCut);
    if (!result) break;
    results.push({ requestId, ...result, changed: CHANGES.includes(result.key) });
    options.onProgress?.(results.length);
    if (result.key === 'payment_unavailable') break;
  }
  return {
    checked: results.length,
    changed: results.filter(({ changed }) => changed).length,
    failed: results.filter(({ key }) => key === 'payment_unavailable').length,
    results,
  };
}

/** Whoever asked has gone. */
function unlessCut(error: unknown): undefined {
  if (!(error instanceof CallCut)) throw error;
}

const CHANGES: readonly PaymentCheckKey[] = [
  'check_payment_success',
  'old_session_paid',
  'check_payment_info.expired',
  'payment_session_not_found',
];

function* requestsWithOpenSession(ctx: Context): Generator<number> {
  for (let afterId = 0; ;) {
    const page = listOpenPayments(ctx.db, { afterId, limit: PAGE });
    for (const { requestId } of page) yield requestId;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    afterId = last.id;
  }
}
