/** Only one piece of work at a time talks to a provider about a request, across all processes. */
import { randomUUID } from 'node:crypto';
import type { Db } from '../db/db.js';
import { deleteLock, findLock, putLock, type Lock } from '../db/installation/locks.js';
import { addMs, iso } from './clock.js';
import type { Context } from './context.js';
import { AppError, describeError } from './errors.js';
import { isProcessAlive } from './installation/process.js';

/** Longer than all calls of one signature start may take together. */
const LOCK_MS = 5 * 60_000;

/** The locks that this process really holds; after a restart another process may have its id. */
const HELD_HERE = new Set<string>();

/** Runs `work` under the lock `name`. Refuses with `in_progress` while a living process holds it. */
export async function withLock<T>(ctx: Context, name: string, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  // Set before the commit, which two calls may share.
  HELD_HERE.add(token);
  try {
    await take(ctx, name, token);
    try {
      return await work();
    } finally {
      await release(ctx, name, token);
    }
  } finally {
    HELD_HERE.delete(token);
  }
}

function take(ctx: Context, name: string, token: string): Promise<void> {
  return ctx.writer.write((db) => {
    mustNotBeLocked(ctx, db, name);
    putLock(db, { name, token, pid: process.pid, until: iso(addMs(ctx.clock.now(), LOCK_MS)) });
  });
}

/** Throws `in_progress` while the lock is held. */
export function mustNotBeLocked(ctx: Context, db: Db, name: string): void {
  if (!isLocked(ctx, db, name)) return;
  throw busyWith('Someone is working on this right now.');
}

export function busyWith(message: string): AppError {
  return new AppError('busy', 'in_progress', message, { hint: 'Wait a moment and try again.' });
}

/** True while any process holds the lock. */
export function isLocked(ctx: Context, db: Db, name: string): boolean {
  const held = findLock(db, { name });
  return held !== undefined && held.until > iso(ctx.clock.now()) && isHolderAlive(held);
}

/** The lock for work at the provider on one request. */
export function requestLock(requestId: number): string {
  return `request:${requestId}`;
}

function isHolderAlive({ pid, token }: Lock): boolean {
  return pid === process.pid ? HELD_HERE.has(token) : isProcessAlive(pid);
}

/** The work is done even if its lock cannot be removed; it counts as not held. */
async function release(ctx: Context, name: string, token: string): Promise<void> {
  try {
    await ctx.writer.write((db) => deleteLock(db, { name, token }));
  } catch (error) {
    ctx.log.warn({ lock: name, error: describeError(error) }, 'a lock could not be released');
  }
}
