/**
 * Remembers the documents that the bulk check found at the provider and that are unknown here (rules 12), until they are
 * known, over or settled by a person.
 */
import { decideCase, openCaseAgain } from '../cases/cases.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import type { Round } from '../calls/round.js';
import type { ContractRow } from '../../db/schema.js';
import { ofContract } from '../history/history.js';
import { requestLock, withLock } from '../lock.js';
import { unlessNotFound } from '../http/provider-error.js';
import type { SignatureState } from './provider-answers.js';
import {
  asUnknown,
  contractOfSecond,
  findOpenUnknown,
  listOpenUnknown,
  type UnknownSignature,
} from './unknown-signatures.js';
import { closeAtProvider } from './close-at-provider.js';
import { asRefusal } from './provider-says.js';

/** So many are asked for one by one. */
const ASKED_MAX = 20;

/** Those found before that are known now, or over; `listed` was read from the list, the others are asked for. */
export async function lookAgain(
  ctx: Context,
  round: Round,
  listed: readonly SignatureState[],
): Promise<string[]> {
  const states = new Map(listed.map((state) => [state.signId, state]));
  const gone: string[] = [];
  await round.each(ctx, listOpenUnknown(ctx.db, LOOKED_AT_MAX), {
    keyOf: ({ signId }) => signId,
    nameOf: ({ signId }) => `document ${signId}`,
    act: async (known) => {
      const { signId } = known;
      const state = states.get(signId) ?? (await unlessNotFound(ctx.provider.getSignatureStatus(known)));
      if (!state || asUnknown(ctx.db, state).length === 0) gone.push(signId);
    },
    failed: () => undefined,
    name: 'unknown',
    max: ASKED_MAX,
  });
  return gone;
}

const LOOKED_AT_MAX = 1_000;

/** Drafts have reached nobody. */
export function rememberUnknown(
  tx: Change,
  unknown: readonly UnknownSignature[],
  gone: readonly string[],
): void {
  if (gone.length > 0) decideCase(tx, ['unknown_document'], gone, 'overtaken');
  for (const one of unknown) {
    const { signId, externalId, status, name } = one;
    if (status === 'draft') continue;
    const contract = contractOfSecond(tx.db, one);
    const about = contract ? ofContract(contract) : { requestId: null, contractId: null };
    openCaseAgain(tx, { kind: 'unknown_document', subject: signId }, about, { externalId, status, name });
  }
}

/**
 * A person has dealt with it: it does not need the office any more. A contract's second document that can still be signed is canceled at
 * the provider first. Throws `not_found`, `already_signed`, `provider_unavailable`; then nothing has changed.
 */
export async function settleUnknown(
  ctx: Context,
  signId: string,
  by: By & { dryRun?: boolean },
): Promise<void> {
  const found = findOpenUnknown(ctx.db, signId);
  if (!found) throw notFound('not_found', `No document ${signId} is waiting for the office.`);
  if (by.dryRun) return;
  const contract = contractOfSecond(ctx.db, found);
  if (contract) await withdrawSecond(ctx, contract, signId, by);
  await change(ctx, by, (tx) => {
    decideCase(tx, ['unknown_document'], [signId], 'settled');
    tx.record('signature.settled', contract ? ofContract(contract) : null, { signId, reason: tx.reason });
  });
}

async function withdrawSecond(ctx: Context, contract: ContractRow, signId: string, by: By): Promise<void> {
  try {
    await withLock(ctx, requestLock(contract.requestId), async (held) => {
      // Signed, it is only dismissed: the person has seen that.
      const isMeant = (state: SignatureState) => state.signId === signId && state.status !== 'done';
      await closeAtProvider(held, contract, {
        actor: by.actor,
        isMeant,
        note: 'A second copy of the contract.',
      });
    });
  } catch (error) {
    throw asRefusal(error);
  }
}
