/** Asynchronous payment-session job (spec 4.8): one session per contract, whatever gets lost on the way. */
import { findContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history.js';
import { findCurrentPayment, insertPayment } from '../../db/payments.js';
import { findRequest } from '../../db/requests.js';
import { findUser } from '../../db/users.js';
import type { ContractRow, PaymentRow, RequestRow, UserRow } from '../../db/schema.js';
import { JOB } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import { hasOldPaymentKey, ownName } from '../identity.js';
import type { Job } from '../jobs/kinds.js';
import type { JobResult } from '../jobs/attempts.js';
import { text } from '../texts/index.js';
import { adoptForgotten, findForgotten, makeRoom, type Forgotten } from './forgotten-session.js';
import { openOtherPrice } from './other-price.js';
import { offerLink } from './offer-link.js';
import type { PaymentSession } from './provider.js';
import { sessionPaid } from './settle-session.js';

/** The handler: makes the session, or finds that nothing is to be done. Throws a ProviderError; the job tries again. */
export async function createPaymentSession(
  ctx: Context,
  { payload }: Job<'create-payment-session'>,
): Promise<JobResult> {
  const begun = findContract(ctx.db, payload.contractId) as ContractRow;
  const request = findRequest(ctx.db, payload.requestId) as RequestRow;
  if (request.status !== 'WAITING_PAYMENT') return { outcome: 'not_waiting_payment' };
  const current = findCurrentPayment(ctx.db, begun.id);
  const isOver = current?.status === 'expired';
  if (current && current.generation >= begun.paymentGeneration && !isOver) return keep(ctx, current);
  if (openOtherPrice(listHistory(ctx.db, request.id), begun)) return { outcome: 'other_price' };

  const customer = findUser(ctx.db, request.ownerId) as UserRow;
  const forgotten = await findForgotten(ctx, begun, customer);
  if (forgotten && forgotten.state !== 'check_payment_info.expired') {
    return { settle: (db) => adoptForgotten(ctx, db, begun.id, forgotten) };
  }
  const contract = forgotten || isOver ? await startOver(ctx, begun.id, forgotten) : begun;
  const session = await ctx.payment.createSession(
    {
      // Under an old key the content must stay what it was.
      clientReference: hasOldPaymentKey(contract) ? String(request.id) : ownName(ctx.db, contract.key),
      requestId: request.id,
      contractId: contract.id,
      reference: request.reference,
      productName: text(ctx.config.locale, 'payment.product', {
        reference: request.reference,
        title: request.title,
      }),
      amount: contract.amount,
      currency: contract.currency,
      customerEmail: customer.username,
      locale: ctx.config.locale,
      successUrl: `${ctx.config.baseUrl}/paid`,
    },
    // The same on every try; another one only when a person replays (a stored refusal would be repeated).
    contract.paymentKey,
  );
  return { settle: (db) => storeSession(ctx, db, { contract, session }), outcome: 'created' };
}

/** On disk before the provider is asked: a lost answer finds the same key. */
function startOver(ctx: Context, contractId: number, forgotten: Forgotten | undefined): Promise<ContractRow> {
  return ctx.writer.write((db) => {
    if (forgotten) adoptForgotten(ctx, db, contractId, forgotten);
    return makeRoom(db, contractId);
  });
}

/** One that was paid before we knew of the signature counts now. */
function keep(ctx: Context, current: PaymentRow): JobResult {
  if (current.status !== 'paid') return { outcome: 'exists' };
  const settle = (db: Db) => sessionPaid(db, current, { actor: JOB, now: iso(ctx.clock.now()) });
  return { settle, outcome: 'paid' };
}

function storeSession(
  ctx: Context,
  db: Db,
  { contract, session }: { contract: ContractRow; session: PaymentSession },
): void {
  const now = iso(ctx.clock.now());
  const { id: contractId, requestId, amount, currency, paymentGeneration: generation } = contract;
  const { paymentId, paymentUrl, expiresAt } = session;
  const isNew = insertPayment(db, {
    contractId,
    generation,
    paymentId,
    paymentUrl,
    status: 'open',
    amount,
    currency,
    createdAt: now,
    expiresAt,
  });
  if (!isNew || !offerLink(db, { contract, session, now })) return;
  record(db, {
    at: now,
    actor: JOB,
    what: 'payment.session_created',
    requestId,
    contractId,
    detail: { paymentId },
  });
}
