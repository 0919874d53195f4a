/**
 * Payments of our contract with another amount or currency: never applied, always reported. Until a person has
 * looked, the customer is not asked to pay again.
 */
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history/history.js';
import type { ContractRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { ofContract } from '../history/history.js';
import { mailJob } from '../mail/mail-job.js';
import type { SessionFacts } from './payment-event.js';

interface OtherPrice {
  paymentId: string;
  amount: number | null;
  currency: string | null;
}

/** Reports each session once. */
export function tellOtherPrice(
  tx: Change,
  contract: ContractRow,
  { id: paymentId, amount_total: amount = null, currency = null }: SessionFacts & { id: string },
): void {
  if (isOtherPriceTold(tx.db, contract, paymentId)) return;
  const about = ofContract(contract);
  const detail: OtherPrice = { paymentId, amount, currency };
  tx.record('payment.other_price', about, { ...detail });
  const order = { contractId: contract.id, paymentId, detail: null, paid: { amount, currency } };
  tx.enqueue(mailJob, { mail: 'payment-trouble', trouble: 'other_price', ...order }, about);
}

export function isOtherPriceTold(db: Db, { requestId }: ContractRow, paymentId: string): boolean {
  return listHistory(db, { requestId }).some(
    ({ what, detail }) =>
      what === 'payment.other_price' && (JSON.parse(detail) as OtherPrice).paymentId === paymentId,
  );
}
