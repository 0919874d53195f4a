/** Sending again and ping as an operator does it: whosever the subscription is, and waiting for what comes of it. */
import { findJobByKey } from '../../db/jobs.js';
import type { DeliveryState, JobRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { AppError, withHint } from '../errors.js';
import { deliveryJobKey } from '../events.js';
import { tryOnce } from '../jobs/waiting.js';
import { getDelivery, type DeliveryView } from './browse-deliveries.js';
import { ping, redeliver } from './deliveries.js';
import type { ByHand } from './webhooks.js';

export interface Redelivery {
  id: number;
  /** Null: it could not be sent again. */
  state: DeliveryState | null;
  /** What the try came to, or why there was none. */
  outcome: string | null;
  nextTryAt: string | null;
}

interface RedeliverOptions extends ByHand {
  onResult?: (result: Redelivery) => void;
  /** Ends it after the delivery under way. */
  signal?: AbortSignal;
}

/** Sends each again and waits for one try of it. One that cannot be sent does not stop the others. */
export async function redeliverAll(
  ctx: Context,
  ids: readonly number[],
  options: RedeliverOptions,
): Promise<Redelivery[]> {
  const results: Redelivery[] = [];
  for (const id of ids) {
    if (options.signal?.aborted) break;
    const result = await redeliverOne(ctx, id, options);
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

async function redeliverOne(
  ctx: Context,
  id: number,
  { actor, reason, signal }: RedeliverOptions,
): Promise<Redelivery> {
  try {
    const { delivery, attempts, nextTryAt } = await tried(
      ctx,
      await redeliver(ctx, id, { actor, reason }),
      signal,
    );
    return { id, state: delivery.state, outcome: attempts.at(-1)?.outcome ?? null, nextTryAt };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, state: null, outcome: withHint(error), nextTryAt: null };
  }
}

/** Pings a receiver and waits for its answer. */
export async function pingAndWait(
  ctx: Context,
  webhookId: number,
  { signal, ...by }: ByHand & { signal?: AbortSignal },
): Promise<DeliveryView> {
  return tried(ctx, await ping(ctx, webhookId, by), signal);
}

async function tried(
  ctx: Context,
  { delivery: { id } }: DeliveryView,
  signal: AbortSignal | undefined,
): Promise<DeliveryView> {
  await tryOnce(ctx, findJobByKey(ctx.db, deliveryJobKey(id)) as JobRow, signal);
  return getDelivery(ctx, id);
}
