/** esignctl and a running daemon on the same data directory. */
import { expect, test } from 'vitest';
import { aWorld } from '../support/world.js';

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
