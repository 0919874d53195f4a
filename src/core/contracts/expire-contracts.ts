/** The daily expiry (spec 3): a living contract whose expiredAt is earlier than now becomes EXPIRED. The request is not touched. */
import { setTimeout as pause } from 'node:timers/promises';
import { expireContractRows, listDueContracts, type DueContract } from '../../db/contracts.js';
import { insertRun } from '../../db/runs.js';
import { actorName, type Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import { CONTRACT_MOVES } from '../lifecycle.js';

export interface ExpiryResult {
  expired: number;
  contracts: DueContract[];
}

export interface ExpiryOptions {
  actor: Actor;
  /** Why a person runs it; kept in the history. */
  reason?: string | undefined;
  dryRun?: boolean;
}

/** Short locks; another process that writes meanwhile hardly waits. */
const BATCH = 150;
const PAUSE_MS = 3;

/** Expires what is due, or with `dryRun` only tells what would be. Safe to call as often as one likes. */
export async function expireContracts(
  ctx: Context,
  { actor, reason, dryRun = false }: ExpiryOptions,
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
  await ctx.writer.write((db) => {
    const finishedAt = iso(ctx.clock.now());
    const result = { expired: contracts.length };
    insertRun(db, { name: 'expire', startedAt, finishedAt, result: JSON.stringify(result) });
    if (actor.kind === 'system') return;
    const detail = { ...result, ...(reason && { reason }) };
    record(db, { at: finishedAt, actor, what: 'contracts.expired', requestId: null, detail });
  });
  return { expired: contracts.length, contracts };
}
