/**
 * Accepts a late signature (decisions 2): a person waives the rule about the last moment, and nothing else. That the
 * contract is signed, and that it is ours, the provider proves as ever; then the same routine as always completes it.
 */
import { findContract, isCurrentContract } from '../../db/contracts.js';
import { findRequest } from '../../db/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import type { Context } from '../context.js';
import { asProviderSays } from '../contracts/last-moment.js';
import { AppError, notFound, refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { completeNow, isTooLate } from './complete-signature.js';
import { proveOurs } from './is-ours.js';
import type { SignatureState } from './provider.js';
import { unavailable } from './start-signature.js';

export interface AcceptLateOptions {
  actor: Actor;
  /** Why it is accepted; kept in the history. */
  reason: string;
  /** Ask the provider and check the rules, but change nothing. */
  dryRun?: boolean;
}

export interface AcceptedLate {
  contract: ContractRow;
  /** By the provider's clock; null: it does not tell. */
  signedAt: string | null;
  lastMoment: string | null;
  /** False: the page to pay could not be made now, and is tried again. */
  isPayable: boolean;
}

/** Throws a refusal with its key, or `provider_unavailable`; nothing has changed then. */
export async function acceptLate(
  ctx: Context,
  contractId: number,
  { actor, reason, dryRun = false }: AcceptLateOptions,
): Promise<AcceptedLate> {
  const contract = mustWait(ctx, contractId);
  const state = await signedThere(ctx, contract);
  const { signedAt } = state;
  const lastMoment = asProviderSays(contract, state).expiredAt;
  if (!isTooLate(ctx, contract, state)) {
    throw refused(
      'not_late',
      `The customer signed contract ${contractId} in time.`,
      `Run \`esignctl check-signature ${contract.requestId}\` instead.`,
    );
  }
  if (dryRun) return { contract, signedAt, lastMoment, isPayable: false };
  const proof = { contractId, provedAt: signedAt, actor, state, acceptedBecause: reason };
  const { completion, isPayable } = await completeNow(ctx, proof).catch(asRefusal);
  // A check, a webhook or a reset was quicker; what it left refuses.
  if (completion !== 'completed') {
    mustWait(ctx, contractId);
    throw foreign(contractId);
  }
  return { contract: findContract(ctx.db, contractId) as ContractRow, signedAt, lastMoment, isPayable };
}

/** The contract that counts of a request that waits for its signature. */
function mustWait({ db }: Context, id: number): ContractRow {
  const contract = findContract(db, id);
  if (!contract) throw notFound('contract_not_found', `There is no contract ${id}.`);
  const { status } = findRequest(db, contract.requestId) as RequestRow;
  if (!isCurrentContract(db, contract)) {
    throw refused('already_reset', 'Another contract has taken the place of this one.');
  }
  if (status !== 'WAITING_SIGNATURE') {
    throw refused('not_waiting_signature', 'The request is not waiting for a signature.');
  }
  if (!contract.signId) throw refused('no_sign_id', `Contract ${id} was never sent to the customer.`);
  return contract;
}

/** The provider's proof that the customer has signed this contract of ours. */
async function signedThere(ctx: Context, contract: ContractRow): Promise<SignatureState> {
  try {
    const asked = await ctx.provider.getSignatureStatus(contract.signId as string);
    const state = await proveOurs(ctx, asked, contract);
    if (!state) throw foreign(contract.id);
    if (state.status === 'done') return state;
    throw refused(
      'contract_not_signed',
      `The customer has not signed contract ${contract.id}: at the signature provider it is ${state.status}.`,
    );
  } catch (error) {
    return asRefusal(error);
  }
}

function asRefusal(error: unknown): never {
  if (isProviderError(error, 'not_found')) {
    throw new AppError(
      'refused',
      'signature_not_found',
      'The signature provider does not know this contract.',
      {
        cause: error,
      },
    );
  }
  throw unavailable(error);
}

function foreign(id: number): AppError {
  return refused('foreign_signature', `The document at the provider is not that of contract ${id}.`);
}
