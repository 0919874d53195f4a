/** The list of payments, each beside its request and customer. */
import { listContractsByIds } from '../../db/contracts/lists.js';
import type { Db } from '../../db/db.js';
import { listPayments, sumPayments, walkPayments } from '../../db/payments/payments.js';
import type { PaymentRow } from '../../db/schema.js';
import { customerNames } from '../requests/requests.js';
import { readsOf } from '../resources/resource.js';

export interface PaymentView extends PaymentRow {
  requestId: number;
  customer: string;
}

export const { page, walk } = readsOf(listPayments, walkPayments, paymentViews, sumPayments);

function paymentViews(db: Db, rows: readonly PaymentRow[]): PaymentView[] {
  const contracts = listContractsByIds(db, { ids: [...new Set(rows.map(({ contractId }) => contractId))] });
  const requests = new Map(contracts.map(({ id, requestId }) => [id, requestId]));
  const own = rows.map((row) => ({ ...row, requestId: requests.get(row.contractId) ?? 0 }));
  const names = customerNames(db, own);
  return own.map((row) => ({ ...row, customer: names(row) }));
}
