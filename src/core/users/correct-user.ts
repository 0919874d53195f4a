/**
 * Corrects a customer's address, name or phone (rules 2). Mails that were refused go out again, to the new address;
 * signatures under way are corrected at the provider.
 */
import type { Db } from '../../db/db.js';
import { listRefusedMailsOf, rearmJob, promoteJob } from '../../db/jobs/jobs.js';
import type { UserRow } from '../../db/schema.js';
import { findUserByUsername, requireUser } from '../../db/users/users.js';
import { change, type Change, type Try } from '../change.js';
import type { Precondition } from '../calls/owned.js';
import type { Context } from '../context.js';
import { pastErrors } from '../jobs/past-errors.js';
import { JOBS_TOPIC } from '../jobs/queue.js';
import { isToCustomer, type MailOrder } from '../mail/mail-job.js';
import { applyChange, changeUser, type UserChange } from './change-user.js';
import { orderCorrections, outcomesOf, signaturesUnderWay, type CorrectedSigner } from './correct-signers.js';
import { refuse } from './create-user.js';
import { normalName } from './signer-fields.js';
import { localeFault, nameFault, normalUsername, phoneFault, usernameFault } from './user-fields.js';
import { getUser, mustNotBeErased } from './users.js';

export type Correction = Pick<UserChange, 'firstName' | 'lastName' | 'phone' | 'locale'> & {
  username?: string | undefined;
};

/**
 * Throws `invalid` with every wrong field, also for an address that somebody else has or that the signature provider
 * would not take. Correcting to what is stored tries again what could not be corrected at the provider.
 */
export async function correctUser(
  ctx: Context,
  id: number,
  wanted: Correction,
  { dryRun = false, ...by }: Try,
): Promise<{ user: UserRow; signers: CorrectedSigner[]; mailsAgain: number }> {
  const before = getUser(ctx, id);
  mustNotBeErased(before);
  mustBeAcceptable(ctx.db, before, wanted);
  if (dryRun) {
    const signers = signaturesUnderWay(ctx.db, id).map(({ request }) => ({
      requestId: request.id,
      reference: request.reference,
      corrected: false,
      error: null,
    }));
    return { user: before, signers, mailsAgain: refusedMails(ctx.db, id).length };
  }
  const { mailsAgain, jobs } = await change(ctx, by, (tx) => {
    mustBeAcceptable(tx.db, before, wanted);
    applyChange(tx, requireUser(tx.db, { id }), wanted);
    const mails = wanted.username === undefined ? 0 : mailAgain(tx, id);
    return { mailsAgain: mails, jobs: orderCorrections(tx, id) };
  });
  const signers = await outcomesOf(ctx, jobs);
  return { user: getUser(ctx, id), signers, mailsAgain };
}

/** What an administrator changes of somebody else; a correction has the same consequences, in the same transaction. */
export async function changeOther(
  ctx: Context,
  by: UserRow,
  id: number,
  wanted: UserChange,
  precondition?: Precondition<UserRow>,
): Promise<UserRow> {
  const { username, role } = wanted;
  const before = getUser(ctx, id);
  mustBeAcceptable(ctx.db, { ...before, role: role ?? before.role }, { username });
  return changeUser(ctx, by, id, wanted, precondition, (tx) => {
    if (username !== undefined) mailAgain(tx, id);
  });
}

/** An old value that breaks today's rules stays valid until it is changed. */
export function mustBeAcceptable(db: Db, user: UserRow, wanted: Correction): void {
  const { username, firstName, lastName, phone, locale } = wanted;
  refuse({
    username: username === undefined ? undefined : addressFault(db, user, normalUsername(username)),
    firstName: firstName == null || isSame(firstName, user.firstName) ? undefined : nameFault(firstName),
    lastName: lastName == null || isSame(lastName, user.lastName) ? undefined : nameFault(lastName),
    phone: phone === undefined ? undefined : phoneFault(phone),
    locale: locale === undefined ? undefined : localeFault(locale),
  });
}

function isSame(name: string, stored: string): boolean {
  return normalName(name) === normalName(stored);
}

/** Undefined: nothing is wrong. Staff need not be able to sign. */
export function addressFault(db: Db, user: UserRow, username: string): string | undefined {
  if (username === user.username) return undefined;
  const taken = findUserByUsername(db, { username }) && 'This value is already used.';
  return usernameFault(username, user.role) ?? taken;
}

function refusedMails(db: Db, ownerId: number) {
  return listRefusedMailsOf(db, { ownerId }).filter(
    (job) =>
      pastErrors(job).at(-1)?.reason === 'recipient_refused' &&
      isToCustomer(JSON.parse(job.payload) as MailOrder),
  );
}

/** They read the address when they leave. */
function mailAgain({ db, now }: Change, ownerId: number): number {
  const mails = refusedMails(db, ownerId);
  for (const { id, state, replays } of mails) {
    if (state === 'failed') rearmJob(db, { id, runAt: now, replays: replays + 1, attempt: 0 });
    else promoteJob(db, { id, runAt: now });
  }
  if (mails.length > 0) db.announce(JOBS_TOPIC);
  return mails.length;
}
