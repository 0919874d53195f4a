/** Users' calls of the last hour, stored so that a restart does not reset the counts. */
import { all, run, sqlite } from '../db.js';
import type { UserCallRow } from '../schema.js';

/** The oldest first. */
export const listUserCalls = all((p: { after: string; until: string }) =>
  sqlite
    .selectFrom('userCalls')
    .selectAll()
    .where('lastAt', '>', p.after)
    .where('lastAt', '<=', p.until)
    .orderBy('lastAt'),
);

/** Inserts or replaces an entry. */
export const putUserCalls = run(({ userId, firstAt, lastAt, count }: UserCallRow) =>
  sqlite
    .insertInto('userCalls')
    .values({ userId, firstAt, lastAt, count })
    .onConflict((conflict) => conflict.columns(['userId', 'firstAt']).doUpdateSet({ lastAt, count })),
);

export const deleteUserCallsUntil = run((p: { until: string }) =>
  sqlite.deleteFrom('userCalls').where('lastAt', '<=', p.until),
);
