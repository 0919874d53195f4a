/** Every contract, payment page and payment bears the price that was agreed, and nobody is thanked before it has come. */
import type { PaymentSession } from '../../sandbox/payment/session.js';
import { contractOf, detailOf, type Entry } from './claims.js';
import { chargedBy, isSamePrice, type Price, type Rows } from './facts.js';

interface Told extends Price {
  reference: string;
  status: string;
}

/** A contract was made: the newest offer that was accepted by then counts, else the newest that was sent, else the price of the settings. */
export function pricedWrongly(rows: Rows, entry: Entry, usual: Price): string[] {
  const offers = new Map<string, Told>();
  for (const { what, detail } of rows<{ what: string; detail: string }>(
    "SELECT what, detail FROM history WHERE requestId = ? AND what GLOB 'offer.*' AND id < ? ORDER BY id",
    entry.requestId,
    entry.id,
  )) {
    const told = JSON.parse(detail) as Told;
    if (what === 'offer.deleted') offers.delete(told.reference);
    else offers.set(told.reference, told);
  }
  const newest = (wanted: string) => [...offers.values()].findLast(({ status }) => status === wanted);
  const agreed = newest('accepted') ?? newest('sent') ?? usual;
  const contract = rows<Price & { id: number }>('SELECT * FROM contracts WHERE id = ?', entry.contractId)[0];
  return contract ? differs(`contract ${contract.id}`, contract, agreed) : [];
}

/** A payment page was made; undefined when nobody here knows the contract. */
export function asksForAnotherPrice(rows: Rows, session: PaymentSession): string[] {
  const name = session.client_reference_id;
  const [contract] = rows<Price & { id: number }>('SELECT * FROM contracts WHERE externalId = ?', name);
  return contract
    ? differs(`the page ${session.id} of contract ${contract.id}`, chargedBy(session), contract)
    : [];
}

/** A payment counts. */
export function countsWithAnotherPrice(
  rows: Rows,
  entry: Entry,
  session: PaymentSession | undefined,
): string[] {
  const contract = contractOf(rows, entry) as unknown as Price & { id: number };
  const { amount, currency } = detailOf(entry) as unknown as Price;
  return [
    ...differs(`the payment of contract ${contract.id} in the history`, { amount, currency }, contract),
    ...(session ? differs(`the money for contract ${contract.id}`, chargedBy(session), contract) : []),
  ];
}

/** The page behind a link to pay thanks its customer. */
export function thankedWrongly(rows: Rows, token: string): string[] {
  return rows<{ id: number; status: string }>(
    "SELECT id, status FROM requests WHERE payToken = ? AND status <> 'COMPLETE'",
    token,
  ).map(({ id, status }) => `the customer of request ${id}, which is ${status}, is thanked for the payment`);
}

function differs(what: string, is: Price, should: Price): string[] {
  if (isSamePrice(is, should)) return [];
  return [`${what} is over ${is.amount} ${is.currency}, and ${should.amount} ${should.currency} was agreed`];
}
