/**
 * What follows when the provider says that a contract's document has ended unsigned, is unknown there, or is somebody
 * else's (rules 2, 3).
 */
import { finishInboxEvents } from '../../db/inbox/inbox.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import type { Context } from '../context.js';
import { endContract, type ContractEnd } from '../contracts/end-contract.js';
import type { EndReason } from '../lifecycle.js';
import { isLocked, requestLock } from '../lock.js';
import type { Completion } from './completion-job.js';
import { proveOurs } from './is-ours.js';
import { endIn, type SignatureState } from './provider-answers.js';
import { tellForeign } from './told.js';

/** The last step, to be run in a change; it decides the race and returns who won. */
export type CompletionStep = (tx: Change) => Completion;

type Judged = { step: CompletionStep; state?: undefined } | { step?: undefined; state: SignatureState };

/** The step that closes what is over; else the state, proved to be the contract's. Throws a ProviderError. */
export async function whatIsOver(
  ctx: Context,
  contract: ContractRow,
  asked: SignatureState | undefined,
): Promise<Judged> {
  if (!asked) return { step: (tx) => close(ctx, tx, contract, { reason: 'not_found' }) };
  const state = await proveOurs(ctx, asked, contract);
  if (!state) return { step: (tx) => foreign(tx, contract, asked) };
  const end = endIn(state, contract.failedSigningAt !== null);
  return end ? { step: (tx) => close(ctx, tx, contract, end) } : { state };
}

function close(ctx: Context, tx: Change, contract: ContractRow, end: ContractEnd): Completion {
  const isEnded = !isOwnWithdrawal(ctx, tx.db, contract, end.reason) && endContract(tx, contract, end);
  finishEvents(tx, contract, { state: isEnded ? 'done' : 'ignored', outcome: end.reason });
  return 'ended';
}

function foreign(tx: Change, contract: ContractRow, asked: SignatureState): Completion {
  tellForeign(tx, contract, asked, { isServed: false });
  finishEvents(tx, contract, { state: 'refused', outcome: 'foreign' });
  return 'foreign';
}

/** Our own start or reset is withdrawing the document, and records the end itself. */
export function isOwnWithdrawal(
  ctx: Context,
  db: Db,
  { requestId }: ContractRow,
  reason: EndReason,
): boolean {
  return (reason === 'canceled' || reason === 'deleted') && isLocked(ctx, db, requestLock(requestId));
}

interface Finished {
  state: 'done' | 'ignored' | 'refused';
  outcome: string;
}

/** Closes the events of the contract that are open, no matter which call did their work. */
export function finishEvents(
  { db, now }: Change,
  { id: contractId }: ContractRow,
  { state, outcome }: Finished,
): void {
  finishInboxEvents(db, { contractId, state, outcome, finishedAt: now });
}
