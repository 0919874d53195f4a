/** Which of our contracts a webhook is about: by its signId, or, when even the answer to the draft was lost, by proof. */
import {
  findContract,
  findContractByExternalId,
  findContractBySignId,
  isAnyUnnamed,
  setSignId,
} from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { isProviderError } from '../http/provider-error.js';
import { findAtProvider } from './create-signature.js';
import { withinPatience } from './patience.js';
import type { SignatureEvent } from './webhook-event.js';

/** Undefined: none of ours, or it could not be proved while the caller still listens. */
export async function contractOfEvent(
  ctx: Context,
  event: Pick<SignatureEvent, 'signId' | 'externalId'>,
): Promise<ContractRow | undefined> {
  const { signId } = event;
  if (signId === undefined) return undefined;
  return findContractBySignId(ctx.db, signId) ?? withinPatience(ctx, adopt(ctx, signId, event.externalId));
}

/** The contract whose name the record bears is ours only with the proofs of every other (is-ours.ts). */
async function adopt(ctx: Context, signId: string, told: string | null): Promise<ContractRow | undefined> {
  if (!isAnyUnnamed(ctx.db)) return undefined;
  const name = told ?? (await nameThere(ctx, signId));
  const contract = name ? findContractByExternalId(ctx.db, name) : undefined;
  if (!contract || contract.signId !== null) return undefined;
  const { ours } = await findAtProvider(ctx, contract);
  const signerEmail = ours?.signers[0]?.email;
  if (ours?.signId !== signId || !signerEmail) return undefined;
  return ctx.writer.write((db) => {
    const { id } = contract;
    if (findContract(db, id)?.signId === null) setSignId(db, { id, signId, signerEmail });
    return findContractBySignId(db, signId);
  });
}

async function nameThere({ provider }: Context, signId: string): Promise<string | null> {
  try {
    return (await provider.getSignatureStatus(signId)).externalId;
  } catch (error) {
    if (isProviderError(error, 'not_found')) return null;
    throw error;
  }
}
