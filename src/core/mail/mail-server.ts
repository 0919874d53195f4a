/**
 * That the mail server refuses us, whoever a mail is for (rules 12): one trouble, from the first refusal until it takes a
 * mail again. Meanwhile it is no trouble of the requests whose mails wait.
 */
import type { Db } from '../../db/db.js';
import { endFailing, findFailingRun } from '../../db/installation/runs.js';
import type { Change } from '../change.js';
import type { Context } from '../context.js';
import { pastErrors } from '../jobs/past-errors.js';
import { rememberFailure } from '../schedule/runs.js';
import { MailError, type MailFailure } from './mail-error.js';

const NAME = 'mail';

export function isMailError(error: unknown, reason: MailFailure): error is MailError {
  return error instanceof MailError && error.reason === reason;
}

export async function noteRefusal(ctx: Context, error: unknown): Promise<void> {
  if (isMailError(error, 'server_refused')) await rememberFailure(ctx, NAME, error);
}

export function noteTaken({ db }: Change): void {
  endFailing(db, { name: NAME });
}

/** Whether the job's mail waits only for the server to take mails from us again. */
export function isServersTrouble(db: Db, job: { errors: string }): boolean {
  const isRefused = pastErrors(job).at(-1)?.reason === 'server_refused';
  return isRefused && findFailingRun(db, { name: NAME }) !== undefined;
}
