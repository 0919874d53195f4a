/** kill -9 at the worst moments. What was acknowledged is done after the restart, and done once. */
// @module-tag programs
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { FaultInput } from '../../src/sandbox/faults.js';
import { PATIENCE } from '../support/patience.js';
import { aWorld, type World } from '../support/world.js';

const MOMENTS: Record<string, { fault: FaultInput; when: (world: World) => boolean }> = {
  'while the signed PDF comes in': {
    fault: { target: 'signature', operation: 'download', kind: 'delay', delayMs: 20_000, times: 1 },
    when: (world) => isRunning(world, 'complete-signature'),
  },
  'while the payment session is made': {
    fault: { target: 'payment', operation: 'create', kind: 'delay', delayMs: 20_000, times: 1 },
    when: (world) => isRunning(world, 'create-payment-session'),
  },
  'while the mails go out': {
    fault: { target: 'smtp', kind: 'delay', delayMs: 10_000, times: 2 },
    when: (world) => isRunning(world, 'send-mail'),
  },
};

test.concurrent.for(Object.entries(MOMENTS))(
  'kill -9 %s: all is done after the restart, once',
  async ([, { fault, when }], t) => {
    const world = await aWorld(t);
    const daemon = await world.daemon();
    const { requestId, contractId, signId } = await world.waitingRequest();
    await world.fault(fault);
    await world.sign(signId);
    await vi.waitUntil(() => when(world), PATIENCE);

    await daemon.killHard();
    await world.daemon();

    await vi.waitUntil(async () => (await mailsOf(world)).size === 3, PATIENCE);
    await vi.waitUntil(() => openJobs(world) === 0, PATIENCE);
    expect(world.status(requestId)).toBe('WAITING_PAYMENT');
    expect((await world.outside()).sessions).toHaveLength(1);
    expect(world.rows('SELECT 1 FROM payments')).toHaveLength(1);
    expectStoredPdf(world, contractId);
    expect([...(await mailsOf(world)).values()].sort()).toEqual([
      'customer with PDF',
      'customer without PDF',
      'office',
    ]);
    expect(world.rows("SELECT 1 FROM jobs WHERE state <> 'completed'")).toEqual([]);
    expect(world.rows("SELECT 1 FROM inbox WHERE state = 'received'")).toEqual([]);
  },
);

test.concurrent('kill -9 twice on the way: one session, one PDF, three mails', async (t) => {
  const world = await aWorld(t);
  const { requestId, contractId, signId } = await world.waitingRequest();
  let daemon = await world.daemon();
  await world.sign(signId);
  await vi.waitUntil(() => changes(world) > 0, PATIENCE);
  for (let kills = 0; kills < 2; kills += 1) {
    await daemon.killHard();
    const before = changes(world);
    daemon = await world.daemon();
    await vi.waitUntil(() => changes(world) !== before || openJobs(world) === 0, PATIENCE);
  }

  await vi.waitUntil(() => world.status(requestId) === 'WAITING_PAYMENT' && openJobs(world) === 0, PATIENCE);
  expect((await world.outside()).sessions).toHaveLength(1);
  expect((await mailsOf(world)).size).toBe(3);
  expectStoredPdf(world, contractId);
});

function isRunning(world: World, kind: string): boolean {
  return world.rows("SELECT 1 FROM jobs WHERE state = 'running' AND kind = ?", kind).length > 0;
}

function openJobs(world: World): number {
  return world.rows("SELECT 1 FROM jobs WHERE state IN ('available', 'running')").length;
}

/** A number that grows with everything that happens to a job. */
function changes(world: World): number {
  return (
    world.rows<{ n: number }>('SELECT coalesce(sum(attempt), 0) + count(finishedAt) AS n FROM jobs')[0]?.n ??
    0
  );
}

/** By Message-ID: a mail whose delivery the crash kept from being recorded goes out again under the same id. */
async function mailsOf(world: World): Promise<Map<string, string>> {
  const { mails } = await world.outside();
  return new Map(
    mails
      .filter(({ source }) => source === 'smtp')
      .map(({ messageId, to, attachments }) => [
        messageId ?? '',
        to.includes('office@acme.test')
          ? 'office'
          : `customer ${attachments.length > 0 ? 'with' : 'without'} PDF`,
      ]),
  );
}

function expectStoredPdf(world: World, contractId: number): void {
  const pdf = readFileSync(join(world.dataDir, 'contracts', `${contractId}.pdf`));
  const [row] = world.rows<{ pdfSha256: string; pdfSize: number }>(
    'SELECT pdfSha256, pdfSize FROM contracts',
  );
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(row).toEqual({ pdfSha256: createHash('sha256').update(pdf).digest('hex'), pdfSize: pdf.length });
}
