/** What the signature provider has of a contract, found by its signId and by its name (rules 2). */
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { unlessNotFound } from '../http/provider-error.js';
import { proveOurs } from './is-ours.js';
import { furthest } from './next-step.js';
import type { SignatureState } from './provider-answers.js';

export interface AtProvider {
  /** This contract's record, with its signers' addresses: of several the one that went furthest, else that of its signId. */
  ours: SignatureState | undefined;
  /** Further ones, in any state. */
  doubles: SignatureState[];
  /** Records with its name or signId that are somebody else's. */
  foreign: SignatureState[];
}

/**
 * A "not found" is believed only when the list does not show it either, because one wrong "not found" could let the customer sign two
 * contracts. Throws a ProviderError.
 */
export async function findAtProvider(ctx: Context, contract: ContractRow): Promise<AtProvider> {
  const { signId } = contract;
  const bySignId =
    signId === null
      ? undefined
      : await unlessNotFound(ctx.provider.getSignatureStatus({ ...contract, signId }));
  const named = await ctx.provider.findByExternalId(contract.externalId);
  const others = named.filter(({ signId }) => signId !== bySignId?.signId);
  const all: SignatureState[] = [];
  const foreign: SignatureState[] = [];
  for (const state of bySignId ? [bySignId, ...others] : others) {
    const proved = await proveOurs(ctx, state, contract);
    if (proved) all.push(proved);
    else foreign.push(state);
  }
  const ours = furthest(all);
  return { ours, doubles: all.filter((state) => state !== ours), foreign };
}
