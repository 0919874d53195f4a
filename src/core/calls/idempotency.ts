/**
 * A creation requested twice under one key happens once (rules 6). Its answer is stored in the same transaction, so a
 * crash leaves both or neither, and is repeated for 24 hours. A refused creation leaves no trace; its key may be used
 * again.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/db.js';
import {
  findIdempotencyKey,
  insertIdempotencyKey,
  type KeyName,
} from '../../db/installation/idempotency-keys.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { AppError, refused } from '../errors.js';

const KEPT_DAYS = 1;
/** How long a call waits for an earlier one with the same key. */
const WAIT_MS = 2_000;

/** Runs in the creation's transaction with what was created. */
export type Keep<T> = (db: Db, made: T) => void;

export interface KeyedCall extends KeyName {
  /** A JSON value; of a file, its digest. One key never means two bodies. */
  body: unknown;
}

export interface Creation<T> {
  make: (keep: Keep<T>) => Promise<T>;
  answerOf: (made: T) => string;
}

/** Calls in progress, by key. One process serves a data directory, so these are all. */
const UNDER_WAY = new Map<string, Promise<unknown>>();

/**
 * Returns the answer and whether it is a replay. Throws `idempotency_key_reused`, `in_progress`, and what `make`
 * throws.
 */
export async function createOnce<T>(
  ctx: Context,
  call: KeyedCall,
  { make, answerOf }: Creation<T>,
): Promise<{ answer: string; isReplayed: boolean }> {
  const named = { userId: call.userId, operation: call.operation, key: call.key };
  const fingerprint = fingerprintOf(ctx, call.body);
  const name = JSON.stringify([ctx.config.dataDir, ...Object.values(named)]);
  const until = performance.now() + WAIT_MS;
  for (let first = UNDER_WAY.get(name); first; first = UNDER_WAY.get(name)) await ended(first, until);
  const earlier = findIdempotencyKey(ctx.db, { ...named, now: iso(ctx.clock.now()) });
  if (earlier) return { answer: sameAnswer(earlier, fingerprint), isReplayed: true };
  const creation = make((db, made) => {
    const now = ctx.clock.now();
    const row = { ...named, fingerprint, answer: answerOf(made), expiresAt: iso(addDays(now, KEPT_DAYS)) };
    if (!insertIdempotencyKey(db, row, iso(now))) throw inProgress();
  });
  // No await since none was under way: of two calls at once, one sees the other here.
  UNDER_WAY.set(name, creation);
  try {
    return { answer: answerOf(await creation), isReplayed: false };
  } finally {
    UNDER_WAY.delete(name);
  }
}

/** Resolves when the first call has ended, however; throws `in_progress` when it has not by then. */
async function ended(first: Promise<unknown>, until: number): Promise<void> {
  const over = pause(Math.max(0, until - performance.now()), true, { ref: false });
  if (await Promise.race([over, first.then(none, none)])) throw inProgress();
}

const none = () => false;

function sameAnswer({ fingerprint, answer }: { fingerprint: string; answer: string }, ours: string): string {
  if (fingerprint === ours) return answer;
  throw refused('idempotency_key_reused', 'This Idempotency-Key was used with another body.');
}

function inProgress(): AppError {
  return new AppError('busy', 'in_progress', 'The first call with this Idempotency-Key is still under way.');
}

/** Keyed, because a body may hold a password, and a plain digest would allow cheap guessing. */
function fingerprintOf(ctx: Context, body: unknown): string {
  return createHmac('sha256', ctx.jwtSecret()).update(JSON.stringify(body, inOrder)).digest('hex');
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = new Map(Object.entries(value));
  return Object.fromEntries([...members.keys()].sort().map((name) => [name, members.get(name)]));
}
