/**
 * The signature provider in trouble: out of time, 401, 404 (also as a page), 429, 500, 503, reset, answer lost. Nothing
 * moves on a guess, and everything goes on by itself when the provider is back.
 */
import { describe, expect, test, vi } from 'vitest';
import { startApp, type TestApp, type Waiting } from '../../support/app.js';
import { everyCase } from '../../support/breadth.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { PATIENCE, patienceWith } from '../../support/patience.js';
import { deliver, deliverRaw, eventBody, sign, signedApp } from '../../support/webhooks.js';

/** What each of them is to us is in tests/core/signature/provider.test.ts; here: what becomes of the act. */
const TROUBLES = everyCase(
  ['timeout', '401', '404', '404_html', '429', '500', '503', 'reset', 'answer_lost'],
  ['404_html', '503', 'answer_lost'],
);

/** Everything that a failed call must leave as it is. */
const records = (app: TestApp) => ({
  requests: app.ctx.db.raw.prepare('SELECT * FROM requests').all(),
  contracts: app.ctx.db.raw.prepare('SELECT * FROM contracts').all(),
  payments: app.ctx.db.raw.prepare('SELECT * FROM payments').all(),
  mails: app.jobs('send-mail'),
});

describe('a webhook whose PDF cannot be had', () => {
  test.each(TROUBLES)('%s: 202, nothing moved; a later try completes it, once', async (trouble) => {
    const { app, waiting } = await signedApp(patienceWith(trouble));
    const before = records(app);
    const { id } = app.sandbox.faults.add(`signature.download:${trouble}`);

    expect(await deliver(app, waiting.signId)).toBe(202);
    await app.ctx.jobs.idle();
    expect(records(app)).toEqual(before);

    app.sandbox.faults.remove(id);
    app.clock.advance(MINUTE);
    await app.drain();
    expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
    expect(app.sandbox.state().sessions).toHaveLength(1);
  });
});

describe('a webhook that needs the provider’s word because our date has passed', () => {
  // The list overrules a 404 to a document that it holds.
  test.each(TROUBLES.filter((trouble) => trouble !== '404'))(
    '%s: 202 and no verdict; it completes when the provider can be asked',
    async (trouble) => {
      const app = await startApp(patienceWith(trouble));
      const waiting = await app.waitingRequest();
      app.clock.advance(29 * DAY);
      app.sandbox.sign(waiting.signId);
      app.clock.advance(2 * DAY);
      const before = records(app);
      const { id } = app.sandbox.faults.add(`signature.get:${trouble}`);

      expect(await deliver(app, waiting.signId)).toBe(202);
      await app.ctx.jobs.idle();
      expect(records(app)).toEqual(before);

      app.sandbox.faults.remove(id);
      app.clock.advance(MINUTE);
      await app.drain();
      expect(app.contract(waiting.request.id).status).toBe('SIGNED');
    },
  );
});

test('while the provider hangs at one signature, another is completed and answered', async () => {
  const app = await startApp(patienceWith('timeout'));
  const [slow, quick] = [await app.waitingRequest(), await app.waitingRequest()];
  app.sandbox.sign(slow.signId);
  app.sandbox.sign(quick.signId);
  app.sandbox.faults.add('signature.download:timeout:1');
  const answerOf = ({ signId }: Waiting) => {
    const event = eventBody(app, signId);
    return deliverRaw(app, event, sign(Buffer.from(event)));
  };

  const slowAnswer = answerOf(slow);
  await vi.waitUntil(() => app.sandbox.state().faults.length === 0, PATIENCE);

  expect(await answerOf(quick)).toBe(200);
  expect(app.request(slow.request.id).status).toBe('WAITING_SIGNATURE');
  expect(await slowAnswer).toBe(202);
});
