/** Finds a webhook's contract by its signId or, when even the draft's answer was lost, by proof. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  findContract,
  findContractByExternalId,
  findContractBySignId,
  isAnyUnnamed,
  setSignId,
} from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { unlessNotFound } from '../http/provider-error.js';
import { findAtProvider } from './observe.js';
import type { SignatureEvent } from './webhook-event.js';

/** Undefined when it is not ours, or could not be proved in time. */
export async function contractOfEvent(
  ctx: Context,
  event: Pick<SignatureEvent, 'signId' | 'externalId'>,
): Promise<ContractRow | undefined> {
  const { signId } = event;
  if (signId === undefined) return undefined;
  return (
    findContractBySignId(ctx.db, { signId }) ?? withinPatience(ctx, adopt(ctx, signId, event.externalId))
  );
}

/** The external id of a document whose webhook does not say it; null when it has none. Throws a ProviderError. */
export async function nameThere({ provider }: Context, signId: string): Promise<string | null> {
  const state = await unlessNotFound(provider.getSignatureStatus({ signId, externalId: null }));
  return state?.externalId ?? null;
}

/** Finds it by name, with the usual proofs (is-ours.ts). */
async function adopt(ctx: Context, signId: string, told: string | null): Promise<ContractRow | undefined> {
  if (!isAnyUnnamed(ctx.db)) return undefined;
  const name = told ?? (await nameThere(ctx, signId));
  const contract = name ? findContractByExternalId(ctx.db, { externalId: name }) : undefined;
  if (!contract || contract.signId !== null) return undefined;
  const { ours } = await findAtProvider(ctx, contract);
  const signerEmail = ours?.signers[0]?.email;
  if (ours?.signId !== signId || !signerEmail) return undefined;
  return ctx.writer.write((db) => {
    const { id } = contract;
    if (findContract(db, { id })?.signId === null) setSignId(db, { id, signId, signerEmail });
    return findContractBySignId(db, { signId });
  });
}

/**
 * Limits how long a webhook's caller waits for work it need not know about. The work's result, if in time; undefined when it continues or has failed, which
 * is logged.
 */
export async function withinPatience<T>(ctx: Context, work: Promise<T>): Promise<T | undefined> {
  const patience = new AbortController();
  const logged = work.catch((error: unknown) => {
    ctx.log.warn({ error: describeError(error) }, 'the provider could not be asked while its webhook waited');
    return undefined;
  });
  const over = pause(ctx.webhookPatienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
  const first = await Promise.race([logged, over]);
  patience.abort();
  return first;
}
