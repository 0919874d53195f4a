/**
 * Only one piece of work at a time talks to a provider about a request, across all processes. A lock can be lost, to a clock that
 * was changed or a holder that cannot be seen from here; so what its holder writes is fenced: it stores nothing after the loss.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from '../db/db.js';
import { deleteLock, findLock, listLocks, putLock } from '../db/installation/installation.js';
import type { LockRow } from '../db/schema.js';
import { fenced } from '../db/writer.js';
import { addMs, iso, MINUTE_MS } from './clock.js';
import type { Context } from './context.js';
import { AppError, describeError } from './errors.js';
import { hasEnded } from './installation/process.js';

/** Longer than all calls of one signature start may take together. */
const LOCK_MS = 5 * MINUTE_MS;

/** The locks that the process of this connection really holds; one whose end could not be stored is not among them. */
const HELD_HERE = new WeakMap<Db, Set<string>>();

function heldHere(db: Db): Set<string> {
  const held = HELD_HERE.get(db) ?? new Set();
  HELD_HERE.set(db, held);
  return held;
}

/**
 * Runs `work` under the lock `name`. Refuses with `in_progress` while a living process holds it. `work` gets a context whose every write
 * first proves, in its own transaction, that the lock is still held, and throws `in_progress` if it is not.
 */
export async function withLock<T>(
  ctx: Context,
  name: string,
  work: (held: Context) => Promise<T>,
): Promise<T> {
  const token = randomUUID();
  // Set before the commit, which two calls may share.
  heldHere(ctx.db).add(token);
  try {
    await take(ctx, name, token);
    try {
      const writer = fenced(ctx.writer, (db) => mustHold(db, name, token));
      return await work(Object.create(ctx, { writer: { value: writer, enumerable: true } }));
    } finally {
      await release(ctx, name, token);
    }
  } finally {
    heldHere(ctx.db).delete(token);
  }
}

function take(ctx: Context, name: string, token: string): Promise<void> {
  return ctx.writer.write((db) => {
    mustNotBeLocked(ctx, db, name);
    putLock(db, { name, token, holder: ctx.holder, until: iso(addMs(ctx.clock.now(), LOCK_MS)) });
  });
}

/** The document or session that a late holder left at the provider is found there by its name. */
function mustHold(db: Db, name: string, token: string): void {
  if (findLock(db, { name })?.token !== token) throw busyWith('Somebody else has taken over this work.');
}

/** Throws `in_progress` while the lock is held. */
export function mustNotBeLocked(ctx: Context, db: Db, name: string): void {
  if (!isLocked(ctx, db, name)) return;
  throw busyWith('Someone is working on this right now.');
}

export function busyWith(message: string): AppError {
  return new AppError('busy', 'in_progress', message, { hint: 'Wait a moment and try again.' });
}

export function isLocked(ctx: Context, db: Db, name: string): boolean {
  return lockedAmong(ctx, db, [name]).has(name);
}

/** Those of these locks that are held. */
export function lockedAmong(ctx: Context, db: Db, names: readonly string[]): Set<string> {
  const held = listLocks(db, { names }).filter(
    (lock) => isHeldHere(ctx, lock) || (isWithinLease(ctx, lock) && isHolderAlive(ctx, lock)),
  );
  return new Set(held.map(({ name }) => name));
}

export function requestLock(requestId: number): string {
  return `request:${requestId}`;
}

/** By this process, while it works: whatever the clock says. */
function isHeldHere(ctx: Context, { token }: LockRow): boolean {
  return heldHere(ctx.db).has(token);
}

/** Not by a clock that was ahead when it was taken, either. */
function isWithinLease(ctx: Context, { until }: LockRow): boolean {
  const now = ctx.clock.now();
  return until > iso(now) && until <= iso(addMs(now, LOCK_MS));
}

function isHolderAlive(ctx: Context, { holder }: LockRow): boolean {
  return holder !== ctx.holder && !hasEnded(holder, ctx.holder);
}

/** The work is done even if its lock cannot be removed; it counts as not held. */
async function release(ctx: Context, name: string, token: string): Promise<void> {
  try {
    await ctx.writer.write((db) => deleteLock(db, { name, token }));
  } catch (error) {
    ctx.log.warn({ lock: name, error: describeError(error) }, 'a lock could not be released');
  }
}
