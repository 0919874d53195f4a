/** Deliveries and their logs are kept for a while after they have ended, then deleted in portions. */
import { setTimeout as pause } from 'node:timers/promises';
import { deleteFinishedDeliveries } from '../../db/deliveries.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';

const KEPT_DAYS = 30;
const PORTION = 500;
/** Lets another process write between two portions. */
const PAUSE_MS = 10;

/** Deletes what ended more than 30 days ago; tells how many deliveries. One that is still owed stays, whatever its age. */
export async function pruneDeliveries(ctx: Context): Promise<number> {
  const before = iso(addDays(ctx.clock.now(), -KEPT_DAYS));
  for (let total = 0; ;) {
    const deleted = await ctx.writer.write((db) => deleteFinishedDeliveries(db, { before, limit: PORTION }));
    total += deleted;
    if (deleted < PORTION) return total;
    await pause(PAUSE_MS);
  }
}
