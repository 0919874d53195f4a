/**
 * Renews a payment session (rules 5): a request whose link is over, or was never made, gets a new one, and the
 * customer a mail. The provider is asked first: nobody is asked to pay again for what is paid, or may be.
 */
import type { ContractRow, JobRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { change, type By, type Change, type Try } from '../change.js';
import { command } from '../commands.js';
import type { Context } from '../context.js';
import { AppError, refused } from '../errors.js';
import { ofContract } from '../history/history.js';
import { refuseWhileHeld } from '../installation/hold.js';
import { requestLock, withLock } from '../lock.js';
import { getRequest } from '../requests/requests.js';
import { askAboutPayment } from './check-payment.js';
import type { PaymentStanding } from './decide.js';
import { contractToPay, ourPayments, paymentStanding, shownPayment } from './our-payments.js';
import {
  decidePayments,
  mustBeLookedAt,
  mustKnowPayments,
  paymentPending,
  undecidedPayments,
} from './payment-cases.js';
import { willHaveLink } from './pay-link.js';
import { paymentJob } from './payment-job.js';
import { asPaymentRefusal } from '../http/refusal.js';

/**
 * Returns the new session; undefined with `dryRun`. Throws `payment_creation_failed` when the provider does not
 * create one now; the job is retried as usual. With a reason, it decides about the payments that have come.
 */
export async function renewPaymentSession(
  ctx: Context,
  requestId: number,
  { dryRun, ...by }: Try,
): Promise<PaymentRow | undefined> {
  if (!dryRun) refuseWhileHeld(ctx);
  const known = undecidedPayments(ourPayments(ctx.db, requestId));
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    mustWait(getRequest(ctx, requestId));
    const ours = ourPayments(ctx.db, requestId);
    const contract = contractToPay(ours);
    const hasLink = willHaveLink(ctx.db, contract, ours.request);
    const { standing } = await askAboutPayment(ctx, requestId, { ...by, dryRun }).catch((error) => {
      throw asPaymentRefusal(error);
    });
    // A page whose link never left is mailed.
    if (standing !== 'payable' || hasLink) mustBeRenewable(requestId, standing, by);
    if (dryRun) return undefined;
    return make(ctx, contract, { ...by, known });
  });
}

function mustBeRenewable(requestId: number, standing: PaymentStanding, { reason }: Pick<By, 'reason'>): void {
  switch (standing) {
    case 'no_page':
      return;
    case 'paid':
      throw refused(
        'already_paid',
        'The customer has paid at the payment provider.',
        'The request is now complete.',
      );
    case 'not_due':
      throw notWaiting();
    case 'on_its_way':
      throw paymentPending(requestId);
    case 'payable':
      throw refused('payment_link_works', 'The payment link still works: there is nothing to renew.');
    case 'case':
      if (!reason) throw undecided(requestId);
  }
}

/** A payment has come: whoever makes a new link says what becomes of it. */
function undecided(requestId: number): AppError {
  return mustBeLookedAt([
    'If it was refunded, run `',
    { ...command('payments renew', requestId), options: ['--reason', '…'] },
    '`.',
  ]);
}

/** `known`: the payments that waited for a decision when the person asked. */
type Decision = By & { known: readonly PaymentRow[] };

async function make(
  ctx: Context,
  contract: ContractRow,
  { known, ...by }: Decision,
): Promise<PaymentRow | undefined> {
  const { requestId } = contract;
  const job = await change(ctx, by, (tx) => order(ctx, tx, contract, known));
  const tried = job && (await ctx.jobs.run(job));
  const standing = paymentStanding(ctx.db, requestId);
  if (standing === 'payable') return shownPayment(ourPayments(ctx.db, requestId));
  // The provider's list held a session that nobody here knew of.
  mustBeRenewable(requestId, standing, {});
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
function order(
  ctx: Context,
  tx: Change,
  contract: ContractRow,
  known: readonly PaymentRow[],
): JobRow | undefined {
  const { db } = tx;
  const { id: contractId, requestId } = contract;
  const ours = ourPayments(db, requestId);
  mustWait(ours.request);
  mustKnowPayments(ours, known);
  const decided = undecidedPayments(ours);
  decidePayments(tx, decided, 'settled');
  const payments = decided.length > 0 ? decided.map(({ paymentId }) => paymentId) : undefined;
  const paymentId = shownPayment(ours)?.paymentId;
  tx.record('payment.renewed', ofContract(contract), { paymentId, payments, reason: tx.reason });
  const about = { requestId, contractId };
  return ctx.jobs.claimHere(db, tx.enqueueAgain(paymentJob, about, about));
}

function mustWait({ status }: RequestRow): void {
  if (status !== 'WAITING_PAYMENT') throw notWaiting();
}

function notWaiting(): AppError {
  return refused('not_waiting_payment', 'The request is not waiting for a payment.');
}
