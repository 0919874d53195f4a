/** Users' calls of the last hour, stored so that a restart does not reset the counts. */
import { all, run, sqlite } from '../db.js';
import { putRow } from '../table.js';

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
export const putUserCalls = run(putRow('userCalls', ['userId', 'firstAt'], ['lastAt', 'count']));

export const deleteUserCallsUntil = run((p: { until: string }) =>
  sqlite.deleteFrom('userCalls').where('lastAt', '<=', p.until),
);
