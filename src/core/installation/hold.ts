/**
 * A restored installation is held (rules 14): another machine may have gone on since the backup was made. It reads, stores
 * what it is told and what it is asked for, and sends nothing until `esignctl takeover` has compared it with the providers.
 */
import type { Db } from '../../db/db.js';
import { findHold, isHoldThere } from '../../db/installation/installation.js';
import type { HoldRow } from '../../db/schema.js';
import { command } from '../commands.js';
import { AppError } from '../errors.js';

export function isHeld({ db }: { db: Db }): boolean {
  return isHoldThere(db);
}

/** Since when, and of when the backup is; undefined when it is not held. */
export function holdOf({ db }: { db: Db }): HoldRow | undefined {
  return findHold(db);
}

/** Throws `held`. Whatever acts outside calls it, before it stores anything. */
export function refuseWhileHeld(parts: { db: Db }): void {
  if (!isHeld(parts)) return;
  throw new AppError('unavailable', 'held', 'The data was restored and is held: nothing is sent.', {
    hint: ['Compare it with the providers and end the hold: ', command('takeover')],
  });
}
