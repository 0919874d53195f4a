/** The daemon as a program. More is in tests/machines. */
import { expect, test } from 'vitest';
import { aWorld } from '../support/world.js';

test.concurrent('the daemon says that it is ready, answers, keeps a second one out and says which one runs, and leaves with 0 on SIGTERM', async (t) => {
  const world = await aWorld(t);

  const daemon = await world.daemon();
  const second = await world.daemonProcess({ ESIGN_PORT: '0' }).ended;

  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain(String(daemon.pid));
  for (const path of ['/healthz', '/readyz']) {
    expect((await fetch(world.baseUrl + path)).status).toBe(200);
  }
  expect(await daemon.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
  await expect(fetch(`${world.baseUrl}/healthz`)).rejects.toThrow();
});
