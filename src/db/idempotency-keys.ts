/** Answers to creations that carried an Idempotency-Key. */
import { query, sqlite, type Db } from './db.js';
import type { IdempotencyKeyRow } from './schema.js';

export type KeyName = Pick<IdempotencyKeyRow, 'userId' | 'operation' | 'key'>;

const byName = query((p: KeyName & { now: string }) =>
  sqlite
    .selectFrom('idempotencyKeys')
    .selectAll()
    .where('userId', '=', p.userId)
    .where('operation', '=', p.operation)
    .where('key', '=', p.key)
    .where('expiresAt', '>', p.now),
);

/** Undefined also for one whose time is over at `now`. */
export function findIdempotencyKey(db: Db, name: KeyName, now: string): IdempotencyKeyRow | undefined {
  return db.first(byName, { ...name, now });
}

const over = query((p: { now: string }) =>
  sqlite.deleteFrom('idempotencyKeys').where('expiresAt', '<=', p.now),
);

const insertion = query((p: IdempotencyKeyRow) =>
  sqlite
    .insertInto('idempotencyKeys')
    .values({
      userId: p.userId,
      operation: p.operation,
      key: p.key,
      fingerprint: p.fingerprint,
      answer: p.answer,
      expiresAt: p.expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Stores an answer and removes those whose time is over; false: the key has an answer already. */
export function insertIdempotencyKey(db: Db, row: IdempotencyKeyRow, now: string): boolean {
  db.run(over, { now });
  return db.run(insertion, row) === 1;
}
