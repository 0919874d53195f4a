/**
 * Failing scheduled work is recorded from its first failure to the next good run. Meanwhile doctor, status and
 * metrics report it; the administrator gets one mail.
 */
import { codeOf } from '../../db/caught.js';
import { noteFailedRun } from '../../db/installation/runs.js';
import type { FailingName, RunName } from '../../db/schema.js';
import { SCHEDULE } from '../actor.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { mailJob } from '../mail/mail-job.js';

/** Runs that ask a provider about many things. */
export type RoundName = Extract<RunName, 'reconcile' | 'trails' | 'payments' | 'reminders'>;
const ROUNDS: readonly FailingName[] = ['reconcile', 'trails', 'payments', 'reminders'] satisfies RoundName[];

export function isRound(name: FailingName): name is RoundName {
  return ROUNDS.includes(name);
}

export async function rememberFailure(ctx: Context, name: FailingName, cause: unknown): Promise<void> {
  const error = describeError(cause);
  const code = codeOf(cause) || null;
  await change(ctx, { actor: SCHEDULE }, (tx) => {
    const { since, times } = noteFailedRun(tx.db, { name, at: tx.now, error, code });
    // A provider outage passes, has its own alert, and is retried half an hour later. That mail is refused, no mail can tell.
    if (times > 1 || isRound(name) || name === 'mail') return;
    tx.enqueue(mailJob, { mail: 'run-failing', run: name, since, error });
  });
}
