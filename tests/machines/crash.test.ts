/** kill -9 at the worst moments. What was acknowledged is done after the restart, and done once. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { startCommand } from '../support/processes.js';
import { aWorld } from '../support/world.js';

const ESIGND = fileURLToPath(new URL('../../dist/bin/esignd.js', import.meta.url));

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
