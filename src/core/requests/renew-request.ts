/** Renews a contract whose term ends (rules 2): a new request of the same customer about the same equipment, once. */
import { findCurrentContract, requireCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findRenewal, insertRenewal, requireRequest } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { findCase } from '../../db/cases/cases.js';
import { decideCase, openCaseAgain } from '../cases/cases.js';
import { change, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { refused } from '../errors.js';
import { ofContract, ofRequest } from '../history/history.js';
import { mailJob } from '../mail/mail-job.js';
import { priceOf, priceRequest } from '../prices/request-price.js';
import { mustNotBeErased } from '../users/users.js';
import type { Price } from '../settings/currencies.js';
import { getRequest } from './requests.js';

interface Renewed {
  /** Undefined with `dryRun`, unless it was there before. */
  renewal: RequestRow | undefined;
  isRepeat: boolean;
}

/**
 * The request that renews this one; made before, it is returned again. Refuses with `not_renewable` a request that is not complete,
 * and with `user_erased`. `notify`: the customer gets a mail.
 */
export async function renewRequest(
  ctx: Context,
  requestId: number,
  { notify = false, dryRun = false, ...by }: Try & { notify?: boolean | undefined },
): Promise<Renewed> {
  const renewal = mustBeRenewable(ctx.db, getRequest(ctx, requestId));
  if (renewal || dryRun) return { renewal, isRepeat: renewal !== undefined };
  return change(ctx, by, (tx) => {
    const { db, now } = tx;
    const request = requireRequest(db, { id: requestId });
    const made = mustBeRenewable(db, request);
    if (made) return { renewal: made, isRepeat: true };
    const { ownerId, equipmentId, title, description } = request;
    const words = { ownerId, equipmentId, title, description };
    const fresh = insertRenewal(db, { ...words, status: 'new', renewsId: requestId, now });
    tx.record('request.created', ofRequest(fresh.id), { reason: tx.reason });
    tx.publish('request.created', fresh);
    const contract = requireCurrentContract(db, { requestId });
    priceRequest(tx, fresh.id, agreedPrice(ctx, db, contract));
    tx.record('request.renewed', ofContract(contract), { reference: fresh.reference, reason: tx.reason });
    decideCase(tx, ['term_ends'], [String(contract.id)], 'accepted');
    if (notify) tx.enqueue(mailJob, { mail: 'renewal', requestId: fresh.id }, ofRequest(fresh.id));
    return { renewal: requireRequest(db, fresh), isRepeat: false };
  });
}

/** Call when a renewal is removed: the end of the term, if it was told, waits for a decision again. */
export function renewalRemoved(tx: Change, { renewsId }: Pick<RequestRow, 'renewsId'>): void {
  const contract = renewsId === null ? undefined : findCurrentContract(tx.db, { requestId: renewsId });
  const told = contract && findCase(tx.db, { kind: 'term_ends', subject: String(contract.id) });
  if (told) openCaseAgain(tx, told, ofContract(contract));
}

/**
 * Its own price, or what was signed after an offer: a later one is about something else. What the price list or the settings say may
 * have changed since.
 */
function agreedPrice(ctx: Context, db: Db, { requestId, amount, currency }: ContractRow): Price | null {
  const { source, ...own } = priceOf(ctx, db, requestId);
  if (source === 'own') return own;
  return source === 'offer' ? { amount, currency } : null;
}

function mustBeRenewable(db: Db, request: RequestRow): RequestRow | undefined {
  const made = findRenewal(db, { renewsId: request.id });
  if (made) return made;
  if (!isRenewable(request, findCurrentContract(db, { requestId: request.id })))
    throw refused(
      'not_renewable',
      'Only a request that is complete, with a signed contract, can be renewed.',
    );
  mustNotBeErased(requireUser(db, { id: request.ownerId }));
  return undefined;
}

export function isRenewable(
  { status }: Pick<RequestRow, 'status'>,
  contract: ContractRow | undefined,
): boolean {
  return status === 'COMPLETE' && contract?.signedAt != null;
}

/** It was signed, and its time is over. */
export function isTermOver(contract: ContractRow | undefined): boolean {
  return contract?.status === 'EXPIRED' && contract.endReason === 'date_passed' && contract.signedAt !== null;
}
