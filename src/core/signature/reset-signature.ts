/**
 * Resets a signature (rules 2): closes the old contract and sends a new one. The provider is asked first, so that a
 * completed signature is never lost. An interrupted reset is resumed, not repeated.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { setPaymentLink } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { closeContract } from './close-at-provider.js';
import { endContract } from '../contracts/end-contract.js';
import { addContract } from '../contracts/terms.js';
import { refused } from '../errors.js';
import type { Keep } from '../calls/idempotency.js';
import { refuseWhileHeld } from '../installation/hold.js';
import { mustBeClosed } from '../payment/close-pages.js';
import { ourPayments } from '../payment/our-payments.js';
import { requestLock, withLock } from '../lock.js';
import { getRequest } from '../requests/requests.js';
import { mustBeSendable } from './prepare-contract.js';
import { findBegun, sendBegun, sendContract, wantOf } from './start-signature.js';

export interface ResetOptions extends Try {
  /** Reset only while this is the current contract, so that asking twice yields one new contract. */
  contractId?: number | undefined;
  /** The price that the request gets, in minor units, whatever was offered. */
  amount?: number | undefined;
  /** Runs in the transaction that records the new contract as sent. */
  keep?: Keep<ContractRow> | undefined;
}

export function resetSignature(
  ctx: Context,
  requestId: number,
  options: ResetOptions & { dryRun?: false },
): Promise<ContractRow>;
export function resetSignature(
  ctx: Context,
  requestId: number,
  options: ResetOptions,
): Promise<ContractRow | undefined>;
/** The new contract; undefined with `dryRun`. */
export async function resetSignature(
  ctx: Context,
  requestId: number,
  options: ResetOptions,
): Promise<ContractRow | undefined> {
  const { actor, reason, contractId, dryRun, amount } = options;
  if (!dryRun) refuseWhileHeld(ctx);
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    const request = getRequest(ctx, requestId);
    mustWaitForSignature(request);
    mustBeSendable(ctx, request, { isOwnPdf: false, ownAmount: amount });
    const old = findCurrentContract(ctx.db, { requestId });
    if (contractId !== undefined && old?.id !== contractId) {
      throw refused('already_reset', 'This contract has been replaced by another one.');
    }
    const begun = findBegun(ctx, requestId);
    if (begun && wantOf(ctx, begun, { amount }) === 'sent')
      return dryRun ? undefined : sendBegun(ctx, begun, options);
    if (old) await closeContract(ctx, old, { actor, dryRun });
    if (dryRun) return undefined;
    const contract = await change(ctx, { actor, reason }, (tx) => {
      // A late signature may have been accepted meanwhile.
      const ours = ourPayments(tx.db, requestId);
      mustWaitForSignature(ours.request);
      mustBeClosed(ours);
      if (old) endContract(tx, old, { reason: 'reset', declineReason: tx.reason });
      // From now on only the sessions of the next contract count.
      setPaymentLink(tx.db, { id: requestId, paymentId: null, paymentUrl: null, now: tx.now });
      tx.publish('request.updated', request);
      return addContract(ctx, tx, { requestId, ownPdf: false, ownAmount: amount });
    });
    return sendContract(ctx, { ...options, contract, isNew: true });
  });
}

export function mustWaitForSignature({ status }: Pick<RequestRow, 'status'>): void {
  if (status !== 'WAITING_SIGNATURE') {
    throw refused('not_waiting_signature', 'The request is not waiting for a signature.');
  }
}
