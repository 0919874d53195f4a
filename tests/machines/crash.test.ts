/** kill -9 at the worst moments. What was acknowledged is done after the restart, and done once. */
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import type { FaultInput } from '../../sandbox/faults.js';
import { PATIENCE } from '../support/patience.js';
import { startCommand } from '../support/processes.js';
import { aWorld, type World } from '../support/world.js';

const ESIGND = fileURLToPath(new URL('../../dist/bin/esignd.js', import.meta.url));

const MOMENTS: Record<string, { fault: FaultInput; when: (world: World) => boolean }> = {
  'while the signed PDF comes in': {
    fault: { target: 'signature', operation: 'download', kind: 'delay', delayMs: 4_000, times: 1 },
    when: (world) => world.outside().counters.calls['signature.download'] === 1,
  },
  'while the payment session is made': {
    fault: { target: 'payment', operation: 'create', kind: 'delay', delayMs: 4_000, times: 1 },
    when: (world) => world.outside().counters.calls['payment.create'] === 1,
  },
  'while the mails go out': {
    fault: { target: 'smtp', kind: 'delay', delayMs: 4_000, times: 2 },
    when: (world) => world.rows("SELECT 1 FROM jobs WHERE kind = 'send-mail' AND attempt > 0").length > 0,
  },
};

test.concurrent.for(Object.entries(MOMENTS))(
  'kill -9 %s: all is done after the restart, once',
  async ([, { fault, when }], t) => {
    const world = await aWorld(t);
    const daemon = await world.daemon();
    const { requestId, contractId, signId } = await world.waitingRequest();
    world.fault(fault);
    world.sign(signId);
    await vi.waitUntil(() => when(world), PATIENCE);

    await daemon.killHard();
    await world.daemon();

    await vi.waitUntil(() => mailsOf(world).size === 3, PATIENCE);
    await vi.waitUntil(() => world.openJobs() === 0, PATIENCE);
    expect(world.status(requestId)).toBe('WAITING_PAYMENT');
    expect(world.outside().sessions).toHaveLength(1);
    expect(world.rows('SELECT 1 FROM payments')).toHaveLength(1);
    expectStoredPdf(world, contractId);
    expect([...mailsOf(world).values()].sort()).toEqual([
      'customer with PDF',
      'customer without PDF',
      'office',
    ]);
    expect(world.rows("SELECT 1 FROM jobs WHERE state <> 'completed'")).toEqual([]);
    expect(world.rows("SELECT 1 FROM inbox WHERE state = 'received'")).toEqual([]);
  },
);

test('kill -9 of a daemon whose parent never hears of it: the next one takes up its jobs at once, not when their leases lapse', async (t) => {
  const world = await aWorld(t);
  const start = `'${process.execPath}' -- '${ESIGND}' & echo "daemon $!"; exec sleep 1000`;
  const parent = startCommand('sh', ['-c', start], world.env);
  const pid = Number((await parent.said(/^daemon (\d+)$/m))[1]);
  t.onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  await parent.said(/\bready\b/);
  const { requestId, signId } = await world.waitingRequest();
  world.fault({ target: 'signature', operation: 'download', kind: 'timeout', times: 1 });
  world.sign(signId);
  await vi.waitUntil(() => world.outside().counters.calls['signature.download'] === 1, PATIENCE);
  const leases = () =>
    world.rows<{ leaseToken: string }>("SELECT leaseToken FROM jobs WHERE state = 'running'");
  const [lost] = leases();
  expect(lost).toBeDefined();

  process.kill(pid, 'SIGKILL');
  await vi.waitUntil(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '), PATIENCE);
  await world.daemon();

  expect(leases()).not.toContainEqual(lost);
  await vi.waitUntil(() => world.status(requestId) === 'WAITING_PAYMENT', PATIENCE);
});

/** By Message-ID: a mail whose delivery the crash kept from being recorded goes out again under the same id. */
function mailsOf(world: World): Map<string, string> {
  const { mails } = world.outside();
  return new Map(
    mails
      .filter(({ source }) => source === 'smtp')
      .map(({ messageId, to, attachments }) => [
        messageId ?? '',
        to.includes('office@acme.test')
          ? 'office'
          : `customer ${attachments.some(({ filename }) => filename.endsWith('.pdf')) ? 'with' : 'without'} PDF`,
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
