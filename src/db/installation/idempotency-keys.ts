/** Answers to creations that carried an Idempotency-Key. */
import { sql } from 'kysely';
import { changed, first, run, sqlite, type Db } from '../db.js';
import type { IdempotencyKeyRow } from '../schema.js';
import { newRow } from '../table.js';

export type KeyName = Pick<IdempotencyKeyRow, 'userId' | 'operation' | 'key'>;

/** Undefined also for an expired one. */
export const findIdempotencyKey = first((p: KeyName & { now: string }) =>
  sqlite
    .selectFrom('idempotencyKeys')
    .selectAll()
    .where('userId', '=', p.userId)
    .where('operation', '=', p.operation)
    .where('key', '=', p.key)
    .where('expiresAt', '>', p.now),
);

const deleteOver = run((p: { now: string }) =>
  sqlite.deleteFrom('idempotencyKeys').where('expiresAt', '<=', p.now),
);

const insertRow = changed(
  newRow('idempotencyKeys', ['userId', 'operation', 'key', 'fingerprint', 'answer', 'expiresAt'], {
    end: sql`on conflict do nothing`,
  }),
);

/** Stores an answer and removes expired ones; false when the key already has an answer. */
export function insertIdempotencyKey(db: Db, row: IdempotencyKeyRow, now: string): boolean {
  deleteOver(db, { now });
  return insertRow(db, row);
}
