/** The payment provider in trouble: whatever is lost on the way, a contract has one session, and the request keeps its state. */
import { describe, expect, test } from 'vitest';
import { type TestApp } from '../../support/app.js';
import { everyCase } from '../../support/breadth.js';
import { patienceWith } from '../../support/patience.js';
import { completedApp } from '../../support/webhooks.js';

const WAITS_MS = [1_000, 2_000, 4_000];

async function triesToTheEnd(app: TestApp): Promise<void> {
  await app.drain();
  for (const wait of WAITS_MS) {
    app.clock.advance(wait);
    await app.drain();
  }
}

const job = (app: TestApp) => app.jobs('create-payment-session')[0];
const sessions = (app: TestApp) => app.sandbox.state().sessions;
const linkMails = (app: TestApp) =>
  app.jobs('send-mail').filter(({ payload }) => payload.includes('payment-link'));

describe('the answer is lost after the session was made', () => {
  test.each(everyCase([1, 2, 3], [1, 3]))(
    'and the list fails until try %d: one session, and the customer gets its link once',
    async (tries) => {
      const { app, waiting } = await completedApp();
      app.sandbox.faults.add('payment.create:answer_lost');
      await app.drain();
      if (tries > 1) app.sandbox.faults.add('payment.list:500');

      for (const [i, wait] of WAITS_MS.entries()) {
        if (i === tries - 1) app.sandbox.faults.clear();
        app.clock.advance(wait);
        await app.drain();
      }

      expect(job(app)).toMatchObject({ state: 'completed', attempt: tries + 1 });
      expect(sessions(app)).toHaveLength(1);
      expect(app.request(waiting.request.id).paymentId).toBe(sessions(app)[0]?.id);
      expect(linkMails(app)).toHaveLength(1);
    },
  );

  test('and the list never answers: failed, but still one session, which counts when the customer pays by it', async () => {
    const { app, waiting } = await completedApp();
    app.sandbox.faults.add('payment.create:answer_lost');
    await app.drain();
    app.sandbox.faults.add('payment.list:500');

    await triesToTheEnd(app);

    expect(job(app)).toMatchObject({ state: 'failed', attempt: 4 });
    expect(sessions(app)).toHaveLength(1);
    expect(app.request(waiting.request.id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentId: null });
  });
});

test('a call that is still under way when the next one comes makes no second session', async () => {
  const { app } = await completedApp(patienceWith('timeout'));
  // We give up after 2 s; the provider goes on and has the session a second later.
  app.sandbox.faults.add({ target: 'payment', operation: 'create', kind: 'delay', delayMs: 3_000, times: 1 });

  await triesToTheEnd(app);
  await expect.poll(() => sessions(app).length).toBe(1);
  app.clock.advance(10_000);
  await app.drain();

  expect(Object.values(app.sandbox.state().counters.sessionsByKey)).toEqual([1]);
});
