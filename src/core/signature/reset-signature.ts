/**
 * Reset of a signature (spec 3): the old contract is closed, a new one is made and sent. The provider is asked first; a
 * signature that is done there is never thrown away. A reset that stopped half-way is resumed, not begun again.
 */
import { findCurrentContract } from '../../db/contracts.js';
import { findCurrentPayment, settlePayment } from '../../db/payments.js';
import { setPaymentLink } from '../../db/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { endContract } from '../contracts/end-contract.js';
import { addContract } from '../contracts/new-contract.js';
import { refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { publishEvent } from '../events.js';
import type { Keep } from '../idempotency.js';
import { requestLock, withLock } from '../lock.js';
import { getRequest } from '../requests/get-request.js';
import { closeAtProvider } from './close-at-provider.js';
import { getSigner } from './prepare-contract.js';
import { isOver, sendContract, unavailable } from './start-signature.js';

export interface ResetOptions {
  actor: Actor;
  reason?: string;
  /** Only while this contract is the one that counts: whoever asks twice about it gets one new contract. */
  contractId?: number | undefined;
  /** Runs when the new contract is sent, in the transaction that says so. */
  keep?: Keep<ContractRow>;
  /** Ask the provider and check the rules, but change nothing. */
  dryRun?: boolean;
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
/** Returns the new contract; undefined with `dryRun`. */
export function resetSignature(
  ctx: Context,
  requestId: number,
  { actor, reason, contractId, keep, dryRun = false }: ResetOptions,
): Promise<ContractRow | undefined> {
  return withLock(ctx, requestLock(requestId), async () => {
    const request = getRequest(ctx, requestId);
    if (request.status !== 'WAITING_SIGNATURE') {
      throw refused('not_waiting_signature', 'The request is not waiting for a signature.');
    }
    const customer = getSigner(ctx, request);
    const old = findCurrentContract(ctx.db, requestId);
    if (contractId !== undefined && old?.id !== contractId) {
      throw refused('already_reset', 'Another contract has taken the place of this one.');
    }
    const unfinished = old && isResetUnfinished(old) && !isOver(ctx, old) ? old : undefined;
    if (!unfinished) await closeOld(ctx, old, dryRun);
    if (dryRun) return undefined;
    const contract = unfinished ?? (await replace(ctx, request, old, { actor, ...(reason && { reason }) }));
    return sendContract(ctx, {
      contract,
      request,
      customer,
      actor,
      mayExistThere: unfinished !== undefined,
      ...(reason && { reason }),
      ...(keep && { keep }),
    });
  });
}

/** Nothing of the old contract can be signed or paid any more, or nothing has changed. */
async function closeOld(ctx: Context, old: ContractRow | undefined, dryRun: boolean): Promise<void> {
  if (!old) return;
  try {
    await closeAtProvider(ctx, old, { dryRun });
    if (!dryRun) await closePayment(ctx, old);
  } catch (error) {
    throw unavailable(error);
  }
}

async function closePayment(ctx: Context, contract: ContractRow): Promise<void> {
  const payment = findCurrentPayment(ctx.db, contract.id);
  if (payment?.status !== 'open') return;
  try {
    await ctx.payment.expireSession(payment.paymentId);
  } catch (error) {
    if (!isProviderError(error, 'rejected', 'not_found')) throw error;
  }
}

function replace(
  ctx: Context,
  request: RequestRow,
  old: ContractRow | undefined,
  { actor, reason }: { actor: Actor; reason?: string },
): Promise<ContractRow> {
  return ctx.writer.write((db) => {
    const now = iso(ctx.clock.now());
    if (old) {
      endContract(db, old, { reason: 'reset', actor, now, ...(reason && { declineReason: reason }) });
      const payment = findCurrentPayment(db, old.id);
      if (payment?.status === 'open') {
        settlePayment(db, { id: payment.id, status: 'expired', paidAt: null });
        setPaymentLink(db, { id: request.id, paymentId: null, paymentUrl: null, now });
      }
    }
    publishEvent(db, { event: 'request.updated', about: request, now });
    return addContract(ctx, db, { requestId: request.id, ownPdf: false, actor });
  });
}

/** A contract whose sending stopped half-way; `resetSignature` and the bulk check take it up again. */
export function isResetUnfinished({ status, signerId }: ContractRow): boolean {
  return status === 'PENDING' && signerId === null;
}
