/** The counters of requests (request-counts.ts) beside the requests themselves, and counting anew when they differ. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import { UNITS } from './request-counts.js';

const counted = query(() =>
  sqlite
    .selectFrom('requestCounts')
    .select((eb) => ['unit', 'status', eb.fn.sum<number>('count').as('count')])
    .groupBy(['unit', 'status']),
);

const present = query(() =>
  sqlite
    .selectFrom('requests')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status'),
);

/** Counts everything: for care and diagnosis, not for every day's calls. */
export function areRequestCountsRight(db: Db): boolean {
  const real = new Map<string, number>(db.all(present, {}).map(({ status, count }) => [status, count]));
  const told = db.all(counted, {});
  return (
    told.length === UNITS.length * real.size && told.every(({ status, count }) => real.get(status) === count)
  );
}

const emptying = query(() => sqlite.deleteFrom('requestCounts'));

const counting = query((p: { unit: number }) =>
  sqlite
    .insertInto('requestCounts')
    .columns(['unit', 'period', 'status', 'count'])
    .expression((eb) =>
      eb
        .selectFrom('requests')
        .select((column) => [
          sql<number>`${p.unit}`.as('unit'),
          sql<string>`substr("createdAt", 1, ${p.unit})`.as('period'),
          'status',
          column.fn.countAll<number>().as('count'),
        ])
        .groupBy(['period', 'status']),
    ),
);

/** Counts anew; to be run in a transaction. */
export function recountRequests(db: Db): void {
  db.run(emptying, {});
  for (const unit of UNITS) db.run(counting, { unit });
}
