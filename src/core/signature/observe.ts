/** What the signature provider says of a contract's document, proved to be the contract's (rules 2, "Ownership"). */
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { unlessNotFound } from '../http/provider-error.js';
import type { Theirs } from './decide.js';
import { mayBeOurs, proveOurs } from './is-ours.js';
import { furthest } from './next-step.js';
import { endIn, type SignatureState } from './provider-answers.js';

export interface Seen {
  theirs: Theirs;
  /** Its record there; the document is somebody else's when it is `foreign`. */
  state?: SignatureState;
}

export const UNASKED: Seen = { theirs: { is: 'silent' } };

/**
 * Asks for the document. One that was not known to be sent is looked for by its name, too, as is `anyCopy`: of several the one that went
 * furthest. Throws a ProviderError.
 */
export async function observe(ctx: Context, contract: ContractRow, anyCopy = false): Promise<Seen> {
  const { signId, signerId, sending } = contract;
  if (anyCopy || signId === null || sending !== 'sent') {
    const { ours, foreign } = await findAtProvider(ctx, contract);
    if (ours) return { theirs: theirsOf(ours), state: ours };
    const [other] = foreign;
    return other ? { theirs: { is: 'foreign' }, state: other } : { theirs: { is: 'absent' } };
  }
  // Only a 404 to this call means "gone"; a 404 to the download is a problem of the provider.
  const known = { ...contract, signId };
  const state = await unlessNotFound(ctx.provider.getSignatureWithSigner(known, signerId));
  return state ? prove(ctx, contract, state) : { theirs: { is: 'absent' } };
}

/** What the provider's list says. It does not show the signers' addresses, which would take a call for each. */
export function asListed(contract: ContractRow, state: SignatureState): Seen {
  return { theirs: mayBeOurs(state, contract) ? theirsOf(state) : { is: 'foreign' }, state };
}

/** Throws a ProviderError. */
export async function prove(ctx: Context, contract: ContractRow, state: SignatureState): Promise<Seen> {
  const proved = await proveOurs(ctx, state, contract);
  return proved ? { theirs: theirsOf(proved), state: proved } : { theirs: { is: 'foreign' }, state };
}

export function theirsOf(state: SignatureState): Theirs {
  const { status, signedAt, lastMoment } = state;
  const over = endIn(state);
  if (over) return { is: over };
  switch (status) {
    case 'done':
      return { is: status, signedAt, lastMoment };
    case 'ongoing':
      return { is: status, lastMoment };
    default:
      return { is: status === 'draft' ? status : 'other' };
  }
}

interface AtProvider {
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
