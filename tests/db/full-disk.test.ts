/** No room for what comes: no half change, and no restart needed when there is room again. (Full file systems: tests/machines.) */
import { expect, test } from 'vitest';
import { rejection, startApp } from '../support/app.js';
import { deliver } from '../support/webhooks.js';

test('a database that may grow no further refuses what needs space as a whole, and takes it when it may grow again', async () => {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  app.sandbox.sign(waiting.signId);
  const pages = app.ctx.db.raw.pragma('page_count', { simple: true }) as number;
  app.ctx.db.raw.pragma(`max_page_count = ${pages}`);
  const large = { signature: { note: 'x'.repeat(100_000) } };

  expect(await rejection(deliver(app, waiting.signId, large))).toMatchObject({ code: 'SQLITE_FULL' });
  expect(app.jobs()).toEqual([]);

  app.ctx.db.raw.pragma('max_page_count = 1000000');
  expect(await deliver(app, waiting.signId, large)).toBe(200);
  await app.drain();
  expect(app.sandbox.state().sessions).toHaveLength(1);
});
