/** The daily expiry (spec 3): a living contract whose expiredAt is earlier than now becomes EXPIRED. The request is not touched. */
import { expireContract, listDueContracts, type DueContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { insertRun } from '../../db/runs.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { record, recordAll } from '../history.js';
import { letOthersWrite } from '../let-others-write.js';
import { CONTRACT_MOVES } from '../lifecycle.js';
import { clockMustNotBeAhead } from '../signature/provider-clock.js';

export interface ExpiryResult {
  expired: number;
  contracts: DueContract[];
}

export interface ExpiryOptions {
  actor: Actor;
  /** Why a person runs it; kept in the history. */
  reason?: string | undefined;
  dryRun?: boolean;
  /** Ends it after the batch under way. */
  signal?: AbortSignal;
}

/** Some 3 ms under the write lock. */
const BATCH = 150;

/**
 * Expires what is due, or with `dryRun` only tells what would be. Safe to call as often as one likes. Refuses with
 * `clock_ahead`, and expires nothing, while our clock is far ahead of the provider's.
 */
export async function expireContracts(
  ctx: Context,
  { actor, reason, dryRun = false, signal }: ExpiryOptions,
): Promise<ExpiryResult> {
  const startedAt = iso(ctx.clock.now());
  if (listDueContracts(ctx.db, { now: startedAt, limit: 1 }).length > 0) await clockMustNotBeAhead(ctx);
  if (dryRun) {
    const contracts = listDueContracts(ctx.db, { now: startedAt, limit: -1 });
    return { expired: contracts.length, contracts };
  }
  const contracts: DueContract[] = [];
  while (!signal?.aborted) {
    const due = listDueContracts(ctx.db, { now: startedAt, limit: BATCH });
    if (due.length === 0) break;
    contracts.push(...(await ctx.writer.write((db) => expire(db, due, startedAt, actor))));
    await letOthersWrite(ctx.db);
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

/** Those that are still due and as they were listed; one that was signed meanwhile is listed again at its end. */
function expire(db: Db, due: readonly DueContract[], now: string, actor: Actor): DueContract[] {
  const { to } = CONTRACT_MOVES.expired;
  const expired = due.filter(({ id, status }) => expireContract(db, { id, from: status, to, now }));
  recordAll(
    db,
    expired.map(({ id, requestId, status }) => ({
      at: now,
      actor,
      what: 'contract.ended',
      requestId,
      contractId: id,
      detail: { reason: 'date_passed', from: status },
    })),
  );
  return expired;
}
