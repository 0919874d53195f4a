/**
 * Failing scheduled work is recorded from its first failure to the next good run. Meanwhile doctor, status and
 * metrics report it; the administrator gets one mail.
 */
import { codeOf } from '../../db/caught.js';
import { noteFailedRun } from '../../db/installation/runs.js';
import type { RunName } from '../../db/schema.js';
import { SCHEDULE } from '../actor.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { mailJob } from '../mail/mail-job.js';

/** A provider outage passes, has its own alert, and is retried half an hour later. */
const NO_MAIL: readonly RunName[] = ['reconcile'];

export async function rememberFailure(ctx: Context, name: RunName, cause: unknown): Promise<void> {
  const error = describeError(cause);
  const code = codeOf(cause) || null;
  await change(ctx, { actor: SCHEDULE }, (tx) => {
    const { since, times } = noteFailedRun(tx.db, { name, at: tx.now, error, code });
    if (times > 1 || NO_MAIL.includes(name)) return;
    tx.enqueue(mailJob, { mail: 'run-failing', run: name, since, error });
  });
}
