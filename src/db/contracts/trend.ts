/** How many contracts were made, signed and paid in a span of time, and how long customers took. */
import { all, required, sqlite } from '../db.js';

interface Span {
  from: string;
  until: string;
}

export const countMade = required((p: Span) =>
  sqlite
    .selectFrom('contracts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('createdAt', '>=', p.from)
    .where('createdAt', '<', p.until),
);

export const countSigned = required((p: Span) =>
  sqlite
    .selectFrom('contracts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('signedAt', '>=', p.from)
    .where('signedAt', '<', p.until),
);

export const countPaid = required((p: Span) =>
  sqlite
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('paidAt', '>=', p.from)
    .where('paidAt', '<', p.until),
);

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
