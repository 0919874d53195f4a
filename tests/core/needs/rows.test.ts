/** What needs the office after an outage (rules 12): one cause is one row with one command, and a request appears once. */
import { expect, test } from 'vitest';
import { commandLine } from '../../../src/core/commands.js';
import { beginningOf, countNeeds, listNeeds } from '../../../src/core/needs/needs.js';
import { rowsOf } from '../../../src/core/needs/rows.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { run } from '../../cli/support.js';
import { startApp, TESTER, testSettings, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { outage } from '../../support/outage.js';

const rows = async ({ ctx }: TestApp) => rowsOf((await listNeeds(ctx, Infinity)).needs);

test('29 requests that one outage of a provider has stopped are one row, with the first and the last and one command for all', async () => {
  const app = await startApp();
  const ids = await outage(app, 29);

  const [row, ...others] = await rows(app);
  expect(others).toEqual([]);
  const failed = app.jobs('create-payment-session');
  expect(row).toMatchObject({
    kind: 'job_failed',
    cause: 'payment_job_stuck: failed',
    count: 29,
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

test('what a provider answered is told in the language of the settings', async () => {
  const app = await startApp({ env: { ESIGN_LOCALE: 'fr' } });
  await outage(app, 2);
  const [row] = await rows(app);
  expect(row?.what).toContain('le prestataire de paiement a répondu 503');
  expect(row?.what).not.toContain('payment provider');
});
