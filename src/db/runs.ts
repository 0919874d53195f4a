/** Runs of the daily expiry and of the bulk check: when, and with what result. */
import { query, sqlite, type Db } from './db.js';
import type { RunName, RunRow } from './schema.js';
import { rows } from './sql.js';

const insertion = query((p: { name: RunName; startedAt: string; finishedAt: string; result: string }) =>
  sqlite.insertInto('runs').values({
    name: p.name,
    startedAt: p.startedAt,
    finishedAt: p.finishedAt,
    result: p.result,
  }),
);

export function insertRun(
  db: Db,
  run: { name: RunName; startedAt: string; finishedAt: string; result: string },
): void {
  db.run(insertion, run);
}

const newest = query((p: { name: RunName }) =>
  sqlite.selectFrom('runs').selectAll().where('name', '=', p.name).orderBy('id', 'desc').limit(rows(1)),
);

export function findLastRun(db: Db, name: RunName): RunRow | undefined {
  return db.first(newest, { name });
}
