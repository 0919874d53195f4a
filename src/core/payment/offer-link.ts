/** Gives the customer the link of a payment session. */
import type { Db } from '../../db/db.js';
import { findRequest, setPaymentLink } from '../../db/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { publishEvent } from '../events.js';
import { enqueue } from '../jobs/queue.js';
import type { PaymentSession } from './provider.js';

/** False, and nothing is sent, when nobody waits for the payment: completed by hand in the meantime. */
export function offerLink(
  db: Db,
  { contract, session, now }: { contract: ContractRow; session: PaymentSession; now: string },
): boolean {
  const { id: contractId, requestId } = contract;
  const { paymentId, paymentUrl } = session;
  const request = findRequest(db, requestId) as RequestRow;
  if (request.status !== 'WAITING_PAYMENT') return false;
  setPaymentLink(db, { id: requestId, paymentId, paymentUrl, now });
  publishEvent(db, { event: 'request.updated', about: request, now });
  enqueue(db, {
    kind: 'send-mail',
    payload: { mail: 'payment-link', contractId, paymentId },
    uniqueKey: `mail:payment-link:${paymentId}`,
    now,
    requestId,
    contractId,
  });
  return true;
}
