/** Asynchronous payment-session job (spec 4.8): one session per contract, whatever gets lost on the way. */
import { findContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findCurrentPayment, insertPayment } from '../../db/payments.js';
import { findRequest, setPaymentLink } from '../../db/requests.js';
import { findUser } from '../../db/users.js';
import type { ContractRow, PaymentRow, RequestRow, UserRow } from '../../db/schema.js';
import { JOB } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { publishEvent } from '../events.js';
import { record } from '../history.js';
import { hasOldPaymentKey, ownName } from '../identity.js';
import type { Job } from '../jobs/kinds.js';
import { enqueue } from '../jobs/queue.js';
import type { JobResult } from '../jobs/attempts.js';
import { text } from '../texts/index.js';
import type { PaymentSession } from './provider.js';
import { sessionPaid } from './settle-session.js';

/** The handler: makes the session, or finds that nothing is to be done. Throws a ProviderError; the job tries again. */
export async function createPaymentSession(
  ctx: Context,
  { payload }: Job<'create-payment-session'>,
): Promise<JobResult> {
  const contract = findContract(ctx.db, payload.contractId) as ContractRow;
  const request = findRequest(ctx.db, payload.requestId) as RequestRow;
  if (request.status !== 'WAITING_PAYMENT') return { outcome: 'not_waiting_payment' };
  const current = findCurrentPayment(ctx.db, contract.id);
  if (current && current.generation >= contract.paymentGeneration) return keep(ctx, current);

  const customer = findUser(ctx.db, request.ownerId) as UserRow;
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
  return { settle: (db) => storeSession(ctx, db, { request, contract, session }), outcome: 'created' };
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
  { request, contract, session }: { request: RequestRow; contract: ContractRow; session: PaymentSession },
): void {
  const now = iso(ctx.clock.now());
  const { paymentId, paymentUrl, expiresAt } = session;
  const isNew = insertPayment(db, {
    contractId: contract.id,
    generation: contract.paymentGeneration,
    paymentId,
    paymentUrl,
    status: 'open',
    amount: contract.amount,
    currency: contract.currency,
    createdAt: now,
    expiresAt,
  });
  // Completed by hand in the meantime: nobody gets a link to pay again.
  if (!isNew || findRequest(db, request.id)?.status !== 'WAITING_PAYMENT') return;
  setPaymentLink(db, { id: request.id, paymentId, paymentUrl, now });
  const about = { requestId: request.id, contractId: contract.id };
  record(db, { ...about, at: now, actor: JOB, what: 'payment.session_created', detail: { paymentId } });
  publishEvent(db, { event: 'request.updated', about: { ...request, status: 'WAITING_PAYMENT' }, now });
  enqueue(db, {
    kind: 'send-mail',
    payload: { mail: 'payment-link', contractId: contract.id, paymentId },
    uniqueKey: `mail:payment-link:${paymentId}`,
    now,
    ...about,
  });
}
