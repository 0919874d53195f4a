/** Changes of a user (rules 6): users change their own profile and password; administrators also roles and `enabled`. */
import { renameDecider } from '../../db/cases/cases.js';
import { renameActor } from '../../db/history/history.js';
import type { Db } from '../../db/db.js';
import { listRequestsOfOwnerIn } from '../../db/requests/requests.js';
import { findUserByUsername, requireUser, setProfile, setRole, setUsername } from '../../db/users/users.js';
import type { Role, UserRow } from '../../db/schema.js';
import { actorName, type Actor } from '../actor.js';
import { change, type Change, type Try } from '../change.js';
import type { Precondition } from '../calls/owned.js';
import { addMs, iso, MINUTE_MS } from '../clock.js';
import type { Context } from '../context.js';
import { invalid, refused } from '../errors.js';
import type { Given } from '../calls/input.js';
import type { Locale } from '../texts/index.js';
import { keepDueAt } from '../requests/due-date.js';
import { authenticate, type LoginThrottle } from './authenticate.js';
import {
  DETAILS,
  orderCorrections,
  outcomesOf,
  signaturesUnderWay,
  type CorrectedSigner,
} from './correct-signers.js';
import { orderInvitation, refuse, TAKEN } from './create-user.js';
import { hashPassword, hasPassword } from './passwords.js';
import { actorOf } from './rights.js';
import { isRefusedSigner, normalName } from './signer-fields.js';
import {
  addressFault,
  normalAddress,
  normalPhone,
  normalUsername,
  localeFault,
  nameFault,
  phoneFault,
  usernameFault,
} from './user-fields.js';
import {
  getUser,
  keepAnAdministrator,
  mustNotBeErased,
  openOrClose,
  recordUser,
  replacePassword,
} from './users.js';
import { listRefusedMailsOf, rearmJob, promoteJob } from '../../db/jobs/jobs.js';
import { pastErrors } from '../jobs/past-errors.js';
import { JOBS_TOPIC } from '../jobs/queue.js';
import { isToCustomer } from '../mail/mail-job.js';

type UserChange = Given<{
  /** The e-mail address with which the user logs in. */
  username: string;
  /** Null clears it. */
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  locale: Locale | null;
  address: string | null;
  password: string;
  role: Role;
  enabled: boolean;
}>;

/** That the person at the keyboard is the user. */
export interface OwnProof {
  /** Needed for a new password and another address, which can get one: an unattended session is not enough. */
  currentPassword?: string | undefined;
  /** The caller's address: guesses of the current password are throttled like log-ins. */
  from: string;
}

export interface OwnChange extends UserChange, OwnProof {}

interface Throttled {
  type: 'throttled';
  waitMs: number;
}

export type OwnOutcome = { type: 'changed'; user: UserRow } | Throttled;

/** A new password ends every token of the user, including this call's. */
export async function changeMyself(
  ctx: Context,
  throttle: LoginThrottle,
  user: UserRow,
  { currentPassword, from, ...wanted }: OwnChange,
  precondition?: Precondition<UserRow>,
): Promise<OwnOutcome> {
  const throttled = await mustBeProved(ctx, throttle, user, wanted, { currentPassword, from });
  return throttled ?? { type: 'changed', user: await changeUser(ctx, user, user.id, wanted, precondition) };
}

/**
 * Before users change their own password or address. Throws `invalid` without the current password, or for a wrong one;
 * answers how long to wait after too many of them.
 */
export async function mustBeProved(
  ctx: Context,
  throttle: LoginThrottle,
  user: UserRow,
  wanted: Pick<UserChange, 'username' | 'password'>,
  { currentPassword, from }: OwnProof,
): Promise<Throttled | undefined> {
  const isMoving = wanted.username !== undefined && normalUsername(wanted.username) !== user.username;
  if (wanted.password === undefined && !isMoving) return undefined;
  if (!currentPassword) throw invalid({ currentPassword: 'This value should not be blank.' });
  const proof = { username: user.username, password: currentPassword, address: from };
  const outcome = await authenticate(ctx, throttle, proof);
  if (outcome.type === 'refused') throw wrongPassword();
  return outcome.type === 'throttled' ? outcome : undefined;
}

/**
 * Returns the changed user; all or nothing. A new password and disabling end every token of the user; mails that an old address
 * refused go out again, to the new one. Throws `last_administrator` rather than leave no administrator.
 */
export async function changeUser(
  ctx: Context,
  by: UserRow,
  id: number,
  asked: UserChange,
  precondition?: Precondition<UserRow>,
): Promise<UserRow> {
  const wanted = dialledHere(ctx, asked);
  const { username, role, password } = wanted;
  const stored = getUser(ctx, id);
  mustBeAcceptable(ctx.db, { ...stored, role: role ?? stored.role }, { username });
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const user = await change(ctx, { actor: actorOf(by) }, (tx) => {
    const { db } = tx;
    const before = requireUser(db, { id });
    precondition?.(before);
    // The current password was proved against an older one.
    if (passwordHash && by.id === id && before.tokenVersion !== by.tokenVersion) throw wrongPassword();
    applyChange(tx, before, wanted);
    if (passwordHash) replacePassword(tx, id, passwordHash);
    if (passwordHash) recordUser(tx, 'user.password_set', id);
    if (username !== undefined) mailAgain(tx, id);
    return requireUser(db, { id });
  });
  ctx.log.info({ userId: id, fields: Object.keys(wanted) }, 'user changed');
  return user;
}

/**
 * Makes somebody an administrator, or no longer one; rights follow with the next call. Repeating it changes nothing.
 * Refuses with `last_administrator`, and with `own_role` to change one's own, which would lock out whoever slips.
 */
export async function setUserRole(
  ctx: Context,
  id: number,
  role: Role,
  { dryRun = false, ...by }: Try,
): Promise<UserRow> {
  const user = getUser(ctx, id);
  if (isOwn(by.actor, user))
    throw refused('own_role', 'You cannot change your own role. Ask another administrator.');
  if (dryRun) mayHaveRole(ctx.db, user, role);
  else await change(ctx, by, (tx) => applyChange(tx, requireUser(tx.db, { id }), { role }));
  return getUser(ctx, id);
}

/** A phone number as it is dialled in the firm’s country becomes international. */
function dialledHere<T extends Pick<UserChange, 'phone'>>({ config }: Context, wanted: T): T {
  return wanted.phone == null ? wanted : { ...wanted, phone: normalPhone(wanted.phone, config.country) };
}

/** Whether the person acts on their own account. */
export function isOwn(actor: Actor, user: UserRow): boolean {
  return actorName(actor) === actorName(actorOf(user));
}

function mayHaveRole(db: Db, user: UserRow, role: Role): void {
  if (role === user.role) return;
  mustNotBeErased(user);
  keepAnAdministrator(db, user.id, 'roles');
}

/** Changes and records everything but the password. Signers under way are corrected, whoever makes the change. */
export function applyChange(tx: Change, user: UserRow, wanted: UserChange): void {
  const { db, now } = tx;
  const { id } = user;
  const profile = {
    firstName: wanted.firstName === undefined ? user.firstName : normalName(wanted.firstName ?? ''),
    lastName: wanted.lastName === undefined ? user.lastName : normalName(wanted.lastName ?? ''),
    phone: wanted.phone === undefined ? user.phone : normalPhone(wanted.phone),
    locale: wanted.locale === undefined ? user.locale : wanted.locale,
    address: wanted.address === undefined ? user.address : normalAddress(wanted.address),
  };
  const username = wanted.username === undefined ? user.username : normalUsername(wanted.username);
  const after = { ...profile, username };
  const fields = FIELDS.filter((name) => after[name] !== user[name]);
  if (fields.length > 0) {
    mustNotBeErased(user);
    if (fields.includes('username')) move(tx, user, username);
    setProfile(db, { id, ...profile, now });
    // The addresses themselves stay out of the history.
    tx.record('user.changed', null, { userId: id, fields, reason: tx.reason });
    // One's own changes are gathered: each costs calls at the provider, and a mail.
    const runAt = isOwn(tx.actor, user) ? iso(addMs(tx.time, GATHERED_MS)) : now;
    // The providers know no postal address.
    if (fields.some((name) => name !== 'address')) orderCorrections(tx, id, runAt);
    // A customer's own requests may be any number, and a changed name rarely matters to them.
    const statuses = isRefusedSigner(user) === isRefusedSigner(after) ? SENT : UNSIGNED;
    for (const request of listRequestsOfOwnerIn(db, { ownerId: id, statuses })) keepDueAt(db, request.id);
  }
  if (wanted.role && wanted.role !== user.role) {
    mayHaveRole(db, user, wanted.role);
    setRole(db, { id, role: wanted.role, now });
    recordUser(tx, wanted.role === 'ROLE_ADMIN' ? 'user.promoted' : 'user.demoted', id);
  }
  if (wanted.enabled !== undefined) openOrClose(tx, id, wanted.enabled);
}

/** To another e-mail address. Throws `invalid` when somebody else has it, as of this moment. */
function move(tx: Change, user: UserRow, username: string): void {
  const { db, now } = tx;
  const { id } = user;
  if (findUserByUsername(db, { username })) throw invalid({ username: TAKEN });
  setUsername(db, { id, username, now });
  // The history knows people by their address: an old one would outlast erasure, or pass to the next who has it.
  const names = { from: actorName(actorOf(user)), to: actorName(actorOf({ ...user, username })) };
  renameActor(db, names);
  renameDecider(db, names);
  // The link that was mailed to the old address is void.
  if (user.enabled && !hasPassword(user)) orderInvitation(tx, id);
}

const FIELDS = [...DETAILS, 'address'] as const;
/** In these, to which address the contract went matters. */
const SENT = ['WAITING_SIGNATURE'] as const;
/** In these, whether the signature provider takes the customer matters too. */
const UNSIGNED = ['new', 'in_progress', ...SENT] as const;

const GATHERED_MS = MINUTE_MS;

function wrongPassword() {
  return invalid({ currentPassword: 'This value should be the current password.' });
}

export type Correction = Pick<UserChange, 'firstName' | 'lastName' | 'phone' | 'locale' | 'address'> & {
  username?: string | undefined;
};

/**
 * Corrects a customer's address, name or phone (rules 2); signatures under way are corrected at the provider. Throws `invalid`
 * with every wrong field, also for an address that somebody else has or that the signature provider
 * would not take. Correcting to what is stored tries again what could not be corrected at the provider.
 */
export async function correctUser(
  ctx: Context,
  id: number,
  asked: Correction,
  { dryRun = false, ...by }: Try,
): Promise<{ user: UserRow; signers: CorrectedSigner[]; mailsAgain: number }> {
  const wanted = dialledHere(ctx, asked);
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
    applyChange(tx, requireUser(tx.db, { id }), wanted);
    const mails = wanted.username === undefined ? 0 : mailAgain(tx, id);
    return { mailsAgain: mails, jobs: orderCorrections(tx, id) };
  });
  const signers = await outcomesOf(ctx, jobs);
  return { user: getUser(ctx, id), signers, mailsAgain };
}

/** An old value that breaks today's rules stays valid until it is changed. */
function mustBeAcceptable(db: Db, user: UserRow, wanted: Correction): void {
  const { username, firstName, lastName, phone, locale, address } = wanted;
  refuse({
    username: username === undefined ? undefined : mailFault(db, user, normalUsername(username)),
    firstName: firstName == null || isSame(firstName, user.firstName) ? undefined : nameFault(firstName),
    lastName: lastName == null || isSame(lastName, user.lastName) ? undefined : nameFault(lastName),
    phone: phone === undefined ? undefined : phoneFault(phone),
    locale: locale === undefined ? undefined : localeFault(locale),
    address: address === undefined ? undefined : addressFault(normalAddress(address)),
  });
}

function isSame(name: string, stored: string): boolean {
  return normalName(name) === normalName(stored);
}

/** Undefined: nothing is wrong. Staff need not be able to sign. */
function mailFault(db: Db, user: UserRow, username: string): string | undefined {
  if (username === user.username) return undefined;
  const taken = findUserByUsername(db, { username }) && TAKEN;
  return usernameFault(username, user.role) ?? taken;
}

function refusedMails(db: Db, ownerId: number) {
  return listRefusedMailsOf(db, { ownerId }).filter(
    (job) => pastErrors(job).at(-1)?.reason === 'recipient_refused' && isToCustomer(JSON.parse(job.payload)),
  );
}

/** They read the address when they leave. */
function mailAgain({ db, now }: Change, ownerId: number): number {
  const mails = refusedMails(db, ownerId);
  for (const { id, state, replays } of mails) {
    if (state === 'failed') rearmJob(db, { id, runAt: now, replays: replays + 1, attempt: 0 });
    else promoteJob(db, { id, runAt: now });
  }
  db.announce(JOBS_TOPIC);
  return mails.length;
}
