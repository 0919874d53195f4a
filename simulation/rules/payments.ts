/** Nobody can pay twice, and only money that is there counts. */
import {
  customerOf,
  isOfAnotherPrice,
  type ContractRow,
  type Outside,
  type Rows,
  type Session,
} from './facts.js';

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
  { id, requestId, externalId }: ContractRow,
  paymentId: string,
): string[] {
  const [newest] = rows<ContractRow>(
    'SELECT * FROM contracts WHERE requestId = ? ORDER BY id DESC LIMIT 1',
    requestId,
  );
  const session = outside.sessions.get(paymentId);
  const customer = customerOf(rows, outside, id);
  const { payment_status: how, client_reference_id: name, customer_email: payer } = session ?? {};
  return [
    how !== 'paid' && `contract ${id} counts as paid by ${paymentId}, which is ${how}`,
    name !== externalId && `contract ${id} was paid by a session of ${name}`,
    newest?.id !== id && `request ${requestId} counts as paid by a session of its earlier contract ${id}`,
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

/** Payments of a request that wait for a person's decision. */
export function undecided(rows: Rows, requestId: number): { paymentId: string }[] {
  return rows(
    `SELECT p.paymentId FROM payments p JOIN contracts c ON c.id = p.contractId
     WHERE c.requestId = ? AND p.state = 'case'`,
    requestId,
  );
}

/** Money of another amount or currency, which a person decides about, or has. */
export function isCase(rows: Rows, session: Session): boolean {
  const [row] = rows<{ state: string }>('SELECT state FROM payments WHERE paymentId = ?', session.id);
  return isOfAnotherPrice(session) && (row?.state === 'case' || row?.state === 'settled');
}

/** A new page is made although the customer has paid, and nobody has decided about that payment. */
export function askedAgain(rows: Rows, { requestId }: ContractRow): string[] {
  return undecided(rows, requestId).map(
    ({ paymentId }) => `request ${requestId} was paid by ${paymentId}, and its customer is asked again`,
  );
}

/**
 * Pages that we know of and that can be paid at the provider, though nothing is to be paid on them: the request is over, the contract was
 * replaced, money is on its way, or a payment waits for a person. The scheduled check closes them.
 */
export function leftOpen(rows: Rows, outside: Outside): string[] {
  return rows<{ paymentId: string; requestId: number; status: string }>(
    `SELECT p.paymentId, r.id AS requestId, r.status FROM payments p JOIN contracts c ON c.id = p.contractId
     JOIN requests r ON r.id = c.requestId
     WHERE r.status IN ('COMPLETE', 'CANCELED') OR c.id < (SELECT max(id) FROM contracts WHERE requestId = r.id)
     OR EXISTS (SELECT 1 FROM payments o JOIN contracts oc ON oc.id = o.contractId
       WHERE oc.requestId = r.id AND (o.state = 'case' OR (o.state = 'pending' AND oc.id = c.id)))`,
  ).flatMap(({ paymentId, requestId, status }) => {
    const session = outside.sessions.get(paymentId);
    return session && isOpen(session, outside)
      ? `request ${requestId} is ${status}, and its page ${paymentId} is left open`
      : [];
  });
}

/** What the provider calls paid either completes its request, which happens once, or is a case for a person. */
export function paidUnnoticed(rows: Rows, { sessions }: Outside): string[] {
  const known = new Map(
    rows<{ paymentId: string; state: string; requestId: number }>(
      'SELECT p.paymentId, p.state, c.requestId FROM payments p JOIN contracts c ON c.id = p.contractId',
    ).map((row) => [row.paymentId, row]),
  );
  const counted = [...known.values()].filter(({ state }) => state === 'paid').map((row) => row.requestId);
  const contracts = rows<ContractRow>('SELECT requestId, externalId FROM contracts');
  const requests = new Map(contracts.map(({ externalId, requestId }) => [externalId, requestId]));
  const isNoticed = (id: string) => ['case', 'paid', 'settled'].includes(known.get(id)?.state ?? '');
  const unnoticed = [...sessions.values()].filter(
    ({ id, payment_status: how, client_reference_id: name }) =>
      how === 'paid' && requests.has(name ?? '') && !isNoticed(id),
  );
  return [
    ...counted.filter((id, i) => counted.indexOf(id) !== i).map((id) => `request ${id} counts as paid twice`),
    ...unnoticed.map(
      ({ id, client_reference_id: name }) =>
        `request ${requests.get(name ?? '')} was paid by ${id}, and nobody is told`,
    ),
  ];
}

/** What counts as paid has completed its request. */
export function paidAndOpen(rows: Rows): string[] {
  return rows<{ paymentId: string; requestId: number; status: string }>(
    `SELECT p.paymentId, r.id AS requestId, r.status FROM payments p JOIN contracts c ON c.id = p.contractId
     JOIN requests r ON r.id = c.requestId WHERE p.state = 'paid' AND r.status <> 'COMPLETE'`,
  ).map(
    ({ paymentId, requestId, status }) => `request ${requestId} was paid by ${paymentId} and is ${status}`,
  );
}

/** What the provider calls paid is told to the office. */
export function paidAndUntold(rows: Rows, { sessions }: Outside): string[] {
  const names = new Set(rows<ContractRow>('SELECT externalId FROM contracts').map((row) => row.externalId));
  const told = new Set(
    rows<{ paymentId: string }>(
      `SELECT payload ->> '$.paymentId' AS paymentId FROM jobs
       WHERE kind = 'send-mail' AND payload ->> '$.mail' IN ('admin-paid', 'payment-trouble')`,
    ).map(({ paymentId }) => paymentId),
  );
  return [...sessions.values()]
    .filter(({ payment_status: how }) => how === 'paid')
    .filter(({ id, client_reference_id: name }) => names.has(name ?? '') && !told.has(id))
    .map(({ id }) => `money has come by ${id}, and no mail says so to the office`);
}

/** A payment waits for a decision in one place as in the other. */
export function casesApart(rows: Rows): string[] {
  return rows<{ paymentId: string; state: string | null }>(
    `SELECT p.paymentId, p.state FROM payments p
     WHERE (p.state = 'case') <> EXISTS (SELECT 1 FROM cases WHERE kind = 'payment' AND subject = p.paymentId AND decidedAt IS NULL)`,
  ).map(({ paymentId, state }) => `the payment ${paymentId} is ${state}, and its case says otherwise`);
}
