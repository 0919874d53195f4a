/** The rows behind the figures of a report, and what they add up to (rules 15). */
import { sql, type RawBuilder } from 'kysely';
import { raw, type Db } from '../db.js';

/** What is counted of a span of time. */
export const FIGURES = ['sent', 'signed', 'paid', 'open', 'overdue'] as const;
export type Figure = (typeof FIGURES)[number];

export interface ReportSpan {
  from: string;
  until: string;
  /** A request that waits for its payment since then or before is overdue. */
  overdueSince: string;
}

export interface ReportedRow {
  requestId: number;
  contractId: number;
  at: string;
  amount: number;
  currency: string;
}

export interface ReportedSum {
  currency: string;
  count: number;
  amount: number;
}

/** In the words of the index. */
const SENT_AT = sql`coalesce(c."activationAskedAt", c."createdAt")`;

const within = (time: RawBuilder<unknown>, { from, until }: ReportSpan) =>
  sql`${time} >= ${from} and ${time} < ${until}`;

/** Signed in that time and still to be paid. `cross` keeps this order: much more may wait for its payment than was signed in that time. */
const OPEN = sql`"contracts" c cross join "requests" r on r."id" = c."requestId" and r."status" = 'WAITING_PAYMENT'`;
const open = (span: ReportSpan) =>
  sql`${within(sql`c."signedAt"`, span)} and c."id" = (select max(k."id") from "contracts" k where k."requestId" = r."id")`;

/** Money is on its way, or waits for a decision: nobody is late. */
const PAID_PERHAPS = sql`exists (select 1 from "contracts" k join "payments" p on p."contractId" = k."id"
  where k."requestId" = r."id" and (p."state" = 'case' or p."state" = 'pending' and k."id" = c."id"))`;

const OF: Readonly<
  Record<Figure, (span: ReportSpan) => Record<'at' | 'from' | 'where', RawBuilder<unknown>>>
> = {
  sent: (span) => ({
    at: SENT_AT,
    from: sql`"contracts" c`,
    where: sql`c."sending" = 'sent' and ${within(SENT_AT, span)}`,
  }),
  signed: (span) => ({
    at: sql`c."signedAt"`,
    from: sql`"contracts" c`,
    where: within(sql`c."signedAt"`, span),
  }),
  paid: (span) => ({
    at: sql`r."statusSince"`,
    from: sql`"requests" r`,
    where: sql`r."status" = 'COMPLETE' and ${within(sql`r."statusSince"`, span)}`,
  }),
  open: (span) => ({ at: sql`c."signedAt"`, from: OPEN, where: open(span) }),
  overdue: (span) => ({
    at: sql`c."signedAt"`,
    from: OPEN,
    where: sql`${open(span)} and r."statusSince" <= ${span.overdueSince} and not ${PAID_PERHAPS}`,
  }),
};

/** What was paid, else the price of the contract: a payment in cash has no row. `beside`: where it stands; a count needs none of it. */
const money = (figure: Figure) =>
  figure === 'paid'
    ? {
        amount: sql`coalesce(q."amount", c."amount")`,
        currency: sql`coalesce(q."currency", c."currency")`,
        beside: sql`join "contracts" c on c."id" = (select max(k."id") from "contracts" k where k."requestId" = r."id")
          left join "payments" q on q."id" = (select max(p."id") from "contracts" k join "payments" p on p."contractId" = k."id"
          where k."requestId" = r."id" and p."state" = 'paid' and p."amount" is not null)`,
      }
    : { amount: sql`c."amount"`, currency: sql`c."currency"`, beside: sql`` };

/** In the order of their time. */
export function listReported(db: Db, figure: Figure, span: ReportSpan, limit: number): ReportedRow[] {
  const { at, from, where } = OF[figure](span);
  const { amount, currency, beside } = money(figure);
  return db.list(
    raw(sql<ReportedRow>`select c."requestId" as "requestId", c."id" as "contractId", ${at} as "at", ${amount} as "amount", ${currency} as "currency"
      from ${from} ${beside} where ${where} order by ${at}, c."id" limit ${limit}`),
  );
}

/** A row a currency. */
export function sumReported(db: Db, figure: Figure, span: ReportSpan): ReportedSum[] {
  const { from, where } = OF[figure](span);
  const { amount, currency, beside } = money(figure);
  return db.list(
    raw(
      sql<ReportedSum>`select ${currency} as "currency", count(*) as "count", sum(${amount}) as "amount"
        from ${from} ${beside} where ${where} group by 1 order by 1`,
    ),
  );
}

export function countReported(db: Db, figure: Figure, span: ReportSpan): number {
  const { from, where } = OF[figure](span);
  const [row] = db.list<{ count: number }>(
    raw(sql<{ count: number }>`select count(*) as "count" from ${from} where ${where}`),
  );
  return row?.count ?? 0;
}
