/**
 * Renews a payment session (rules 5): a request whose link is over, or was never made, gets a new one, and the
 * customer a mail. The provider is asked first: a session that is paid, or may still be, is never replaced.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { findCurrentPayment, listOpenPaymentsOf, requirePayment } from '../../db/payments/payments.js';
import { findRequest } from '../../db/requests/requests.js';
import type { ContractRow, JobRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { change, type By, type Change } from '../change.js';
import { command, runInstead } from '../commands.js';
import type { Context } from '../context.js';
import { AppError, notFound, refused } from '../errors.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { refuseWhileHeld } from '../installation/hold.js';
import { dropJob } from '../jobs/drop.js';
import { busyWith, requestLock, withLock } from '../lock.js';
import { getRequest } from '../requests/requests.js';
import { isInReview, mustBeLookedAt, mustKnowPayments, undecidedIds } from './payment-case.js';
import { askEach, endsSession, isOnItsWay, type Asked } from './session-result.js';
import { paymentPending } from './close-session.js';
import { paymentJob, paymentJobKey, raiseGeneration } from './payment-job.js';
import { giveUpSession, offerLink, sessionExpired } from './settle-session.js';

export interface RenewOptions extends By {
  /** Even while the customer's money is on its way; the customer may then pay twice. */
  despitePending?: boolean;
  /** Ask the provider and check the rules, but change nothing. */
  dryRun?: boolean;
}

/** `known`: the payments that were undecided when the person asked. */
type Decision = RenewOptions & { known: readonly string[] };

/**
 * Returns the new session; undefined with `dryRun`. Throws `payment_creation_failed` when the provider does not
 * create one now; the job is retried as usual.
 */
export async function renewPaymentSession(
  ctx: Context,
  requestId: number,
  options: RenewOptions,
): Promise<PaymentRow | undefined> {
  if (!options.dryRun) refuseWhileHeld(ctx);
  const known = undecidedIds(ctx.db, requestId);
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    const request = getRequest(ctx, requestId);
    if (request.status !== 'WAITING_PAYMENT') throw notWaiting();
    const contract = findCurrentContract(ctx.db, { requestId });
    if (!contract) throw notFound('contract_not_found', 'The request has no contract.');
    const asked = await ask(ctx, listOpenPaymentsOf(ctx.db, { contractId: contract.id }));
    const isDecision = isInReview(ctx.db, contract);
    if (isDecision && !options.reason) throw undecided(requestId);
    const working = findWorking(asked, request, { ...options, isDecision });
    if (options.dryRun) return undefined;
    return working
      ? giveLink(ctx, contract, working, asked, { ...options, known })
      : makeNew(ctx, contract, asked, { ...options, known });
  });
}

/**
 * A session that works: it was only found, so that the customer has no link yet, it takes the place of one given up, or a person
 * has decided about another payment.
 * Undefined when a new one is to be made. Refuses otherwise.
 */
function findWorking(
  asked: readonly Asked[],
  { id: requestId, payToken }: RequestRow,
  { despitePending, isDecision }: RenewOptions & { isDecision: boolean },
): PaymentRow | undefined {
  if (asked.some(({ answer }) => answer.key === 'check_payment_success')) {
    const instead = runInstead('payments check', requestId);
    throw refused('already_paid', 'The customer has paid at the payment provider.', instead);
  }
  const usable = asked.filter(({ payment, answer }) => !endsSession(payment, answer));
  const working = usable.filter((one) => !isOnItsWay(one));
  const isPending = working.length < usable.length;
  if (isPending && !despitePending) {
    const options = ['--despite-pending', '--reason', '…'];
    throw paymentPending(requestId, [
      "Wait for it. If the payment provider's console says that it failed, run `",
      { ...command('payments renew', requestId), options },
      '`: if the money arrives after all, the customer will have paid twice.',
    ]);
  }
  if (working.length > 0 && payToken !== null && !isPending && !isDecision)
    throw refused('payment_link_works', 'The payment link still works: there is nothing to renew.');
  return working[0]?.payment;
}

/** A payment has come: whoever makes a new link says what becomes of it. */
function undecided(requestId: number): AppError {
  return mustBeLookedAt([
    'If it was refunded, run `',
    { ...command('payments renew', requestId), options: ['--reason', '…'] },
    '`.',
  ]);
}

async function ask(ctx: Context, payments: readonly PaymentRow[]): Promise<Asked[]> {
  try {
    return await askEach(ctx, payments);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    throw new AppError('unavailable', 'payment_unavailable', `The ${error.message}.`, {
      cause: error,
      hint: 'Nothing was changed: try again later.',
    });
  }
}

function giveLink(
  ctx: Context,
  contract: ContractRow,
  { paymentId }: PaymentRow,
  asked: readonly Asked[],
  options: Decision,
): Promise<PaymentRow> {
  return change(ctx, options, (tx) => {
    mustKnowPayments(tx.db, { requestId: contract.requestId, known: options.known });
    for (const one of asked.filter(isOnItsWay)) giveUp(tx, one);
    const fresh = requirePayment(tx.db, { paymentId });
    // Its webhook may have arrived meanwhile.
    const isOpen = fresh.status === 'open' && fresh.pendingSince === null;
    recordRenewal(tx, contract, paymentId, options);
    if (!isOpen || !offerLink(tx, contract, fresh)) throw busyWith('The payment changed in the meantime.');
    dropJob(tx, paymentJobKey(contract.id), ofContract(contract));
    return requirePayment(tx.db, { paymentId });
  });
}

async function makeNew(
  ctx: Context,
  contract: ContractRow,
  asked: readonly Asked[],
  options: Decision,
): Promise<PaymentRow> {
  const job = await change(ctx, options, (tx) => enqueueSession(ctx, tx, contract, asked, options));
  const tried = job && (await ctx.jobs.run(job));
  // The provider's list held a session forgotten by a restore.
  const isComplete = getRequest(ctx, contract.requestId).status === 'COMPLETE';
  if (isComplete || isInReview(ctx.db, contract)) {
    throw refused(
      'already_paid',
      'The customer has paid at the payment provider.',
      isComplete ? 'The request is now complete.' : runInstead('explain', contract.requestId),
    );
  }
  const made = findCurrentPayment(ctx.db, { contractId: contract.id });
  if (made?.status === 'open' && made.pendingSince !== null) throw paymentPending(contract.requestId);
  if (made?.status === 'open') return made;
  throw new AppError('unavailable', 'payment_creation_failed', 'The payment page could not be created.', {
    hint:
      job && tried?.state === 'failed'
        ? [
            'All tries are used up. Run `',
            command('failed replay', job.id),
            '` when the payment provider works again.',
          ]
        : 'It will be retried automatically; nothing is lost.',
  });
}

/** The same job as after the signature, with its retries and mail. */
function enqueueSession(
  ctx: Context,
  tx: Change,
  contract: ContractRow,
  asked: readonly Asked[],
  options: Decision,
): JobRow | undefined {
  const { db } = tx;
  const { id: contractId, requestId } = contract;
  const about = { requestId, contractId };
  mustKnowPayments(db, { requestId, known: options.known });
  // Its webhook may have arrived meanwhile.
  if (findRequest(db, { id: requestId })?.status !== 'WAITING_PAYMENT') throw notWaiting();
  const old = findCurrentPayment(db, { contractId });
  for (const one of asked) giveUp(tx, one);
  raiseGeneration(db, contractId);
  recordRenewal(tx, contract, old?.paymentId, options);
  return ctx.jobs.claimHere(db, tx.enqueueAgain(paymentJob, about, about));
}

/** With a reason, it decides about the payments that have come (payment-case.ts). */
function recordRenewal(
  tx: Change,
  contract: ContractRow,
  paymentId: string | undefined,
  { despitePending }: Decision,
): void {
  const detail = { paymentId, despitePending: despitePending || undefined, reason: tx.reason };
  tx.record('payment.renewed', ofContract(contract), detail);
}

function giveUp(tx: Change, asked: Asked): void {
  const payment = requirePayment(tx.db, asked.payment);
  if (!isOnItsWay(asked)) return void sessionExpired(tx, payment);
  giveUpSession(tx, payment);
}

function notWaiting(): AppError {
  return refused('not_waiting_payment', 'The request is not waiting for a payment.');
}
