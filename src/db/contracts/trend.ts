/** How many contracts were made, signed and paid in a span of time, and how long customers took. */
import { sql } from 'kysely';
import { all, raw, required, sqlite } from '../db.js';

interface Span {
  from: string;
  until: string;
}

export const countMade = countOf('contracts', 'createdAt');
export const countSigned = countOf('contracts', 'signedAt');
export const countPaid = countOf('payments', 'paidAt');

function countOf(table: 'contracts' | 'payments', time: string) {
  return required((p: Span) =>
    raw(sql<{ count: number }>`select count(*) as "count" from ${sql.table(table)}
      where ${sql.ref(time)} >= ${p.from} and ${sql.ref(time)} < ${p.until}`),
  );
}

/** From the contract to the signature, the newest first. */
export const listSigningTimes = all((p: { from: string; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .select(['createdAt as begin', 'signedAt as end'])
    .where('signedAt', '>=', p.from)
    .orderBy('signedAt', 'desc')
    .limit(p.limit),
);

/** From the signature to the payment, the newest first. */
export const listPayingTimes = all((p: { from: string; limit: number }) =>
  sqlite
    .selectFrom('payments')
    .innerJoin('contracts', 'contracts.id', 'payments.contractId')
    .select(['contracts.signedAt as begin', 'payments.paidAt as end'])
    .where('payments.paidAt', '>=', p.from)
    .orderBy('payments.paidAt', 'desc')
    .limit(p.limit),
);
