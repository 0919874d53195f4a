/** What needs the office (rules 12): each kind of trouble once, with its time and next command, and nothing else. */
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandLine } from '../../../src/core/commands.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { orderDigest } from '../../../src/core/needs/digest.js';
import { countNeeds, listNeeds, beginningOf } from '../../../src/core/needs/needs.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { rememberFailure } from '../../../src/core/schedule/runs.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { readDashboard } from '../../../src/core/status/dashboard.js';
import { iso } from '../../../src/core/clock.js';
import { startApp, TESTER, type TestApp, testSettings } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { subscribed } from '../../support/subscriptions.js';
import { story } from '../../support/story.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';
import { rowsOf } from '../../../src/core/needs/rows.js';
import { run } from '../../cli/support.js';
import { outage } from '../../support/outage.js';

const by = { actor: TESTER };

async function needs({ ctx }: TestApp, limit = 50) {
  const listed = await listNeeds(ctx, limit);
  return listed.needs.map(({ kind, since, request, next }) => [
    kind,
    since,
    request?.id ?? null,
    commandLine(next),
  ]);
}

async function aSigned() {
  const { app, waiting } = await story().completed().end();
  return { app, request: waiting.request };
}

const waitingIds = ({ ctx }: TestApp) => readDashboard(ctx).waitingSignature.map(({ request }) => request.id);

test('a declined contract needs the office until it is reset; one that waits for its customer does not', async () => {
  const app = await startApp();
  const [declined, waiting] = [await app.waitingRequest(), await app.waitingRequest()];
  expect(await needs(app)).toEqual([]);

  app.clock.advance(HOUR);
  app.sandbox.decline(declined.signId, { reason: 'Too dear' });
  await checkSignature(app.ctx, declined.request.id, by);
  await app.drain();

  const { id } = declined.request;
  expect(await needs(app)).toEqual([['ended', iso(app.clock.now()), id, `esignctl reset-signature ${id}`]]);
  expect((await listNeeds(app.ctx, 5)).needs[0]?.what).toContain('Too dear');
  expect(waitingIds(app)).toEqual([waiting.request.id]);

  await resetSignature(app.ctx, id, by);
  expect(await needs(app)).toEqual([]);
  expect(waitingIds(app).sort()).toEqual([id, waiting.request.id].sort());
});

test('a declined contract is in the list and in the daily mail behind 35 reopened requests that need nobody', async () => {
  const app = await startApp();
  const declined = await app.waitingRequest();
  for (let i = 0; i < 35; i += 1) {
    const { request } = await app.waitingRequest();
    await cancelRequest(app.ctx, request.id, { ...by, reason: 'wrong model' });
    await reopenRequest(app.ctx, request.id, { ...by, reason: 'the right one after all' });
  }
  app.clock.advance(HOUR);
  app.sandbox.decline(declined.signId);
  await checkSignature(app.ctx, declined.request.id, by);
  await app.drain();

  const { id } = declined.request;
  for (const limit of [1, 30, 200])
    expect(await needs(app, limit)).toEqual([
      ['ended', expect.anything(), id, `esignctl reset-signature ${id}`],
    ]);
  expect(await countNeeds(app.ctx, 9)).toMatchObject({ count: 1, isMore: false });
  expect(await orderDigest(app.ctx, by)).toEqual({ needs: 1 });
  await app.drain();
  expect(app.sandbox.mails().at(-1)?.text).toContain(`esignctl reset-signature ${id}`);
});

test('a contract that nobody signed in time needs the office, before and after the daily expiry, until it is canceled', async () => {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  app.clock.advance(32 * DAY);
  const [[kind, , id, next] = []] = await needs(app);
  expect([kind, id, next]).toEqual(['expired', request.id, expect.stringMatching(/^esignctl /)]);
  await expireContracts(app.ctx, by).catch(() => undefined);
  expect((await needs(app)).map(([word]) => word)).toEqual(['expired']);

  await cancelRequest(app.ctx, request.id, { ...by, reason: 'gave up', notify: false });
  expect(await needs(app)).toEqual([]);
});

test('a payment that failed needs the office until its link is renewed; one that nobody has made yet does not', async () => {
  const { app, request } = await aSigned();
  await app.drain();
  const { id } = request;
  app.clock.advance(2 * DAY);
  expect(await needs(app)).toEqual([]);
  expect(readDashboard(app.ctx).waitingPayment.map((row) => row.request.id)).toEqual([id]);
  const type = 'checkout.session.async_payment_failed';
  await deliverPayment(app, app.request(id).paymentId as string, { type, paymentStatus: 'unpaid' });
  expect((await needs(app)).map(([kind, , about, next]) => [kind, about, next])).toEqual([
    ['payment', id, `esignctl payments renew ${id}`],
  ]);
  await renewPaymentSession(app.ctx, id, by);
  await app.drain();
  expect(await needs(app)).toEqual([]);
});

test('a refused recipient needs the office from the first refusal on, a failing mail server only when it is given up', async () => {
  const { app, request } = await aSigned();
  app.sandbox.faults.add('smtp:550');
  await app.drain();
  const refused = await needs(app);
  // The customer's address, and the office's own.
  expect(
    refused.map(([kind, , id, next]) => [kind, id, String(next).split(' ').slice(0, 3).join(' ')]),
  ).toEqual([
    ['mail_refused', request.id, 'esignctl users set-email'],
    ['mail_refused', request.id, 'esignctl jobs push'],
  ]);

  app.sandbox.faults.clear();
  const { app: other } = await aSigned();
  other.sandbox.faults.add('smtp:451');
  await other.drain();
  expect(await needs(other)).toEqual([]);
});

test('jobs that failed for good, disabled webhooks and failing runs need the office, also about no request', async () => {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  const add = (kind: string, payload: object, requestId: number | null) =>
    app.ctx.db.raw
      .prepare(
        `INSERT INTO jobs (kind, payload, state, attempt, runAt, createdAt, finishedAt, lastError, requestId)
         VALUES (?, ?, 'failed', 7, ?, ?, ?, 'the mail server answered 451', ?)`,
      )
      .run(kind, JSON.stringify(payload), ...Array.from({ length: 3 }, () => iso(app.clock.now())), requestId)
      .lastInsertRowid;
  const ofRequest = add('send-mail', { mail: 'admin-signed', contractId: 1 }, request.id);
  app.clock.advance(MINUTE);
  const alone = add('send-mail', { mail: 'run-failing', run: 'backup', since: '', error: '' }, null);
  app.clock.advance(MINUTE);
  const { id: webhook } = await subscribed(app, { url: 'https://hooks.example.org/esign' });
  app.ctx.db.raw
    .prepare("UPDATE webhooks SET active = 0, disabledReason = 'gone', updatedAt = ? WHERE id = ?")
    .run(iso(app.clock.now()), webhook);
  app.clock.advance(MINUTE);
  await rememberFailure(app.ctx, 'reconcile', new Error('no answer'));

  expect((await needs(app)).map(([kind, , id, next]) => [kind, id, next])).toEqual([
    ['job_failed', request.id, `esignctl failed replay ${ofRequest}`],
    ['job_failed', null, `esignctl failed replay ${alone}`],
    ['webhook_disabled', null, `esignctl webhooks enable ${webhook}`],
    ['run_failing', null, 'esignctl doctor'],
  ]);
  expect(await listNeeds(app.ctx, 2)).toMatchObject({ isMore: true, needs: { length: 2 } });
});

test('a signed PDF that is gone from the disk needs the office, until it is there again', async () => {
  const { app, request } = await aSigned();
  await app.drain();
  const contract = app.contract(request.id);
  const file = signedPdfPath(app.ctx, contract.id);
  renameSync(file, `${file}.away`);
  expect(await needs(app)).toEqual([
    ['document', contract.signedAt, request.id, `esignctl contracts fetch-pdf ${contract.id}`],
  ]);
  renameSync(`${file}.away`, file);
  expect(await needs(app)).toEqual([]);
});

test('a new request needs the office after two working days, a signed one that nobody has paid a day after the last reminder', async () => {
  // A Monday.
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  const fresh = await app.addRequest(undefined, { status: 'new' });
  app.clock.advance(2 * DAY - MINUTE);
  expect(await needs(app)).toEqual([]);
  app.clock.advance(2 * MINUTE);
  const isNew = ['new_request', fresh.createdAt, fresh.id, `esignctl start-signature ${fresh.id}`];
  expect(await needs(app)).toEqual([isNew]);
  app.clock.advance(6 * DAY);
  const { statusSince } = app.request(request.id);
  const isUnpaid = ['unpaid', statusSince, request.id, `esignctl requests remind ${request.id}`];
  expect((await needs(app)).toSorted()).toEqual([isNew, isUnpaid].toSorted());
});

const rows = async ({ ctx }: TestApp) => rowsOf((await listNeeds(ctx, Infinity)).needs);

test('9 requests that one outage of a provider has stopped are one row, with the first and the last and one command for all', async () => {
  const app = await startApp();
  const ids = await outage(app, 9);

  const [row, ...others] = await rows(app);
  expect(others).toEqual([]);
  const failed = app.jobs('create-payment-session');
  expect(row).toMatchObject({
    kind: 'job_failed',
    cause: 'payment_job_stuck: failed',
    count: 9,
    request: null,
    since: failed[0]?.finishedAt,
    until: failed.at(-1)?.finishedAt,
    next: { name: 'failed replay', about: failed.map(({ id }) => id) },
  });
  expect(row?.requests.map(({ id }) => id)).toEqual(ids);
  expect(await countNeeds(app.ctx, 9)).toMatchObject({ count: 1, isMore: false });
});

test('a row names its customers, and its command sets all of it right', async () => {
  const app = await startApp();
  await outage(app, 3);
  app.sandbox.faults.clear();
  const [row] = await rows(app);
  const env = { ...testSettings(app.dataDir, app.sandbox), ESIGN_TIMEZONE: 'UTC' };
  const { stdout, stderr } = await run(['todo'], { env, terminal: { stdout: 200 } });
  expect(stderr).toContain('3 cases in 1 row');
  expect((await run(['status'], { env })).stdout).toContain('3 cases in 1 row; first: 3 requests');
  expect(stdout).toMatch(/3 requests\s.*Customer Abel, Customer Berg, Customer Cruz/s);
  const line = commandLine(row?.next as NonNullable<typeof row>['next']);
  const { code } = await run(line.split(' ').slice(1), { env });
  expect(code).toBe(0);
  expect(await rows(app)).toEqual([]);
});

test('a row counts all that one cause has stopped, also where only the first rows are shown', async () => {
  const app = await startApp();
  const status = 'new' as const;
  for (let i = 0; i < 101; i += 1) await app.addRequest(undefined, { status });
  app.clock.advance(6 * DAY);
  const { rows: shown, isMore } = await beginningOf(app.ctx, 1);
  expect([shown.map(({ kind, count }) => [kind, count]), isMore]).toEqual([[['new_request', 101]], false]);
});

test('another cause is another row', async () => {
  const app = await startApp();
  await outage(app, 2);
  const { request } = await app.waitingRequest();
  app.clock.advance(40 * DAY);
  await expireContracts(app.ctx, { actor: TESTER });
  const found = await rows(app);
  expect(found.map(({ kind, count, request: one }) => [kind, count, one?.id])).toEqual([
    ['job_failed', 2, undefined],
    ['expired', 1, request.id],
  ]);
});

test('a request with two troubles is one row, with both told and the second command beneath', async () => {
  const app = await startApp();
  const [id] = await outage(app, 1);
  app.sandbox.faults.clear();
  app.ctx.db.raw
    .prepare(
      "UPDATE jobs SET state = 'failed', finishedAt = ?, lastError = ? WHERE kind = 'send-mail' AND id = ?",
    )
    .run(app.clock.now().toISOString(), 'the mail server answered 552', app.jobs('send-mail')[0]?.id);
  const found = await rows(app);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ count: 1, until: null, request: { id }, also: [{ kind: 'job_failed' }] });
});
