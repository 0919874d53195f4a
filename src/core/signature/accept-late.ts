/**
 * Accepts a late signature, or one on a second document for the contract (rules 2): a person waives that rule and nothing else. The
 * provider must still prove that the document is signed and ours; then the usual routine completes it.
 */
import {
  isCurrentContract,
  requireContract,
  setSent,
  setSignId,
  setTold,
} from '../../db/contracts/contracts.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { ContractRow } from '../../db/schema.js';
import { decideCase } from '../cases/cases.js';
import { runInstead } from '../commands.js';
import { change, type By } from '../change.js';
import type { Context } from '../context.js';
import { getContract } from '../contracts/contract.js';
import { isSignedTooLate } from '../contracts/last-moment.js';
import { AppError, refused } from '../errors.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { requestLock, withLock } from '../lock.js';
import { closeAtProvider } from './close-at-provider.js';
import { findAtProvider } from './at-provider.js';
import type { SignatureState } from './provider-answers.js';
import { asRefusal } from './provider-says.js';
import { reconcile } from './reconcile.js';

export interface AcceptLateOptions extends By {
  /** Why it is accepted; kept in the history. */
  reason: string;
  /** Ask the provider and check the rules, but change nothing. */
  dryRun?: boolean;
}

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
  { actor, reason, dryRun = false }: AcceptLateOptions,
): Promise<AcceptedLate> {
  const contract = mustWait(ctx, contractId);
  const state = await signedThere(ctx, contract);
  const { signedAt } = state;
  const lastMoment = state.lastMoment ?? contract.expiredAt;
  const isSecond = state.signId !== contract.signId;
  if (!isSecond && !isSignedTooLate(ctx, contract, state)) {
    const instead = runInstead('check-signature', contract.requestId);
    throw refused('not_late', `The customer signed contract ${contractId} in time.`, instead);
  }
  if (dryRun) return { contract, signedAt, lastMoment, isPayable: false };
  if (isSecond) await takeSecond(ctx, contract, state, { actor, reason });
  const accepting = { actor, reason, listed: state, isLateAccepted: true };
  const { decision, isPayable } = await reconcile(ctx, contractId, accepting).catch(refuse);
  // A check, webhook or reset was faster; the new state refuses.
  if (decision.answer !== 'signed') {
    mustWait(ctx, contractId);
    throw foreign(contractId);
  }
  return { contract: requireContract(ctx.db, { id: contractId }), signedAt, lastMoment, isPayable };
}

/** The current contract of a request that waits for its signature. */
function mustWait({ db }: Pick<Context, 'db'>, id: number): ContractRow {
  const contract = getContract(db, id);
  const { status } = requireRequest(db, { id: contract.requestId });
  if (!isCurrentContract(db, contract)) {
    throw refused('already_reset', 'This contract has been replaced by another one.');
  }
  if (status !== 'WAITING_SIGNATURE') {
    throw refused('not_waiting_signature', 'The request is not waiting for a signature.');
  }
  if (!contract.signId) throw refused('no_sign_id', `Contract ${id} was never sent to the customer.`);
  return contract;
}

/** The signed document becomes the contract's; the other can no longer be signed. */
async function takeSecond(
  ctx: Context,
  contract: ContractRow,
  second: SignatureState,
  by: By,
): Promise<void> {
  const { id, requestId } = contract;
  const { signId, signers } = second;
  try {
    await withLock(ctx, requestLock(requestId), async (held) => {
      const isMeant = (state: SignatureState) => state.signId !== signId && state.status !== 'done';
      await closeAtProvider(held, contract, { actor: by.actor, isMeant, note: ACCEPTED_OTHER });
      await change(held, by, (tx) => {
        mustWait(tx, id);
        setSignId(tx.db, { id, signId, signerEmail: signers[0]?.email ?? contract.signerEmail });
        const signerId = signers[0]?.id ?? signId;
        setSent(tx.db, { id, signerId, signUrl: null, signUrlExpiresAt: null });
        setTold(tx.db, { id, told: null });
        decideCase(tx, ['unknown_document'], [signId], 'accepted');
        tx.record('contract.second_accepted', ofContract(contract), {
          signId,
          instead: contract.signId,
          reason: tx.reason,
        });
      });
    });
  } catch (error) {
    return refuse(error);
  }
}

/** The note that the provider keeps. */
const ACCEPTED_OTHER = 'The customer has signed another copy of the contract.';

/** The provider's proof that the customer has signed this contract, or its second document. */
async function signedThere(ctx: Context, contract: ContractRow): Promise<SignatureState> {
  try {
    const { ours: state, foreign: others } = await findAtProvider(ctx, contract);
    if (!state && others.length > 0) throw foreign(contract.id);
    if (!state) throw new AppError('refused', 'signature_not_found', UNKNOWN_THERE);
    if (state.status === 'done') return state;
    throw refused(
      'contract_not_signed',
      `The customer has not signed contract ${contract.id}: at the signature provider it is ${state.status}.`,
    );
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (isProviderError(error, 'not_found'))
    throw new AppError('refused', 'signature_not_found', UNKNOWN_THERE, { cause: error });
  throw asRefusal(error);
}

const UNKNOWN_THERE = 'The signature provider does not know this contract.';

function foreign(id: number): AppError {
  return refused('foreign_signature', `The document at the provider is not that of contract ${id}.`);
}
