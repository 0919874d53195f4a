/** The daily mail of what needs the office (rules 12). Nothing to do: no mail. */
import { insertRun } from '../../db/installation/runs.js';
import type { By } from '../change.js';
import { change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { mailJob } from '../mail/mail-job.js';
import { listNeeds } from './needs.js';

const COUNTED_MAX = 30;

/** The mail is written when it leaves, so that it says how things stand then. */
export async function orderDigest(ctx: Context, by: By): Promise<{ needs: number }> {
  const startedAt = iso(ctx.clock.now());
  const { needs } = await listNeeds(ctx, COUNTED_MAX);
  const result = { needs: needs.length };
  await change(ctx, by, (tx) => {
    if (needs.length > 0) tx.enqueue(mailJob, { mail: 'digest', at: startedAt });
    insertRun(tx.db, { name: 'digest', startedAt, finishedAt: tx.now, result: JSON.stringify(result) });
  });
  return result;
}
