/**
 * Takes back a contract whose start was cut short when it had asked the provider to send it: only the provider knows
 * whether it is out. What the customer may have read must not change unseen (decisions 2, "A start is not a contract").
 */
import { findContract } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { endContract } from '../contracts/end-contract.js';
import { AppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { requestLock, withLock } from '../lock.js';
import { applyState } from './check-signature.js';
import { closeAtProvider } from './close-at-provider.js';
import { findAtProvider } from './create-signature.js';

/**
 * A draft is thrown away there, and the contract ends here. What got further stays as it is, and the request is brought to
 * where it is there. Throws `provider_unavailable`, with nothing changed, when the provider cannot be asked.
 */
export async function takeBack(ctx: Context, begun: ContractRow, actor: Actor): Promise<void> {
  await withLock(ctx, requestLock(begun.requestId), async () => {
    try {
      await takeBackLocked(ctx, begun, actor);
    } catch (error) {
      if (isProviderError(error)) throw perhapsSent(error);
      throw error;
    }
  });
}

async function takeBackLocked(ctx: Context, begun: ContractRow, actor: Actor): Promise<void> {
  const { ours } = await findAtProvider(ctx, begun);
  if (ours && ours.status !== 'draft') {
    await applyState(ctx, begun, ours, { actor });
    return;
  }
  await closeAtProvider(ctx, begun, { actor });
  await ctx.writer.write((db) => {
    const fresh = findContract(db, begun.id);
    if (fresh) endContract(db, fresh, { reason: 'replaced', actor, now: iso(ctx.clock.now()) });
  });
}

function perhapsSent(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'provider_unavailable',
    'The contract may already be with the customer, and the signature provider cannot be asked at the moment.',
    { cause, hint: 'Nothing was changed: try again later.' },
  );
}
