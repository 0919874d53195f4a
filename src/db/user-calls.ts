/** How often users called the API within the last hour; kept so that a restart does not start their count anew. */
import { query, sqlite, type Db } from './db.js';
import type { UserCallsRow } from './schema.js';

const between = query((p: { after: string; until: string }) =>
  sqlite
    .selectFrom('userCalls')
    .selectAll()
    .where('lastAt', '>', p.after)
    .where('lastAt', '<=', p.until)
    .orderBy('lastAt'),
);

/** The oldest first. */
export function listUserCalls(db: Db, span: { after: string; until: string }): UserCallsRow[] {
  return db.all(between, span);
}

const putting = query((p: UserCallsRow) =>
  sqlite
    .insertInto('userCalls')
    .values({ userId: p.userId, firstAt: p.firstAt, lastAt: p.lastAt, count: p.count })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'firstAt']).doUpdateSet({ lastAt: p.lastAt, count: p.count }),
    ),
);

/** Writes an entry, over what was stored of it before. */
export function putUserCalls(db: Db, calls: UserCallsRow): void {
  db.run(putting, calls);
}

const over = query((p: { until: string }) => sqlite.deleteFrom('userCalls').where('lastAt', '<=', p.until));

export function deleteUserCallsUntil(db: Db, time: string): void {
  db.run(over, { until: time });
}
