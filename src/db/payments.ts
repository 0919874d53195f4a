/** Payment sessions, one row for each that the payment provider has made. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { PaymentRow, PaymentStatus } from './schema.js';
import { rows } from './sql.js';

export interface NewPayment {
  contractId: number;
  generation: number;
  paymentId: string;
  paymentUrl: string | null;
  status: PaymentStatus;
  amount: number;
  currency: string;
  createdAt: string;
  expiresAt: string | null;
}

const insertion = query((p: NewPayment) =>
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

/** Stores a session. False: it is already there (the answer to an earlier try). */
export function insertPayment(db: Db, payment: NewPayment): boolean {
  return db.run(insertion, payment) === 1;
}

const byPaymentId = query((p: { paymentId: string }) =>
  sqlite.selectFrom('payments').selectAll().where('paymentId', '=', p.paymentId),
);

export function findPayment(db: Db, paymentId: string): PaymentRow | undefined {
  return db.first(byPaymentId, { paymentId });
}

const newest = query((p: { contractId: number }) =>
  sqlite
    .selectFrom('payments')
    .selectAll()
    .where('contractId', '=', p.contractId)
    .orderBy('generation', 'desc')
    .limit(rows(1)),
);

/** The newest session of a contract. */
export function findCurrentPayment(db: Db, contractId: number): PaymentRow | undefined {
  return db.first(newest, { contractId });
}

const open = query((p: { afterId: number; limit: number }) =>
  sqlite
    .selectFrom('payments')
    .innerJoin('contracts', 'contracts.id', 'payments.contractId')
    .select(['payments.id', 'payments.paymentId', 'contracts.requestId'])
    // Spelled out, so that the planner may use the index over open sessions.
    .where('payments.status', '=', sql.lit<PaymentStatus>('open'))
    .where('payments.id', '>', p.afterId)
    .orderBy('payments.id')
    .limit(rows(p.limit)),
);

/** Sessions that may still be paid as far as we know, oldest first, with their requests. */
export function listOpenPayments(
  db: Db,
  page: { afterId: number; limit: number },
): { id: number; paymentId: string; requestId: number }[] {
  return db.all(open, page);
}

const settlement = query((p: { id: number; status: PaymentStatus; paidAt: string | null }) =>
  sqlite.updateTable('payments').set({ status: p.status, paidAt: p.paidAt }).where('id', '=', p.id),
);

export function settlePayment(
  db: Db,
  settled: { id: number; status: PaymentStatus; paidAt: string | null },
): void {
  db.run(settlement, settled);
}

const pending = query((p: { id: number; pendingSince: string }) =>
  sqlite
    .updateTable('payments')
    .set({ pendingSince: p.pendingSince })
    .where('id', '=', p.id)
    .where('status', '=', sql.lit<PaymentStatus>('open'))
    .where('pendingSince', 'is', null),
);

/** Remembers since when the money of an open session is on its way; false: that is known, or the session is settled. */
export function setPaymentPending(db: Db, pendingPayment: { id: number; pendingSince: string }): boolean {
  return db.run(pending, pendingPayment) === 1;
}
