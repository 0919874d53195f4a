/**
 * Reset of a signature (spec 3): the old contract is closed, a new one is made and sent. The provider is asked first; a
 * signature that is done there is never thrown away. A reset that stopped half-way is resumed, not begun again.
 */
import { findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findCurrentPayment } from '../../db/payments.js';
import { findRequest, setPaymentLink } from '../../db/requests.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { endContract } from '../contracts/end-contract.js';
import { addContract } from '../contracts/new-contract.js';
import { refused } from '../errors.js';
import { publishEvent } from '../events.js';
import type { Keep } from '../idempotency.js';
import { requestLock, withLock } from '../lock.js';
import { closeSession, refusePending, type Closing } from '../payment/close-session.js';
import { sessionClosed, sessionPaid, type Settling } from '../payment/settle-session.js';
import { getRequest } from '../requests/get-request.js';
import { closeAtProvider } from './close-at-provider.js';
import { getSigner } from './prepare-contract.js';
import { isSendingUnfinished } from './sent.js';
import { canBeResumed, sendContract, unavailable } from './start-signature.js';

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
    mustWait(request);
    getSigner(ctx, request);
    const old = findCurrentContract(ctx.db, requestId);
    if (contractId !== undefined && old?.id !== contractId) {
      throw refused('already_reset', 'Another contract has taken the place of this one.');
    }
    const unfinished = old && isSendingUnfinished(old) && canBeResumed(ctx, old) ? old : undefined;
    const closing = unfinished ? undefined : await closeOld(ctx, old, { actor, dryRun });
    if (dryRun) return undefined;
    const contract = unfinished ?? (await replace(ctx, request, { old, closing, actor, reason }));
    return sendContract(ctx, {
      contract,
      actor,
      mayExistThere: unfinished !== undefined,
      ...(reason && { reason }),
      ...(keep && { keep }),
    });
  });
}

/** Nothing of the old contract can be signed or paid any more, or nothing has changed; tells how its payment ended. */
async function closeOld(
  ctx: Context,
  old: ContractRow | undefined,
  { actor, dryRun }: { actor: Actor; dryRun: boolean },
): Promise<Closing | undefined> {
  if (!old) return undefined;
  try {
    const payment = findCurrentPayment(ctx.db, old.id);
    const open = payment?.status === 'open' ? payment : undefined;
    if (open) await refusePending(ctx, open);
    await closeAtProvider(ctx, old, { actor, dryRun });
    return open && !dryRun ? await closeSession(ctx, open) : undefined;
  } catch (error) {
    throw unavailable(error);
  }
}

function mustWait({ status }: RequestRow): void {
  if (status !== 'WAITING_SIGNATURE') {
    throw refused('not_waiting_signature', 'The request is not waiting for a signature.');
  }
}

interface Replacing {
  old: ContractRow | undefined;
  closing: Closing | undefined;
  actor: Actor;
  reason: string | undefined;
}

function replace(
  ctx: Context,
  request: RequestRow,
  { old, closing, actor, reason }: Replacing,
): Promise<ContractRow> {
  return ctx.writer.write((db) => {
    // A late signature may have been let stand since the provider was asked.
    mustWait(findRequest(db, request.id) as RequestRow);
    const now = iso(ctx.clock.now());
    if (old) endContract(db, old, { reason: 'reset', actor, now, ...(reason && { declineReason: reason }) });
    const isTold = old && closing && endPayment(db, old, closing, { actor, now });
    if (!isTold) publishEvent(db, { event: 'request.updated', about: request, now });
    return addContract(ctx, db, { requestId: request.id, ownPdf: false, actor });
  });
}

/** True: those who listen to the request were told. */
function endPayment(db: Db, old: ContractRow, closing: Closing, by: Settling): boolean {
  const payment = findCurrentPayment(db, old.id) as PaymentRow;
  const isTold = closing === 'closed' && sessionClosed(db, payment, by);
  if (closing === 'paid') sessionPaid(db, payment, by);
  // From now on the sessions of the next contract count.
  setPaymentLink(db, { id: old.requestId, paymentId: null, paymentUrl: null, now: by.now });
  return isTold;
}
