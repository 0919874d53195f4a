/**
 * The daily expiry (rules 2): pending and signed contracts whose expiredAt has passed become EXPIRED, unless our clock is far ahead of the
 * signature provider's ("The provider's clock decides"). Requests are
 * not touched.
 */
import {
  expireContract,
  listDueContracts,
  listTermsEnding,
  type DueContract,
} from '../../db/contracts/contracts.js';
import { insertRun } from '../../db/installation/runs.js';
import { openCase } from '../cases/cases.js';
import { change, type Change, type Try } from '../change.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { describeError, refused } from '../errors.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { CONTRACT_MOVES } from '../lifecycle.js';
import { inBatches } from '../retention/let-others-write.js';

/** About 3 ms under the write lock. */
const BATCH = 150;

/**
 * Expires what is due, or only lists it with `dryRun`. Safe to repeat. Refuses with `clock_ahead` while our clock is
 * far ahead of the provider's. `signal` stops it after the current batch; then it counts as no run.
 */
export async function expireContracts(
  ctx: Context,
  { dryRun = false, signal, ...by }: Try & { signal?: AbortSignal },
): Promise<{ expired: number; contracts: DueContract[] }> {
  const startedAt = iso(ctx.clock.now());
  const until = iso(addDays(ctx.clock.now(), ctx.config.renewDays));
  const isAnyDue =
    listDueContracts(ctx.db, { now: startedAt, limit: 1 }).length > 0 ||
    listTermsEnding(ctx.db, { until, limit: 1 }).length > 0;
  if (isAnyDue) await clockMustNotBeAhead(ctx);
  if (dryRun) {
    const contracts = listDueContracts(ctx.db, { now: startedAt, limit: -1 });
    return { expired: contracts.length, contracts };
  }
  // Before they end, so that none ends in silence: each is a case, which a renewal or a person decides.
  const ending = () => listTermsEnding(ctx.db, { until, limit: BATCH });
  await inBatches(ctx.db, signal, ending, (batch) => change(ctx, by, (tx) => tellTermsEnding(tx, batch)));
  const contracts: DueContract[] = [];
  const due = () => listDueContracts(ctx.db, { now: startedAt, limit: BATCH });
  const isWhole = await inBatches(ctx.db, signal, due, async (batch) =>
    contracts.push(...(await change(ctx, by, (tx) => expire(tx, batch, startedAt)))),
  );
  await change(ctx, by, (tx) => {
    const result = { expired: contracts.length };
    if (isWhole)
      insertRun(tx.db, { name: 'expire', startedAt, finishedAt: tx.now, result: JSON.stringify(result) });
    if (tx.actor.kind !== 'system') tx.record('contracts.expired', null, { ...result, reason: tx.reason });
  });
  return { expired: contracts.length, contracts };
}

function tellTermsEnding(tx: Change, ending: ReturnType<typeof listTermsEnding>): void {
  for (const contract of ending)
    openCase(tx, { kind: 'term_ends', subject: String(contract.id) }, ofContract(contract));
}

/**
 * Expires those that are unchanged since they were listed; one signed meanwhile is listed again at the end of its
 * term.
 */
export function expire(tx: Change, due: readonly DueContract[], now: string): DueContract[] {
  const { to } = CONTRACT_MOVES.expired;
  const expired = due.filter(({ id, status }) => expireContract(tx.db, { id, from: status, to, now }));
  tx.recordAll(
    'contract.ended',
    expired.map((contract) => ({
      about: ofContract(contract),
      detail: { reason: 'date_passed', from: contract.status },
    })),
  );
  return expired;
}

/** Far above clock drift and answer times; expiring a contract this much too early is harmless. */
export const CLOCK_AHEAD_MAX_MS = 300_000;

const PATIENCE_MS = 5_000;

/**
 * Refuses with `clock_ahead` while our clock is far ahead of the provider's. If the provider cannot be asked, ours
 * counts: an outage there must not keep contracts alive, and a contract closed too early is still completed with
 * proof of a timely signature.
 */
async function clockMustNotBeAhead(ctx: Context): Promise<void> {
  const ours = ctx.clock.now();
  const theirs = await timeThere(ctx);
  if (!theirs || ours.getTime() - theirs.getTime() <= CLOCK_AHEAD_MAX_MS) return;
  throw refused(
    'clock_ahead',
    `The clock of this machine says ${iso(ours)}, that of the signature provider ${iso(theirs)}: no contract was closed.`,
    'Set the clock, preferably by time synchronisation (systemd-timesyncd, chrony).',
  );
}

async function timeThere(ctx: Context): Promise<Date | undefined> {
  try {
    return await ctx.provider.probe({ withinMs: PATIENCE_MS });
  } catch (error) {
    if (!isProviderError(error)) throw error;
    const why = describeError(error);
    ctx.log.warn({ error: why }, 'the clock could not be compared with the signature provider’s');
    return undefined;
  }
}
