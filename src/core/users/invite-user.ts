/** Invites somebody whose account has no password yet: a mail with a link to set one (rules 6). */
import { deleteIdleJobs } from '../../db/jobs/jobs.js';
import { requireUser } from '../../db/users/users.js';
import type { UserRow } from '../../db/schema.js';
import { command } from '../commands.js';
import { change, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { refused } from '../errors.js';
import { invitationKeys, mailJob } from '../mail/mail-job.js';
import { hasPassword } from './passwords.js';
import { getUser, mustNotBeErased, recordUser } from './users.js';

/** Sends the invitation, again too. Throws `has_password` for who needs none, and `user_disabled`. */
export async function inviteUser(ctx: Context, id: number, { dryRun = false, ...by }: Try): Promise<UserRow> {
  const user = getUser(ctx, id);
  mustBeInvitable(user);
  if (dryRun) return user;
  await change(ctx, by, (tx) => {
    mustBeInvitable(requireUser(tx.db, { id }));
    orderInvitation(tx, id);
  });
  ctx.log.info({ userId: id }, 'user invited');
  return user;
}

/** The mail goes to the address that the account has then. */
export function orderInvitation(tx: Change, userId: number): void {
  const prefix = invitationKeys(userId);
  // One that was refused, or has failed, is replaced.
  deleteIdleJobs(tx.db, { prefix, before: `${prefix}~` });
  tx.enqueueAgain(mailJob, { mail: 'invitation', userId, at: tx.now });
  recordUser(tx, 'user.invited', userId);
}

function mustBeInvitable(user: UserRow): void {
  mustNotBeErased(user);
  if (!user.enabled) {
    throw refused('user_disabled', 'This account is closed.', [
      'Open it first: `',
      command('users enable', user.username),
      '`.',
    ]);
  }
  if (hasPassword(user)) {
    throw refused(
      'has_password',
      'This person has a password and needs no invitation.',
      'Who has forgotten the password asks for a link on the log-in page.',
    );
  }
}
