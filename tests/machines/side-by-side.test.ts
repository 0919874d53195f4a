/** esignctl and a running daemon on the same data directory. */
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { aWorld } from '../support/world.js';

test.concurrent('webhook and three manual checks at once: the work is done once', async (t) => {
  const world = await aWorld(t);
  const { requestId, signId } = await world.waitingRequest();
  await world.daemon();

  world.sign(signId);
  const checks = await Promise.all(
    [1, 2, 3].map(() => world.ctlProgram('check-signature', String(requestId), '--json').ended),
  );

  // Each either did it or came second; none failed.
  for (const { code } of checks) expect([0, 3]).toContain(code);
  await vi.waitUntil(
    () => world.rows("SELECT 1 FROM jobs WHERE state <> 'completed'").length === 0,
    PATIENCE,
  );
  expect(world.status(requestId)).toBe('WAITING_PAYMENT');
  expect(world.outside().sessions).toHaveLength(1);
  expect(world.rows("SELECT 1 FROM history WHERE what = 'contract.signed'")).toHaveLength(1);
});

test.concurrent('eight users created by the command line while the daemon works: nobody is refused for a locked database', async (t) => {
  const world = await aWorld(t);
  await world.daemon();

  const created = await Promise.all(
    Array.from(
      { length: 8 },
      (_, n) => world.ctlProgram('users', 'create', `u${n}@example.org`, '--generate').ended,
    ),
  );

  expect(created.map(({ code }) => code)).toEqual(created.map(() => 0));
  expect(world.rows('SELECT 1 FROM users')).toHaveLength(8);
});
