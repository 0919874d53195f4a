/** The mail server in trouble: nothing waits for it, and every mail leaves later, under the id it always had. */
import { describe, expect, test } from 'vitest';
import { type TestApp } from '../support/app.js';
import { HOUR, MINUTE } from '../support/clock.js';
import { PATIENCE } from '../support/patience.js';
import { completedApp, deliverPayment } from '../support/webhooks.js';

const arrived = (app: TestApp) => app.sandbox.mails().filter(({ source }) => source === 'smtp');
const ids = (app: TestApp) => arrived(app).map(({ messageId }) => messageId);

describe.each(['refuse', '421', '451'])('smtp: %s', (trouble) => {
  test('signature and payment go through; the mails wait and leave when the server is back, once each, but no link to pay what is paid', async () => {
    const { app, waiting } = await completedApp({ fault: `smtp:${trouble}` });
    await app.drain();
    expect(await deliverPayment(app, app.request(waiting.request.id).paymentId as string)).toBe(200);
    await app.drain();

    expect(app.request(waiting.request.id).status).toBe('COMPLETE');
    expect(arrived(app)).toEqual([]);
    expect(app.jobs('send-mail').map(({ state }) => state)).toEqual(Array(5).fill('available'));

    app.sandbox.faults.clear();
    app.clock.advance(MINUTE);
    await app.drain();
    expect(app.jobs('send-mail').map(({ state }) => state)).toEqual(Array(5).fill('completed'));
    // All but the link to pay: it is paid.
    expect(new Set(ids(app)).size).toBe(4);
    expect(arrived(app)).toHaveLength(4);
    expect(arrived(app).filter(({ text }) => text.includes('/pay/'))).toEqual([]);
  });
});

test('a server that never greets takes no place of the payment', async () => {
  const { app, waiting } = await completedApp({ fault: 'smtp:hang' });
  const draining = app.drain();

  await expect.poll(() => app.jobs('create-payment-session')[0]?.state, PATIENCE).toBe('completed');

  expect(app.request(waiting.request.id).paymentUrl).toContain('/pay/');
  expect(arrived(app)).toEqual([]);
  // Ends the wait for a greeting.
  await app.sandbox.close();
  await draining;
});

test('a server that is down for half an hour: nothing is in the failed list, and all mails arrive', async () => {
  const { app } = await completedApp({ fault: 'smtp:refuse' });
  await app.drain();
  for (const wait of [1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE]) {
    app.clock.advance(wait);
    await app.drain();
  }
  expect(app.jobs().filter(({ state }) => state === 'failed')).toEqual([]);

  app.sandbox.faults.clear();
  app.clock.advance(2 * HOUR);
  await app.drain();
  expect(new Set(ids(app)).size).toBe(3);
});
