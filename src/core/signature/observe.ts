/** What the signature provider says of a contract's document, proved to be the contract's (rules 2, "Ownership"). */
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { unlessNotFound } from '../http/provider-error.js';
import { findAtProvider } from './at-provider.js';
import type { Theirs } from './facts.js';
import { mayBeOurs, proveOurs } from './is-ours.js';
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
  const over = endIn(state, false);
  if (over) return { is: over.reason };
  switch (status) {
    case 'done':
      return { is: status, signedAt, lastMoment };
    case 'ongoing':
      return { is: status, lastMoment };
    default:
      return { is: status === 'draft' ? status : 'other' };
  }
}
