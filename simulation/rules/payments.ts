/** Nobody can pay twice, and only money that is there counts. */
import { isOfAnotherPrice } from './price.js';
import { customerOf, type ContractRow, type Outside, type Rows, type Session } from './facts.js';

/** Payments that are a case for a person, as the history calls them. */
export const CASES =
  "'payment.old_session_paid', 'payment.paid_unsigned', 'payment.canceled_paid', 'payment.other_price'";

export function isOpen({ status, expires_at }: Session, { now }: Outside): boolean {
  return status === 'open' && expires_at * 1000 > now();
}

/**
 * Of the sessions of one contract at most one can be paid, or was, besides those that the office has given up, and those that were
 * paid with another amount, which a person may have refunded.
 */
export function payableTwice(sessions: readonly Session[], outside: Outside): string[] {
  const isOver = (session: Session) =>
    outside.refused.has(session.id) || outside.givenUp.has(session.id) || isOfAnotherPrice(session);
  const [alive, ...others] = sessions.filter(
    (session) => !isOver(session) && (session.status === 'complete' || isOpen(session, outside)),
  );
  if (others.length === 0) return [];
  const which = others.map(({ id, status }) => `${id} ${status}`).join();
  return [`${alive?.client_reference_id} can be paid twice: ${which}`];
}

/** A contract counts as paid by this session. */
export function paidWrongly(
  rows: Rows,
  outside: Outside,
  { id, externalId }: ContractRow,
  paymentId: string,
): string[] {
  const session = outside.sessions.get(paymentId);
  const customer = customerOf(rows, outside, id);
  const { payment_status: how, client_reference_id: name, customer_email: payer } = session ?? {};
  return [
    how !== 'paid' && `contract ${id} counts as paid by ${paymentId}, which is ${how}`,
    name !== externalId && `contract ${id} was paid by a session of ${name}`,
    outside.nameOf(payer ?? '') !== customer && `contract ${id} of ${customer} was paid by ${payer}`,
  ].filter((each) => each !== false);
}

/** A customer has followed a link to pay for a request, and the link has led to the page of this session. */
export function ledElsewhere(
  rows: Rows,
  { sessions, nameOf }: Outside,
  { requestId, customer }: { requestId: number | undefined; customer: string },
  sessionId: string,
): string[] {
  const { customer_email: payer = '', client_reference_id: name } = sessions.get(sessionId) ?? {};
  const [contract] = rows<{ requestId: number }>(
    'SELECT requestId FROM contracts WHERE externalId = ?',
    name,
  );
  const led = `the link to pay for request ${requestId} of ${customer} led to ${sessionId}`;
  if (nameOf(payer ?? '') !== customer) return [`${led} of ${payer}`];
  return contract && contract.requestId !== requestId ? [`${led} of request ${contract.requestId}`] : [];
}

/** Payments that did not complete the request, and that neither a person nor the signature has settled since. */
export function undecided(
  rows: Rows,
  requestId: number,
): { paymentId: string; contractId: number; what: string }[] {
  return rows(
    `SELECT h.detail ->> '$.paymentId' AS paymentId, h.contractId, h.what FROM history h
     WHERE h.requestId = ? AND h.what IN (${CASES}) AND NOT EXISTS (
       SELECT 1 FROM history d WHERE d.requestId = h.requestId AND d.id > h.id AND (
         d.what = 'request.settled' OR (d.what = 'payment.renewed' AND d.actor <> 'customer')
         OR (d.what = 'payment.received' AND d.detail ->> '$.paymentId' = h.detail ->> '$.paymentId')))`,
    requestId,
  );
}

/** Money came by a session that the office had given up, or is not the price, and is a case for a person. */
export function isCase(rows: Rows, { givenUp }: Outside, session: Session): boolean {
  const is = (what: string) =>
    rows("SELECT 1 FROM history WHERE what = ? AND detail ->> '$.paymentId' = ?", what, session.id).length >
    0;
  return isOfAnotherPrice(session)
    ? is('payment.other_price')
    : givenUp.has(session.id) && is('payment.old_session_paid');
}

/** A new page is made although the customer has paid for an earlier contract, or another amount, and nobody has decided about that payment. */
export function askedAgain(rows: Rows, { id, requestId }: ContractRow): string[] {
  return undecided(rows, requestId)
    .filter(({ contractId, what }) => contractId < id || what === 'payment.other_price')
    .map(({ paymentId }) => `request ${requestId} was paid by ${paymentId}, and its customer is asked again`);
}

/** Pages that we know of and that can be paid, though nothing is to be paid any more. The scheduled check closes them. */
export function leftOpen(rows: Rows, outside: Outside): string[] {
  return rows<{ paymentId: string; requestId: number; status: string }>(
    `SELECT p.paymentId, r.id AS requestId, r.status FROM payments p JOIN contracts c ON c.id = p.contractId
     JOIN requests r ON r.id = c.requestId WHERE r.status IN ('COMPLETE', 'CANCELED')`,
  ).flatMap(({ paymentId, requestId, status }) => {
    const session = outside.sessions.get(paymentId);
    return session && isOpen(session, outside)
      ? `request ${requestId} is ${status}, and its page ${paymentId} is left open`
      : [];
  });
}

/** Each payment either completes its request, which happens once, or is reported as a case for a person. */
export function paidUnnoticed(rows: Rows, { sessions }: Outside): string[] {
  const told = rows<{ paymentId: string; requestId: number; what: string }>(
    `SELECT detail ->> '$.paymentId' AS paymentId, requestId, what FROM history WHERE what IN
       ('payment.received', ${CASES})`,
  );
  const completed = told.filter(({ what }) => what === 'payment.received').map((each) => each.requestId);
  const known = new Set(told.map(({ paymentId }) => paymentId));
  const contracts = rows<ContractRow>('SELECT requestId, externalId FROM contracts');
  const requests = new Map(contracts.map(({ externalId, requestId }) => [externalId, requestId]));
  const unnoticed = [...sessions.values()].filter(
    ({ id, payment_status: how, client_reference_id: name }) =>
      how === 'paid' && requests.has(name ?? '') && !known.has(id),
  );
  return [
    ...completed
      .filter((id, i) => completed.indexOf(id) !== i)
      .map((id) => `request ${id} counts as paid twice`),
    ...unnoticed.map(
      ({ id, client_reference_id: name }) =>
        `request ${requests.get(name ?? '')} was paid by ${id}, and nobody is told`,
    ),
  ];
}
