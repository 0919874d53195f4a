/**
 * Paid under the name of a contract of ours, but with another amount or currency: never applied, always told. Until a
 * person has looked at it, the customer is not asked to pay as well.
 */
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history.js';
import type { ContractRow, HistoryRow } from '../../db/schema.js';
import { record } from '../history.js';
import { enqueue } from '../jobs/queue.js';
import type { SessionFacts } from './our-session.js';
import type { Settling } from './settle-session.js';

export interface OtherPrice {
  paymentId: string;
  amount: number | null;
  currency: string | null;
  /** Of the contract when it was told. */
  generation: number;
}

/** Once for each session. */
export function tellOtherPrice(
  db: Db,
  contract: ContractRow,
  { id: paymentId, amount_total: amount = null, currency = null }: SessionFacts & { id: string },
  { actor, now }: Settling,
): void {
  if (isOtherPriceTold(db, contract, paymentId)) return;
  const { id: contractId, requestId, paymentGeneration: generation } = contract;
  const detail: OtherPrice = { paymentId, amount, currency, generation };
  record(db, {
    at: now,
    actor,
    what: 'payment.other_price',
    requestId,
    contractId,
    detail: { ...detail },
  });
  enqueue(db, {
    kind: 'send-mail',
    payload: {
      mail: 'payment-trouble',
      contractId,
      trouble: 'other_price',
      paymentId,
      detail: null,
      paid: { amount, currency },
    },
    uniqueKey: `mail:other_price:${paymentId}`,
    now,
    requestId,
    contractId,
  });
}

export function isOtherPriceTold(db: Db, contract: ContractRow, paymentId: string): boolean {
  return otherPrices(listHistory(db, contract.requestId), contract).some(
    (told) => told.paymentId === paymentId,
  );
}

/** The one that waits for a person's decision; a link that is ordered anew is one. */
export function openOtherPrice(
  history: readonly Pick<HistoryRow, 'what' | 'contractId' | 'detail'>[],
  contract: ContractRow,
): OtherPrice | undefined {
  return otherPrices(history, contract).find(({ generation }) => generation >= contract.paymentGeneration);
}

function otherPrices(
  history: readonly Pick<HistoryRow, 'what' | 'contractId' | 'detail'>[],
  { id }: ContractRow,
): OtherPrice[] {
  return history
    .filter(({ what, contractId }) => what === 'payment.other_price' && contractId === id)
    .map(({ detail }) => JSON.parse(detail) as OtherPrice);
}
