/** Payment sessions: one row per session of the payment provider. */
import { sql } from 'kysely';
import { all, changed, first, required, run, sqlite } from '../db.js';
import type { PaymentRow, PaymentStatus } from '../schema.js';
import { anyOf, rows } from '../sql.js';

export type NewPayment = Omit<PaymentRow, 'id' | 'paidAt' | 'pendingSince'>;

/** Stores a session; false when it is already there, from an earlier attempt. */
export const insertPayment = changed((p: NewPayment) =>
  sqlite
    .insertInto('payments')
    .values({
      contractId: p.contractId,
      generation: p.generation,
      paymentId: p.paymentId,
      paymentUrl: p.paymentUrl,
      status: p.status,
      amount: p.amount,
      currency: p.currency,
      createdAt: p.createdAt,
      expiresAt: p.expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const byPaymentId = (p: { paymentId: string }) =>
  sqlite.selectFrom('payments').selectAll().where('paymentId', '=', p.paymentId);
export const findPayment = first(byPaymentId);
export const requirePayment = required(byPaymentId);

const newest = (p: { contractId: number }) =>
  sqlite
    .selectFrom('payments')
    .selectAll()
    .where('contractId', '=', p.contractId)
    .orderBy('generation', 'desc')
    .limit(rows(1));
/** The newest session of a contract. */
export const findCurrentPayment = first(newest);
export const requireCurrentPayment = required(newest);

/** Sessions that may still be paid, oldest first, with their requests. */
export const listOpenPayments = all((p: { afterId: number; limit: number }) =>
  sqlite
    .selectFrom('payments')
    .innerJoin('contracts', 'contracts.id', 'payments.contractId')
    .select(['payments.id', 'payments.paymentId', 'contracts.requestId'])
    // A literal, so that the planner can use the partial index over open sessions.
    .where('payments.status', '=', sql.lit<PaymentStatus>('open'))
    .where('payments.id', '>', p.afterId)
    .orderBy('payments.id')
    .limit(rows(p.limit)),
);

export const settlePayment = run((p: { id: number; status: PaymentStatus; paidAt: string | null }) =>
  sqlite.updateTable('payments').set({ status: p.status, paidAt: p.paidAt }).where('id', '=', p.id),
);

/** Records since when an open session's money is on its way; false when that is known or the session is settled. */
export const setPaymentPending = changed((p: { id: number; pendingSince: string }) =>
  sqlite
    .updateTable('payments')
    .set({ pendingSince: p.pendingSince })
    .where('id', '=', p.id)
    .where('status', '=', sql.lit<PaymentStatus>('open'))
    .where('pendingSince', 'is', null),
);

export const listPaymentsOfContracts = all((p: { contractIds: readonly number[] }) =>
  sqlite.selectFrom('payments').selectAll().where('contractId', 'in', anyOf(p.contractIds)).orderBy('id'),
);
