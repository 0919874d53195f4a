/** The daily expiry (spec 3): a living contract whose expiredAt is earlier than now becomes EXPIRED. The request is not touched. */
import { setTimeout as pause } from 'node:timers/promises';
import { expireContractRows, listDueContracts, type DueContract } from '../../db/contracts.js';
import { insertRun } from '../../db/runs.js';
import { actorName, type Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { CONTRACT_MOVES } from '../lifecycle.js';

export interface ExpiryResult {
  expired: number;
  contracts: DueContract[];
}

/** Short locks; another process that writes meanwhile hardly waits. */
const BATCH = 500;
const PAUSE_MS = 3;

/** Expires what is due, or with `dryRun` only tells what would be. Safe to call as often as one likes. */
export async function expireContracts(
  ctx: Context,
  { actor, dryRun = false }: { actor: Actor; dryRun?: boolean },
): Promise<ExpiryResult> {
  const startedAt = iso(ctx.clock.now());
  if (dryRun) {
    const contracts = listDueContracts(ctx.db, { now: startedAt, limit: -1 });
    return { expired: contracts.length, contracts };
  }
  const contracts: DueContract[] = [];
  for (;;) {
    const due = listDueContracts(ctx.db, { now: startedAt, limit: BATCH });
    if (due.length === 0) break;
    const { from, to } = CONTRACT_MOVES.expired;
    const batch = await ctx.writer.write((db) =>
      expireContractRows(db, due, { from, to, now: startedAt, actor: actorName(actor) }),
    );
    contracts.push(...batch);
    // About as long as the lock was held: whoever waits for it tries again within that time.
    await pause(PAUSE_MS);
  }
  await ctx.writer.write((db) =>
    insertRun(db, {
      name: 'expire',
      startedAt,
      finishedAt: iso(ctx.clock.now()),
      result: JSON.stringify({ expired: contracts.length }),
    }),
  );
  return { expired: contracts.length, contracts };
}
