/** Mails of what needs the office (rules 12): the daily list, and one for all jobs that fail within a few minutes. */
import { expect, test } from 'vitest';
import { iso } from '../../../src/core/clock.js';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { orderDigest } from '../../../src/core/needs/digest.js';
import { findLastRun } from '../../../src/db/installation/runs.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { story } from '../../support/story.js';

const by = { actor: TESTER };

const mailsTo = (app: TestApp, subject = /./) =>
  app.sandbox.mails().filter((mail) => mail.to.includes('office@acme.test') && subject.test(mail.subject));
const FAILED = /failed for good/;

/** A contract was sent, and nobody has signed it in its time. */
async function overdue() {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  app.clock.advance(32 * DAY);
  return { app, request };
}

/** The provider has refused every attempt at a page to pay, and the mail about it has come. */
async function failedPayment(): Promise<TestApp> {
  const { app } = await story().completed().end();
  app.sandbox.faults.add('payment.create:503');
  for (const waitMs of [0, 1_000, 2_000, 4_000]) {
    app.clock.advance(waitMs);
    await app.drain();
  }
  return app;
}

async function afterFiveMinutes(app: TestApp): Promise<void> {
  app.clock.advance(5 * MINUTE);
  await app.drain();
}

test('the daily mail lists what needs the office, with the command for each; with nothing to do there is none', async () => {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  expect(await orderDigest(app.ctx, by)).toEqual({ needs: 0 });
  expect(app.jobs('send-mail')).toEqual([]);
  expect(findLastRun(app.ctx.db, { name: 'digest' })?.startedAt).toBe(iso(app.clock.now()));

  app.clock.advance(32 * DAY);
  await orderDigest(app.ctx, by);
  await app.drain();
  const [mail] = mailsTo(app);
  expect(mail?.subject).toBe('Needs attention: 1');
  expect(mail?.text).toContain(`${request.reference} Ada Lovelace`);
  expect(mail?.text.replaceAll(/\s+/g, ' ')).toMatch(
    new RegExp(`\\(esignctl [a-z-]+ ?[a-z]* ${request.id}\\)`),
  );
  expect(mail?.text).toContain('/admin/todo');
});

test('what one cause did to many requests hides no other cause: the row counts and commands all of them', async () => {
  const { app, request } = await overdue();
  for (let i = 0; i < 60; i += 1) await app.addRequest(undefined, { status: 'new' });
  app.ctx.db.raw
    .prepare("UPDATE requests SET statusSince = '2026-01-05T09:00:00.000Z' WHERE status = 'new'")
    .run();
  await orderDigest(app.ctx, by);
  await app.drain();
  const [mail] = mailsTo(app);
  expect(mail?.subject).toBe('Needs attention: 2');
  expect(mail?.text).toContain('60 requests (Ada');
  expect(mail?.text).toContain(`${request.reference} Ada Lovelace`);
});

test('a list that is empty when its mail leaves is not sent', async () => {
  const { app, request } = await overdue();
  await orderDigest(app.ctx, by);
  app.ctx.db.raw.prepare("UPDATE requests SET status = 'CANCELED' WHERE id = ?").run(request.id);
  await app.drain();
  expect(app.jobs('send-mail')).toMatchObject([{ state: 'completed' }]);
  expect(mailsTo(app)).toEqual([]);
});

test('jobs that fail for good are told within minutes by one mail for all, with the command that runs them again', async () => {
  const app = await failedPayment();
  expect(app.jobs('create-payment-session').map(({ state }) => state)).toEqual(['failed']);
  // Gathered, not sent yet.
  expect(mailsTo(app, FAILED)).toEqual([]);

  await afterFiveMinutes(app);
  const told = mailsTo(app, /^Jobs failed for good: 1$/);
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toMatch(/1 × payment page: .*503/);
  expect(told[0]?.text).toContain('esignctl failed replay --all --kind create-payment-session');
});

test('what fails later in the hour is told at its end; what was run again meanwhile is not told', async () => {
  const app = await failedPayment();
  await afterFiveMinutes(app);
  const { id } = app.jobs('create-payment-session')[0] as { id: number };
  const failAgain = () => replayFailed(app.ctx, [id], by);

  await failAgain();
  await failAgain();
  const waiting = app
    .jobs('send-mail')
    .filter(({ state, payload }) => state === 'available' && payload.includes('jobs-failed'));
  expect(waiting.map(({ runAt }) => runAt)).toEqual([`${iso(app.clock.now()).slice(0, 13)}:59:59.999Z`]);

  app.sandbox.faults.clear();
  await failAgain();
  app.clock.advance(HOUR);
  await app.drain();
  expect(mailsTo(app, FAILED)).toHaveLength(1);
});

test('a retry that tells of more has another Message-ID, so that no mailbox hides it; one that tells the same has not', async () => {
  const app = await failedPayment();
  const unsettled = `CREATE TEMP TRIGGER forget BEFORE INSERT ON history WHEN new.what = 'mail.sent'
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`;
  app.ctx.db.raw.exec(unsettled);
  await afterFiveMinutes(app);
  app.clock.advance(1_000);
  await app.drain();
  app.ctx.db.raw
    .prepare("UPDATE jobs SET state = 'failed', finishedAt = ? WHERE payload LIKE '%admin-signed%'")
    .run(iso(app.clock.now()));
  app.clock.advance(5_000);
  await app.drain();

  const told = mailsTo(app, FAILED);
  expect(told.map(({ subject }) => subject)).toEqual([1, 1, 2].map((n) => `Jobs failed for good: ${n}`));
  const [first, again, more] = told.map(({ messageId }) => messageId);
  expect(again).toBe(first);
  expect(more).not.toBe(first);
});

test('a mail about trouble that cannot be sent orders no other', async () => {
  const { app } = await overdue();
  await orderDigest(app.ctx, by);
  app.sandbox.faults.add('smtp:451');
  for (let tries = 0; tries < 8; tries += 1) {
    await app.drain();
    app.clock.advance(3 * HOUR);
  }
  expect(app.jobs('send-mail').map(({ state }) => state)).toEqual(['failed']);
});
