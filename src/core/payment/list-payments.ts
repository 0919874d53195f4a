/** The list of payments, each beside its request and customer. */
import { listContractsByIds } from '../../db/contracts/lists.js';
import type { Db } from '../../db/db.js';
import { listPayments, sumPayments, walkPayments } from '../../db/payments/payments.js';
import type { PaymentRow } from '../../db/schema.js';
import { customerNames } from '../requests/requests.js';
import type { PaymentReads } from '../resources/payments.js';

export interface PaymentView extends PaymentRow {
  requestId: number;
  customer: string;
}

export const page: PaymentReads['page'] = ({ db }, { filter, order: { direction }, limit, offset }) => {
  const { total, rows } = listPayments(db, { filter, direction, limit, offset });
  return { total, rows: paymentViews(db, rows) };
};

export const walk: PaymentReads['walk'] = ({ db }, { filter, order: { direction }, past, limit }) =>
  paymentViews(db, walkPayments(db, { filter, direction, past, limit }));

export const sums: PaymentReads['sums'] = ({ db }, { filter }) => sumPayments(db, filter);

function paymentViews(db: Db, rows: readonly PaymentRow[]): PaymentView[] {
  const contracts = listContractsByIds(db, { ids: [...new Set(rows.map(({ contractId }) => contractId))] });
  const requests = new Map(contracts.map(({ id, requestId }) => [id, requestId]));
  const own = rows.map((row) => ({ ...row, requestId: requests.get(row.contractId) ?? 0 }));
  const names = customerNames(db, own);
  return own.map((row) => ({ ...row, customer: names(row) }));
}
