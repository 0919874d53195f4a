/**
 * Accepts a late signature, or one on a second copy of the contract (rules 2): a person waives that rule and nothing else. It is the
 * reconcile of a check, with leave to sign.
 */
import { isCurrentContract, requireContract } from '../../db/contracts/contracts.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { ContractRow } from '../../db/schema.js';
import { runInstead } from '../commands.js';
import { mustHaveReason } from '../calls/reason.js';
import type { Deciding } from '../change.js';
import type { Context } from '../context.js';
import { getContract } from '../contracts/contracts.js';
import { refused, type AppError } from '../errors.js';
import { requestLock, withLock } from '../lock.js';
import { throwRefusal } from '../http/refusal.js';
import { look, reconcile, type Look } from './reconcile.js';
import { mustWaitForSignature } from './reset-signature.js';

export interface AcceptedLate {
  contract: ContractRow;
  /** By the provider's clock; null when it does not say. */
  signedAt: string | null;
  lastMoment: string | null;
  /** False when the payment session could not be created yet; it is retried. */
  isPayable: boolean;
}

/** Throws a refusal with its key, or `provider_unavailable`; then nothing has changed. */
export async function acceptLate(
  ctx: Context,
  contractId: number,
  { actor, reason, dryRun = false }: Deciding,
): Promise<AcceptedLate> {
  mustHaveReason(reason);
  const contract = mustWait(ctx, contractId);
  const found = await look(ctx, contractId, { isAccepted: true }).catch(throwRefusal);
  const { state } = found.seen;
  if (found.decision.answer !== 'signed' || !state) throw notSigned(found, contract);
  if (!isWaived(found)) {
    const instead = runInstead('check-signature', contract.requestId);
    throw refused('not_late', `The customer signed contract ${contractId} in time.`, instead);
  }
  const { signedAt } = state;
  const lastMoment = state.lastMoment ?? contract.expiredAt;
  if (dryRun) return { contract, signedAt, lastMoment, isPayable: false };
  const accept = (ctx: Context) =>
    reconcile(ctx, contractId, { actor, reason, listed: state, isAccepted: true });
  // The other copy is withdrawn, as a reset would do.
  const isSecond = found.decision.effects.some((effect) => effect.do === 'take_second');
  const accepting = isSecond ? withLock(ctx, requestLock(contract.requestId), accept) : accept(ctx);
  const done = await accepting.catch(throwRefusal);
  // A check, webhook or reset was faster; the new state refuses.
  if (done.decision.answer !== 'signed') throw notSigned(done, mustWait(ctx, contractId));
  const accepted = requireContract(ctx.db, { id: contractId });
  return { contract: accepted, signedAt, lastMoment, isPayable: done.isPayable };
}

/** Without a person, it would not count. */
function isWaived({ decision }: Look): boolean {
  return decision.effects.some(
    (effect) => effect.do === 'take_second' || (effect.do === 'sign' && effect.isLate),
  );
}

/** The current contract of a request that waits for its signature. */
function mustWait({ db }: Pick<Context, 'db'>, id: number): ContractRow {
  const contract = getContract(db, id);
  if (!isCurrentContract(db, contract)) {
    throw refused('already_reset', 'This contract has been replaced by another one.');
  }
  mustWaitForSignature(requireRequest(db, { id: contract.requestId }));
  if (!contract.signId) throw refused('no_sign_id', `Contract ${id} was never sent to the customer.`);
  return contract;
}

function notSigned({ seen: { theirs, state } }: Look, { id }: ContractRow): AppError {
  if (theirs.is === 'absent')
    return refused('signature_not_found', 'The signature provider does not know this contract.');
  if (theirs.is === 'foreign')
    return refused('foreign_signature', `The document at the provider is not that of contract ${id}.`);
  const status = `at the signature provider it is ${state?.status ?? theirs.is}`;
  return refused('contract_not_signed', `The customer has not signed contract ${id}: ${status}.`);
}
