/** Work that talks to a provider about one request runs once at a time, whichever processes are at it. */
import { randomUUID } from 'node:crypto';
import { deleteLock, findLock, putLock } from '../db/locks.js';
import { addMs, iso } from './clock.js';
import type { Context } from './context.js';
import { AppError } from './errors.js';
import { isProcessAlive } from './process.js';

/** Longer than all calls of one signature start may take together. */
const LOCK_MS = 5 * 60_000;

/** Runs `work` under the lock `name`; refuses with `in_progress` while another call holds it. A dead holder holds nothing. */
export async function withLock<T>(ctx: Context, name: string, work: () => Promise<T>): Promise<T> {
  const token = randomUUID();
  await ctx.writer.write((db) => {
    const now = ctx.clock.now();
    const held = findLock(db, name);
    if (held && held.until > iso(now) && isProcessAlive(held.pid)) {
      throw new AppError('busy', 'in_progress', 'This is being worked on right now.', {
        hint: 'Wait a moment and try again.',
      });
    }
    putLock(db, { name, token, pid: process.pid, until: iso(addMs(now, LOCK_MS)) });
  });
  try {
    return await work();
  } finally {
    await ctx.writer.write((db) => deleteLock(db, name, token));
  }
}
