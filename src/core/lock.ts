/** Work that talks to a provider about one request runs once at a time, whichever processes are at it. */
import { randomUUID } from 'node:crypto';
import type { Db } from '../db/db.js';
import { deleteLock, findLock, putLock, type Lock } from '../db/locks.js';
import { addMs, iso } from './clock.js';
import type { Context } from './context.js';
import { AppError, describeError } from './errors.js';
import { isProcessAlive } from './process.js';

/** Longer than all calls of one signature start may take together. */
const LOCK_MS = 5 * 60_000;

/** The locks of this process that are really held: after a restart another process may have got the same id. */
const HELD_HERE = new Set<string>();

/** Runs `work` under the lock `name`; refuses with `in_progress` while another call holds it. A dead holder holds nothing. */
export async function withLock<T>(ctx: Context, name: string, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  // Before it is on disk: two calls may share a commit.
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

/** Throws `in_progress` while some call works under that lock. */
export function mustNotBeLocked(ctx: Context, db: Db, name: string): void {
  if (!isLocked(ctx, db, name)) return;
  throw new AppError('busy', 'in_progress', 'This is being worked on right now.', {
    hint: 'Wait a moment and try again.',
  });
}

/** True while some call, of whichever process, works under that lock. */
export function isLocked(ctx: Context, db: Db, name: string): boolean {
  const held = findLock(db, name);
  return held !== undefined && held.until > iso(ctx.clock.now()) && isHolderAlive(held);
}

/** The lock for work at the provider on one request. */
export function requestLock(requestId: number): string {
  return `request:${requestId}`;
}

function isHolderAlive({ pid, token }: Lock): boolean {
  return pid === process.pid ? HELD_HERE.has(token) : isProcessAlive(pid);
}

/** What the work has done stands, even when its lock cannot be taken away: nobody holds it any more. */
async function release(ctx: Context, name: string, token: string): Promise<void> {
  try {
    await ctx.writer.write((db) => deleteLock(db, name, token));
  } catch (error) {
    ctx.log.warn({ lock: name, error: describeError(error) }, 'a lock could not be released');
  }
}
