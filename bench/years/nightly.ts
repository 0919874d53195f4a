/** The daemon's scheduled work, with as much due in the small installation as in the large one. */
import { pino } from 'pino';
import { SCHEDULE } from '../../src/core/actor.js';
import { openContext, type Context } from '../../src/core/context.js';
import { expireContracts } from '../../src/core/contracts/expire-contracts.js';
import { keepAuditTrails } from '../../src/core/evidence/keep-audit-trails.js';
import { orderDigest } from '../../src/core/needs/digest.js';
import { checkAllPayments } from '../../src/core/payment/check-all-payments.js';
import { remindDue } from '../../src/core/reminders/remind-due.js';
import { prune } from '../../src/core/retention/prune.js';
import { loadConfig } from '../../src/core/settings/config.js';
import { checkAllSignatures } from '../../src/core/signature/check-all-signatures.js';
import { compare, type Comparison } from './compare.js';
import type { Installation } from './data.js';

const RUNS = 3;
/** Twice as many wait in the small installation. */
const ASKED = 50;

interface Scheduled {
  name: string;
  /** Makes it due. */
  due?: string;
  run: (ctx: Context) => Promise<unknown>;
}

const PAST = '2020-01-01T00:00:00.000Z';
const AGO = (days: number) => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${days} days')`;
const FIVE_HUNDRED = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)';

const SCHEDULED: Scheduled[] = [
  {
    name: 'expiry, 200 due',
    due: `UPDATE contracts SET status = 'SIGNED', expiredAt = '2999-01-01T00:00:00.000Z' WHERE expiredAt = '${PAST}';
      UPDATE contracts SET expiredAt = '${PAST}' WHERE id IN (SELECT id FROM contracts WHERE status = 'SIGNED' ORDER BY id DESC LIMIT 200);`,
    run: async (ctx) => mustDo(200, (await expireContracts(ctx, { actor: SCHEDULE })).expired),
  },
  {
    name: 'prune, 500 jobs, deliveries and bodies due',
    due: `${FIVE_HUNDRED} INSERT INTO jobs (kind, payload, state, attempt, runAt, createdAt, finishedAt)
        SELECT 'send-mail', '{}', 'completed', 1, ${AGO(40)}, ${AGO(40)}, ${AGO(40)} FROM n;
      ${FIVE_HUNDRED} INSERT INTO deliveries (webhookId, messageId, event, content, state, createdAt, finishedAt)
        SELECT 1, 'due-' || i, 'request.updated', '{}', 'delivered', ${AGO(40)}, ${AGO(40)} FROM n;
      UPDATE inbox SET body = x'7b7d' WHERE id <= 500;`,
    run: async (ctx) => mustDo(500, (await prune(ctx, { actor: SCHEDULE })).deliveries),
  },
  {
    name: `check of signatures, until ${ASKED} are checked`,
    run: (ctx) => untilAsked((options) => checkAllSignatures(ctx, options)),
  },
  {
    name: `check of payments, until ${ASKED} are checked`,
    run: (ctx) => untilAsked((options) => checkAllPayments(ctx, options)),
  },
  {
    name: 'reminders, 50 due',
    due: `DELETE FROM history WHERE what = 'payment.reminded';
      UPDATE requests SET remindAt = NULL WHERE remindAt IS NOT NULL;
      UPDATE requests SET remindAt = '${PAST}' WHERE id IN
        (SELECT id FROM requests WHERE status = 'WAITING_PAYMENT' ORDER BY id DESC LIMIT 50);`,
    run: async (ctx) => mustDo(50, (await remindDue(ctx)).reminded),
  },
  {
    name: 'audit trails, 50 due',
    due: `INSERT OR REPLACE INTO auditTrails (contractId, dueAt)
      SELECT id, '${PAST}' FROM contracts WHERE status = 'SIGNED' ORDER BY id DESC LIMIT 50;`,
    run: async (ctx) => mustDo(50, (await keepAuditTrails(ctx)).missing),
  },
  { name: 'daily mail of what needs the office', run: (ctx) => orderDigest(ctx, { actor: SCHEDULE }) },
];

export async function nightly(comparison: Comparison): Promise<void> {
  const { few, many } = comparison;
  const contexts = new Map([few, many].map((one) => [one, opened(one)]));
  // What has come due meanwhile belongs to no run.
  for (const ctx of contexts.values()) await expireContracts(ctx, { actor: SCHEDULE });
  for (const { name, due, run } of SCHEDULED) {
    await compare(comparison, name, RUNS, async (one) => {
      const ctx = contexts.get(one) as Context;
      if (due) ctx.db.raw.exec(due);
      const began = performance.now();
      await run(ctx);
      return performance.now() - began;
    });
  }
  for (const ctx of contexts.values()) await ctx.close();
}

export function opened({ env }: Installation): Context {
  const { config } = loadConfig(env);
  const nowhere = pino.destination({ dest: '/dev/null', sync: true });
  return openContext(config, { log: pino({ level: 'info', base: null }, nowhere) });
}

async function untilAsked(
  check: (options: {
    actor: typeof SCHEDULE;
    signal: AbortSignal;
    onProgress: (done: number) => void;
  }) => Promise<{
    checked: number;
  }>,
): Promise<void> {
  const enough = new AbortController();
  const onProgress = (done: number) => {
    if (done >= ASKED) enough.abort();
  };
  const { checked } = await check({ actor: SCHEDULE, signal: enough.signal, onProgress });
  if (checked < ASKED) throw new Error(`only ${checked} were checked`);
}

function mustDo(due: number, done: number): void {
  if (done < due) throw new Error(`${done} were done instead of ${due}`);
}
