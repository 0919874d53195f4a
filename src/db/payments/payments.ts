/** Payment sessions: one row per session of the payment provider. */
import { sql } from 'kysely';
import { all, changed, first, required, run, sqlite } from '../db.js';
import type { PaymentRow } from '../schema.js';
import { anyOf } from '../sql.js';
import { newRow, rowsBy, setById } from '../table.js';

export type NewPayment = Omit<PaymentRow, 'id' | 'paidAt' | 'pendingSince' | 'givenUpAt'>;

/** Stores a session; false when it is already there, from an earlier attempt. */
export const insertPayment = changed(
  newRow(
    'payments',
    [
      'contractId',
      'generation',
      'paymentId',
      'paymentUrl',
      'status',
      'amount',
      'currency',
      'createdAt',
      'expiresAt',
    ],
    { end: sql`on conflict do nothing` },
  ),
);

const byPaymentId = rowsBy('payments', 'paymentId');
export const findPayment = first(byPaymentId);
export const requirePayment = required(byPaymentId);

/** Open sessions come first: those with money on its way, then the one that ends last. All have the same time to live. */
const inPrecedence = (p: { contractId: number }) =>
  sqlite
    .selectFrom('payments')
    .selectAll()
    .where('contractId', '=', p.contractId)
    .orderBy(sql`"status" = 'open'`, 'desc')
    .orderBy(sql`"status" = 'open' and "pendingSince" is not null`, 'desc')
    .orderBy(sql`iif("status" = 'open', "expiresAt", null)`, 'desc')
    .orderBy('generation', 'desc');
const current = (p: { contractId: number }) => inPrecedence(p).limit(1);
/** The session of a contract that counts. */
export const findCurrentPayment = first(current);
export const requireCurrentPayment = required(current);

/** A contract's sessions that may still be paid; more than one only where a restore or a lost answer has hidden one. */
export const listOpenPaymentsOf = all((p: { contractId: number }) =>
  inPrecedence(p).where('status', '=', 'open'),
);

/** Through which money may still come: open ones, and those given up whose money has been on its way only `since`. */
const payable = ({ since }: { since: string }) =>
  sql<boolean>`("payments"."status" = 'open' or "payments"."givenUpAt" is not null)
    and ("payments"."status" = 'open' or "payments"."pendingSince" >= ${since})`;

/** Of all the contracts that a request has had. */
export const listPayablePaymentsOf = all((p: { requestId: number; since: string }) =>
  sqlite
    .selectFrom('payments')
    .innerJoin('contracts', 'contracts.id', 'payments.contractId')
    .selectAll('payments')
    .where('contracts.requestId', '=', p.requestId)
    .where(payable(p))
    .orderBy('payments.id'),
);

export const findPaymentOfGeneration = first(rowsBy('payments', 'contractId', 'generation'));

/** Oldest first, with their requests. */
export const listPayablePayments = all((p: { afterId: number; since: string; limit: number }) =>
  sqlite
    .selectFrom('payments')
    .innerJoin('contracts', 'contracts.id', 'payments.contractId')
    .select(['payments.id', 'payments.paymentId', 'contracts.requestId'])
    .where(payable(p))
    .where('payments.id', '>', p.afterId)
    .orderBy('payments.id')
    .limit(p.limit),
);

/** `amount` and `currency`: once it is paid, what was paid. */
export const settlePayment = run(
  setById('payments', ['status', 'paidAt', 'givenUpAt', 'amount', 'currency']),
);

/** Records since when an open session's money is on its way; false when that is known or the session is settled. */
export const setPaymentPending = changed(
  setById('payments', ['pendingSince'], {
    end: sql`and "status" = 'open' and "pendingSince" is null`,
  }),
);

export const listPaymentsOfContracts = all((p: { contractIds: readonly number[] }) =>
  sqlite.selectFrom('payments').selectAll().where('contractId', 'in', anyOf(p.contractIds)).orderBy('id'),
);
