/** Payment sessions: one row per session of the payment provider. */
import { sql } from 'kysely';
import { all, first, required, run, sqlite, type Db } from '../db.js';
import { listOf, sumsOf, within } from '../page.js';
import type { PaymentRow, PaymentState } from '../schema.js';
import { anyOf, type TimeRange } from '../sql.js';
import { putRow, rowsBy } from '../table.js';

/** Stores a session, or what has become of a known one. */
export const putPayment = run(
  putRow(
    'payments',
    ['paymentId'],
    [
      'contractId',
      'paymentUrl',
      'state',
      'amount',
      'currency',
      'createdAt',
      'expiresAt',
      'pendingSince',
      'refusedAt',
      'paidAt',
    ],
  ),
);

const byPaymentId = rowsBy('payments', 'paymentId');
export const findPayment = first(byPaymentId);
export const requirePayment = required(byPaymentId);

/** Of all the contracts that a request has had, in the order in which they were made. */
export const listPaymentsOf = all((p: { requestId: number }) =>
  sqlite
    .selectFrom('contracts')
    .innerJoin('payments', 'payments.contractId', 'contracts.id')
    .selectAll('payments')
    .where('contracts.requestId', '=', p.requestId)
    .orderBy('payments.createdAt')
    .orderBy('payments.id'),
);

/** Those through which money may still come, the oldest first; of those given up only the ones whose money is on its way since `since`. */
export const listPayablePayments = all((p: { after: number; since: string; limit: number }) =>
  sqlite
    .selectFrom('payments')
    .innerJoin('contracts', 'contracts.id', 'payments.contractId')
    .select(['payments.id', 'payments.paymentId', 'contracts.requestId'])
    .where(sql<boolean>`"payments"."state" in ('open', 'pending', 'given_up')`)
    .where(sql<boolean>`("payments"."state" <> 'given_up' or "payments"."pendingSince" >= ${p.since})`)
    .where('payments.id', '>', p.after)
    .orderBy('payments.id')
    .limit(p.limit),
);

/** Requests whose money has been on its way since `since` or before, or is no longer waited for while it still has to be paid. */
export const listInDoubt = all((p: { since: string; limit: number }) =>
  sqlite
    .selectFrom('payments')
    .innerJoin('contracts', 'contracts.id', 'payments.contractId')
    .innerJoin('requests', 'requests.id', 'contracts.requestId')
    .select('requests.id')
    .where(sql<boolean>`"payments"."state" in ('pending', 'given_up') and "payments"."pendingSince" >= ''`)
    .where(
      sql<boolean>`("payments"."pendingSince" <= ${p.since} or "payments"."state" = 'given_up') and
        ("payments"."state" = 'pending' or "requests"."status" = 'WAITING_PAYMENT')`,
    )
    .orderBy('payments.pendingSince')
    .limit(p.limit),
);

export type PayablePayment = ReturnType<typeof listPayablePayments>[number];

export const listPaymentsOfContracts = all((p: { contractIds: readonly number[] }) =>
  sqlite.selectFrom('payments').selectAll().where('contractId', 'in', anyOf(p.contractIds)).orderBy('id'),
);

export type NewPayment = Omit<PaymentRow, 'id'>;

/** Null means "any"; an empty list means "none". */
export interface PaymentFilter {
  state: readonly PaymentState[] | null;
  request: readonly number[] | null;
  createdAt: TimeRange;
}

export const { page: listPayments, walk: walkPayments } = listOf({
  rows: (filter: PaymentFilter) => matching(filter).selectAll(),
  orders: { createdAt: 'createdAt' },
});

export function sumPayments(db: Db, filter: PaymentFilter) {
  return db.list(sumsOf(matching(filter)));
}

function matching({ state, request, createdAt }: PaymentFilter) {
  let some = sqlite.selectFrom('payments');
  if (state) some = some.where(sql<boolean>`+"state" in ${anyOf(state)}`);
  if (request)
    some = some.where('contractId', 'in', (own) =>
      own.selectFrom('contracts').select('id').where('requestId', 'in', anyOf(request)),
    );
  return within(some, 'createdAt', createdAt);
}
