/**
 * Renews a payment session (decisions 5): a request whose link is over, or was never made, gets a new one, and the
 * customer a mail with it. The provider is asked first: a session that is paid or may still be paid is never replaced.
 */
import { findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findCurrentPayment, findPayment } from '../../db/payments.js';
import { findRequest } from '../../db/requests.js';
import type { ContractRow, JobRow, PaymentRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { AppError, notFound, refused } from '../errors.js';
import { record } from '../history.js';
import { isProviderError } from '../http/provider-error.js';
import { raiseGeneration } from '../jobs/failed.js';
import { enqueueAgain } from '../jobs/queue.js';
import { requestLock, withLock } from '../lock.js';
import { getRequest } from '../requests/get-request.js';
import { endsSession, findSession, resultOf } from './check-payment.js';
import { paymentPending } from './close-session.js';
import { paymentJob } from './payment-job.js';
import { sessionExpired } from './settle-session.js';

export interface RenewOptions {
  actor: Actor;
  reason?: string | undefined;
  /** Also while the customer's money is on its way, who may pay twice then. */
  despitePending?: boolean;
  /** Ask the provider and check the rules, but change nothing. */
  dryRun?: boolean;
}

/**
 * Returns the new session; undefined with `dryRun`. Throws `payment_creation_failed` when the provider does not make one
 * now: it is tried again like every payment session.
 */
export function renewPaymentSession(
  ctx: Context,
  requestId: number,
  options: RenewOptions,
): Promise<PaymentRow | undefined> {
  return withLock(ctx, requestLock(requestId), async () => {
    const request = getRequest(ctx, requestId);
    if (request.status !== 'WAITING_PAYMENT') throw notWaiting();
    const contract = findCurrentContract(ctx.db, requestId);
    if (!contract) throw notFound('contract_not_found', 'The request has no contract.');
    const old = findCurrentPayment(ctx.db, contract.id);
    if (old) await mustBeOver(ctx, old, { requestId, ...options });
    return options.dryRun ? undefined : makeNew(ctx, contract, old, options);
  });
}

async function mustBeOver(
  ctx: Context,
  payment: PaymentRow,
  { requestId, despitePending = false }: Pick<RenewOptions, 'despitePending'> & { requestId: number },
): Promise<void> {
  // Of one that we know to be over the provider may still say "complete": its payment failed.
  if (payment.status === 'expired') return;
  const result = resultOf(await ask(ctx, payment.paymentId));
  if (endsSession(payment, result)) return;
  if (result.key === 'check_payment_success') {
    throw refused(
      'already_paid',
      'The customer has paid at the payment provider.',
      `Run \`esignctl payments check ${requestId}\` instead.`,
    );
  }
  if (result.key === 'check_payment_info.pending' || payment.pendingSince !== null) {
    if (despitePending) return;
    throw paymentPending(
      `Wait for it. If the payment provider's console says that it failed, run \`esignctl payments renew ${requestId} --despite-pending --reason …\`: if the money arrives after all, the customer will have paid twice.`,
    );
  }
  throw refused('payment_link_works', 'The payment link still works: there is nothing to renew.');
}

async function ask(ctx: Context, paymentId: string) {
  try {
    return await findSession(ctx, paymentId);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    throw new AppError('unavailable', 'payment_unavailable', `The ${error.message}.`, {
      cause: error,
      hint: 'Nothing was changed: try again later.',
    });
  }
}

async function makeNew(
  ctx: Context,
  contract: ContractRow,
  old: PaymentRow | undefined,
  options: RenewOptions,
): Promise<PaymentRow> {
  const job = await ctx.writer.write((db) => owe(ctx, db, { contract, old, ...options }));
  const tried = job && (await ctx.jobs.run(job));
  const made = findCurrentPayment(ctx.db, contract.id);
  // The provider's list held one that a restore had forgotten.
  if (made?.status === 'paid') {
    throw refused(
      'already_paid',
      'The customer has paid at the payment provider.',
      'The request is complete now.',
    );
  }
  if (made && made.pendingSince !== null && made.paymentId !== old?.paymentId) throw paymentPending();
  if (made && made.paymentId !== old?.paymentId) return made;
  throw new AppError('unavailable', 'payment_creation_failed', 'The payment page could not be created.', {
    hint:
      job && tried?.state === 'failed'
        ? `All tries are used up. Run \`esignctl failed replay ${job.id}\` when the payment provider works again.`
        : 'It will be retried automatically; nothing is lost.',
  });
}

/** The same job as after the signature: its tries, its failed list, its mail. */
function owe(
  ctx: Context,
  db: Db,
  {
    contract,
    old,
    actor,
    reason,
    despitePending = false,
  }: RenewOptions & { contract: ContractRow; old: PaymentRow | undefined },
): JobRow | undefined {
  const now = iso(ctx.clock.now());
  const { id: contractId, requestId } = contract;
  // Its webhook may have come since the provider was asked.
  if (findRequest(db, requestId)?.status !== 'WAITING_PAYMENT') throw notWaiting();
  if (old) sessionExpired(db, findPayment(db, old.paymentId) as PaymentRow, { actor, now });
  raiseGeneration(db, contractId);
  record(db, {
    at: now,
    actor,
    what: 'payment.renewed',
    requestId,
    contractId,
    detail: {
      ...(old && { paymentId: old.paymentId }),
      ...(despitePending && { despitePending }),
      ...(reason && { reason }),
    },
  });
  const job = enqueueAgain(db, paymentJob({ requestId, contractId, now }));
  return ctx.jobs.claimHere(db, job);
}

function notWaiting(): AppError {
  return refused('not_waiting_payment', 'The request is not waiting for a payment.');
}
