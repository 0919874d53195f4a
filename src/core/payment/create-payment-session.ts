/** The payment-session job (rules 5): one session per contract, even after lost answers. */
import { requireContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import {
  findCurrentPayment,
  findPayment,
  insertPayment,
  requireCurrentPayment,
} from '../../db/payments/payments.js';
import { requireRequest } from '../../db/requests/requests.js';
import { requireUser } from '../../db/users/users.js';
import type { ContractRow } from '../../db/schema.js';
import { actorName, CUSTOMER, JOB } from '../actor.js';
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import { historyOf, ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { ownName } from '../installation/identity.js';
import type { JobResult } from '../jobs/kind.js';
import { text } from '../texts/index.js';
import { localeOf } from '../users/reader.js';
import { adoptForgotten, findForgotten, searchForgotten, type Forgotten } from './forgotten-session.js';
import { findStanding, nextGeneration, type PaymentJob } from './payment-job.js';
import { isInReview, wantedAfterAll } from './payment-case.js';
import { asPayment, makeRoom } from './our-session.js';
import type { PaymentSession } from './provider.js';
import { offerLink, takeUp } from './settle-session.js';

/** The handler: creates the session, or finds nothing to do. Throws a ProviderError; the job is retried. */
export async function createPaymentSession(
  ctx: Context,
  { payload, attempt }: PaymentJob,
): Promise<JobResult> {
  const begun = requireContract(ctx.db, { id: payload.contractId });
  const request = requireRequest(ctx.db, { id: payload.requestId });
  const there = whatIsThere(ctx.db, begun);
  if (there) return there;
  if (isInReview(ctx.db, begun)) {
    return { settle: (tx) => (isInReview(tx.db, begun) ? 'in_review' : wantedAfterAll()) };
  }

  const customer = requireUser(ctx.db, { id: request.ownerId });
  const forgotten = await findForgotten(ctx, begun);
  if (forgotten && forgotten.state !== 'check_payment_info.expired') {
    return { settle: (tx) => unlessOver(adoptForgotten(tx, begun.id, forgotten)) };
  }
  // While the list was being fetched, a webhook may have reported the payment, or a session's end.
  const meanwhile = whatIsThere(ctx.db, begun);
  if (meanwhile) return meanwhile;
  const contract =
    forgotten || findCurrentPayment(ctx.db, { contractId: begun.id })
      ? await startOver(ctx, begun.id, forgotten)
      : begun;
  const made = ctx.payment.createSession(
    {
      clientReference: ownName(ctx.db, contract.key),
      requestId: request.id,
      contractId: contract.id,
      reference: request.reference,
      productName: text(localeOf(ctx.config, customer), 'payment.product', {
        reference: request.reference,
        title: request.title,
      }),
      amount: contract.amount,
      currency: contract.currency,
      customerEmail: customer.username,
      locale: localeOf(ctx.config, customer),
      successUrl: `${ctx.config.baseUrl}/paid`,
    },
    // The same on every attempt; a new one only for a person's replay, because the provider repeats stored refusals.
    contract.paymentKey,
  );
  const session = await made.catch((error: unknown) => adoptBound(ctx, contract, error));
  if ('settle' in session) return session;
  await refuseEnded(ctx, contract, session);
  // The customer stands before it; after a failed attempt, only a mail brings it.
  const isQuiet = attempt === 1 && isAskedByCustomer(ctx.db, request.id);
  return { settle: (tx) => storeSession(tx, contract, session, { isQuiet }), outcome: 'created' };
}

/**
 * A key is bound to its first content, which named the customer's language and address of then: the session that was made
 * with it is found in the list. Throws the refusal when none is.
 */
async function adoptBound(
  ctx: Context,
  contract: ContractRow,
  refusal: unknown,
): Promise<{ settle: (tx: Change) => string | undefined }> {
  if (!isProviderError(refusal, 'rejected') || refusal.type !== 'idempotency_error') throw refusal;
  const bound = await searchForgotten(ctx, contract);
  if (bound && bound.state !== 'check_payment_info.expired')
    return { settle: (tx) => unlessOver(adoptForgotten(tx, contract.id, bound)) };
  // After an expired one, the next attempt has a new key.
  await startOver(ctx, contract.id, bound);
  throw refusal;
}

/** On disk before the provider is asked, so that after a lost answer the key is the same. */
function startOver(ctx: Context, contractId: number, forgotten: Forgotten | undefined): Promise<ContractRow> {
  return change(ctx, { actor: JOB }, (tx) => {
    if (forgotten) adoptForgotten(tx, contractId, forgotten);
    return makeRoom(tx.db, contractId);
  });
}

/** The provider repeats a session as it was made, even after its end. The next attempt has a new key. */
async function refuseEnded(ctx: Context, { id }: ContractRow, { paymentId }: PaymentSession): Promise<void> {
  if (findPayment(ctx.db, { paymentId })?.status !== 'expired') return;
  await ctx.writer.write((db) => nextGeneration(db, requireContract(db, { id })));
  unlessOver('session_expired');
}

/** Undefined when a session is to be made. */
function whatIsThere(db: Db, contract: ContractRow): JobResult | undefined {
  const request = requireRequest(db, { id: contract.requestId });
  if (request.status !== 'WAITING_PAYMENT') return { outcome: 'not_waiting_payment' };
  return findStanding(db, contract) && { settle: (tx) => takeUpCurrent(tx, contract) };
}

function takeUpCurrent(tx: Change, contract: ContractRow): string | undefined {
  return unlessOver(takeUp(tx, contract, requireCurrentPayment(tx.db, { contractId: contract.id })));
}

/** The next attempt makes another session. */
function unlessOver(outcome: string | undefined): string | undefined {
  if (outcome === 'session_expired') throw new Error('a payment page ended meanwhile');
  return outcome;
}

/** The renewal for which it is made was that of the link in a mail. */
function isAskedByCustomer(db: Db, requestId: number): boolean {
  return historyOf(db, requestId, ['payment.renewed']).at(-1)?.actor === actorName(CUSTOMER);
}

function storeSession(
  tx: Change,
  contract: ContractRow,
  session: PaymentSession,
  how: { isQuiet: boolean },
): void {
  const { db, now } = tx;
  // A renewal that was ordered meanwhile needs no session of its own.
  if (!insertPayment(db, asPayment(requireContract(db, { id: contract.id }), session, now))) {
    // A webhook has reported this session or another one.
    takeUpCurrent(tx, contract);
    return;
  }
  if (!offerLink(tx, contract, session, how)) return;
  tx.record('payment.session_created', ofContract(contract), { paymentId: session.paymentId });
}
