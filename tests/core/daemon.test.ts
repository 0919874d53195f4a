/** One daemon works on a data directory. */
import { expect, test } from 'vitest';
import { openDaemon, StartError } from '../../src/core/installation/daemon.js';
import { rejection, startApp } from '../support/app.js';

test('a second daemon refuses to start and names the process that holds the directory; later it may', async () => {
  const { ctx } = await startApp();
  const first = await openDaemon(ctx.config, { log: ctx.log });
  const refusal = await rejection(openDaemon(ctx.config, { log: ctx.log }));
  expect(refusal).toBeInstanceOf(StartError);
  expect(refusal.message).toBe(
    `Another esignd (process ${process.pid}) works on ${ctx.config.dataDir}. Stop it, or set ESIGN_DATA_DIR.`,
  );
  await first.close();
  const next = await openDaemon(ctx.config, { log: ctx.log });
  await next.close();
});
