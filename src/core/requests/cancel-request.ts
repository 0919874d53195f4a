/**
 * Cancels a request (rules 2): nobody pursues it any more. Its contract and payment link are closed at the providers
 * first, so that a customer who was faster is never lost.
 */
import { findCurrentContract, isCurrentContract, requireContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findJobByKey } from '../../db/jobs/jobs.js';
import { requireRequest, setPaymentLink } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { mustHaveReason } from '../calls/reason.js';
import { change, type Change, type Deciding } from '../change.js';
import type { Context } from '../context.js';
import { closeContract } from '../signature/close-at-provider.js';
import { endContract } from '../contracts/end-contract.js';
import { refused } from '../errors.js';
import { ofContract, ofRequest } from '../history/history.js';
import { refuseWhileHeld } from '../installation/hold.js';
import { dropJob } from '../jobs/queue.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { busyWith, requestLock, withLock } from '../lock.js';
import { mailJob, type CancelNotice } from '../mail/mail-job.js';
import { mustBeClosed } from '../payment/close-pages.js';
import { ourPayments } from '../payment/our-payments.js';
import { paymentJobKey } from '../payment/payment-job.js';
import { getRequest } from './requests.js';

/** The customer does not see the reason. */
interface CancelOptions extends Deciding {
  /** Notify the customer by e-mail. */
  notify?: boolean | undefined;
}

/**
 * Returns the canceled request. A canceled one stays as it is. Throws `invalid` without a reason. Refuses with `already_complete`, also when the customer has
 * just paid, with `already_signed`, `payment_pending` and, when a provider cannot be asked, with nothing changed,
 * `provider_unavailable` or `payment_unavailable`.
 */
export async function cancelRequest(
  ctx: Context,
  requestId: number,
  options: CancelOptions,
): Promise<RequestRow> {
  const request = getRequest(ctx, requestId);
  mustHaveReason(options.reason);
  if (request.status === 'CANCELED') return request;
  mustNotBeComplete(request);
  if (!options.dryRun) refuseWhileHeld(ctx);
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    const { dryRun } = options;
    const contract = findCurrentContract(ctx.db, { requestId });
    mustBeIdle(ctx.db, contract);
    if (contract) await closeContract(ctx, contract, { ...options, note: NOTE });
    // The customer has paid: this completed it.
    mustNotBeComplete(requireRequest(ctx.db, { id: requestId }));
    if (dryRun) return requireRequest(ctx.db, { id: requestId });
    const after = await change(ctx, options, (tx) => cancel(tx, requestId, { ...options, contract }));
    mustNotBeComplete(after);
    return after;
  });
}

const NOTE = 'The request was canceled.';

function mustNotBeComplete({ status }: RequestRow): void {
  if (status !== 'COMPLETE') return;
  throw refused('already_complete', 'The request is complete: signed and paid.');
}

/** A payment session that is just being made would be left open. */
function mustBeIdle(db: Db, contract: ContractRow | undefined): void {
  const job = contract && findJobByKey(db, { uniqueKey: paymentJobKey(contract.id) });
  if (job?.state === 'running')
    throw busyWith('The payment link of this request is being created right now.');
}

/** What has been signed since was not closed. */
function mustBeUnchanged(db: Db, { contract }: Canceling): void {
  if (!contract) return;
  const now = requireContract(db, { id: contract.id });
  const isSame = isCurrentContract(db, contract) && now.signedAt === contract.signedAt;
  if (!isSame) throw busyWith('This request has changed in the meantime.');
}

interface Canceling {
  notify?: boolean | undefined;
  /** What was closed at the providers. */
  contract: ContractRow | undefined;
}

function cancel(tx: Change, requestId: number, canceling: Canceling): RequestRow {
  const { db, reason, now } = tx;
  const { notify, contract } = canceling;
  const request = requireRequest(db, { id: requestId });
  // The customer has paid: this completed it.
  if (request.status === 'COMPLETE') return request;
  mustBeIdle(db, contract);
  mustBeUnchanged(db, canceling);
  mustBeClosed(ourPayments(db, requestId));
  if (contract) endContract(tx, contract, { reason: 'request_canceled' });
  if (contract) dropJob(tx, paymentJobKey(contract.id), ofContract(contract));
  setPaymentLink(db, { id: requestId, paymentId: null, paymentUrl: null, now });
  const contractId = contract?.id ?? null;
  const isMoved = tx.moveRequest(request, REQUEST_MOVES.canceled, { contractId, reason });
  if (isMoved && notify) tx.enqueueAgain(mailJob, cancelNotice(requestId), ofRequest(requestId));
  return requireRequest(db, { id: requestId });
}

function cancelNotice(requestId: number): CancelNotice {
  return { mail: 'request-canceled', requestId };
}

/** The customer is not told of a cancellation that was taken back before its mail could leave. */
export function dropCancelNotice(tx: Change, requestId: number): void {
  dropJob(tx, mailJob.uniqueKey(cancelNotice(requestId), tx.now), ofRequest(requestId));
}
