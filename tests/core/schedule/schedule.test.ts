/** The daemon's own clockwork: expiry and bulk check by cron, a missed expiry made up for, an orderly stop. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { rememberFailure } from '../../../src/core/schedule/runs.js';
import { startSchedules } from '../../../src/core/schedule/schedule.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { readStatus } from '../../../src/core/status/status.js';
import { findLastRun, listFailingRuns } from '../../../src/db/installation/runs.js';
import type { RunName } from '../../../src/db/schema.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { startSignature } from '../../support/start-signature.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { until } from '../../support/queue.js';
import { story } from '../../support/story.js';
import { deliver } from '../../support/webhooks.js';

/** A pattern with seconds, which the settings do not allow: what is to be seen shall not take a minute. */
const EACH_SECOND = '* * * * * *';

type Crons = Partial<
  Record<'expireCron' | 'reconcileCron' | 'housekeepingCron' | 'backupCron' | 'backupDir', string>
>;

function schedule(app: TestApp, config: Crons) {
  const off = {
    expireCron: undefined,
    reconcileCron: undefined,
    housekeepingCron: undefined,
    digestCron: undefined,
  };
  const schedules = startSchedules({ ...app.ctx, config: { ...app.ctx.config, ...off, ...config } });
  onTestFinished(() => schedules.stop());
  return schedules;
}

/** No call is given up. */
const HOURS = { callTimeoutMs: 10 * HOUR, totalTimeoutMs: 10 * HOUR };

const calls = (app: TestApp, name: string) => app.sandbox.state().counters.calls[`signature.${name}`] ?? 0;
const lastRun = (app: TestApp, name: RunName) => findLastRun(app.ctx.db, { name });

const YESTERDAY = '2026-03-01T12:00:00.000Z';
const PARIS = { ESIGN_TIMEZONE: 'Europe/Paris' };
/** The 2nd of March 2026 is a Monday. */
const WEEKLY = { ESIGN_EXPIRE_CRON: '0 3 * * MON' };

test.each<[now: string, isMissed: boolean, env: Record<string, string>]>([
  ['2026-03-02T00:04:00.000Z', false, {}],
  ['2026-03-02T00:06:00.000Z', true, {}],
  ['2026-03-01T23:04:00.000Z', false, PARIS],
  ['2026-03-01T23:06:00.000Z', true, PARIS],
  ['2026-03-05T00:00:00.000Z', false, { ESIGN_EXPIRE_CRON: 'off' }],
  ['2026-03-02T02:59:00.000Z', false, WEEKLY],
  ['2026-03-02T03:01:00.000Z', true, WEEKLY],
])('an expiry that was missed is made up for at the start: at %s: %s (%j)', async (now, isMissed, env) => {
  const app = await startApp({ env });
  app.clock.set(YESTERDAY);
  await expireContracts(app.ctx, { actor: TESTER });
  app.clock.set(now);
  await startSchedules(app.ctx).stop();
  expect(lastRun(app, 'expire')?.startedAt).toBe(isMissed ? now : YESTERDAY);
});

test('a first start on a new data directory runs it', async () => {
  const app = await startApp();
  await startSchedules(app.ctx).stop();
  expect(lastRun(app, 'expire')).toBeDefined();
});

test('a signature whose webhook found no daemon is completed at the start', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  schedule(app, { reconcileCron: '*/30 * * * *' });
  await until(() => app.request(request.id).status === 'WAITING_PAYMENT');
  await until(() => lastRun(app, 'reconcile') !== undefined);
});

test('a start that the last daemon did not finish is looked after at the next start, though no check was missed', async () => {
  const app = await startApp();
  const { id } = await app.addRequest();
  await checkAllSignatures(app.ctx, { actor: TESTER });
  app.sandbox.faults.add('signature.activate:answer_lost:1');
  await rejection(startSignature(app.ctx, id, { actor: TESTER, pdf: await anyContractPdf() }));
  schedule(app, { reconcileCron: '0 0 1 1 *' });
  await until(() => app.request(id).status === 'WAITING_SIGNATURE');
});

test('expiry and bulk check run at their times, in the name of the schedule', async () => {
  const app = await startApp();
  const expiring = await app.waitingRequest();
  app.clock.advance(31 * DAY);
  const signed = await app.waitingRequest();
  app.sandbox.sign(signed.signId);
  await expireContracts(app.ctx, { actor: TESTER, dryRun: true });
  schedule(app, { expireCron: EACH_SECOND, reconcileCron: EACH_SECOND });

  await until(() => app.request(signed.request.id).status === 'WAITING_PAYMENT');
  await until(() => app.contract(expiring.request.id).status === 'EXPIRED');
  const actors = app.ctx.db.raw
    .prepare("SELECT DISTINCT actor FROM history WHERE what IN ('contract.signed', 'contract.ended')")
    .all();
  expect(actors).toEqual([{ actor: 'schedule' }]);
});

test('a contract that was over long ago is asked about by the first check of a day only, one that waits by each', async () => {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  app.clock.advance(33 * DAY);
  await expireContracts(app.ctx, { actor: TESTER });
  const { request: waiting } = await app.waitingRequest();
  expect([app.contract(request.id).status, app.contract(waiting.id).status]).toEqual(['EXPIRED', 'PENDING']);
  const checkedAtStart = async () => {
    const before = lastRun(app, 'reconcile')?.id;
    const schedules = schedule(app, { reconcileCron: '*/30 * * * *' });
    await until(() => lastRun(app, 'reconcile')?.id !== before);
    await schedules.stop();
    return (JSON.parse(lastRun(app, 'reconcile')?.result as string) as { checked: number }).checked;
  };

  expect(await checkedAtStart()).toBe(2);
  app.clock.advance(3_600_000);
  expect(await checkedAtStart()).toBe(1);
  app.ctx.db.raw.exec("UPDATE runs SET startedAt = '2026-01-01' WHERE name = 'reconcile'");
  await rememberFailure(app.ctx, 'reconcile', 'broke off: a failed check counts, too');
  expect(await checkedAtStart()).toBe(1);
  app.clock.advance(DAY);
  expect(await checkedAtStart()).toBe(2);
});

test('a run that fails is over with that: the next one comes all the same', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  app.sandbox.faults.add('signature.list:401:1');
  app.sandbox.faults.add('signature.get:401:1');
  schedule(app, { reconcileCron: EACH_SECOND });
  await until(() => app.request(request.id).status === 'WAITING_PAYMENT');
  expect(app.sandbox.state().counters.calls['signature.list']).toBe(2);
});

test('stop waits for the run under way and starts no other; a run that was cut short is no good one', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  const held = app.sandbox.faults.add({ target: 'signature', kind: 'answer_late', delayMs: 600_000 });
  const schedules = schedule(app, { reconcileCron: EACH_SECOND });
  await until(() => calls(app, 'list') >= 1);
  const stopped = schedules.stop().then(() => calls(app, 'list'));
  app.sandbox.faults.remove(held.id);
  expect(await stopped).toBe(1);
  expect([lastRun(app, 'reconcile'), listFailingRuns(app.ctx.db)]).toEqual([undefined, []]);
  expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
});

describe('one bad thing', () => {
  test('a payment that cannot be looked up makes the payment check a failing run, in todo and status, until it is answered', async () => {
    const { app, waiting } = await story().completed().end();
    await app.drain();
    const { id } = waiting.request;
    const fault = app.sandbox.faults.add(`payment.get~${app.request(id).paymentId}:500`);
    schedule(app, { reconcileCron: EACH_SECOND });
    await until(() => listFailingRuns(app.ctx.db).length > 0);
    const error = `request ${id}: payment provider answered 500 (An unknown error occurred)`;
    expect(readStatus(app.ctx).failing).toMatchObject([{ run: 'payments', error }]);
    expect((await listNeeds(app.ctx, 5)).needs).toMatchObject([
      { kind: 'run_failing', what: `The payment check is failing: ${error}` },
    ]);
    expect(lastRun(app, 'payments')).toBeUndefined();
    app.sandbox.faults.remove(fault.id);
    await until(() => lastRun(app, 'payments') !== undefined);
    expect(listFailingRuns(app.ctx.db)).toEqual([]);
  });

  test('audit trails that hang keep the bulk check from nothing', async () => {
    const { app, waiting } = await story({ context: { providerWaits: HOURS } })
      .completed()
      .end();
    const late = { target: 'signature', operation: 'audit_pdf', kind: 'answer_late', delayMs: 600_000 };
    app.sandbox.faults.add(late);
    schedule(app, { reconcileCron: EACH_SECOND });
    await until(() => calls(app, 'audit_pdf') === 1);
    const other = await app.waitingRequest();
    app.sandbox.sign(other.signId);
    await until(() => app.request(other.request.id).status === 'WAITING_PAYMENT');
    expect([calls(app, 'audit_pdf'), lastRun(app, 'trails')]).toEqual([1, undefined]);
    app.sandbox.faults.clear();
    await until(() => app.history(waiting.request.id).includes('contract.trail_kept'));
  });

  test('a task whose time is over ends after what it is at, has failed, and the next one goes on behind', async () => {
    const { app, waiting } = await story({ context: { providerWaits: HOURS } })
      .completed()
      .end();
    const other = await app.waitingRequest();
    app.sandbox.sign(other.signId);
    await deliver(app, other.signId);
    await app.drain();
    const late = { target: 'payment', operation: 'get', kind: 'answer_late', delayMs: 600_000, times: 1 };
    app.sandbox.faults.add(late);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    schedule(app, { reconcileCron: '0 0 1 1 *' });
    // `until` would need the timers that stand still.
    const seen = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((next) => setImmediate(next));
    };
    await seen(() => app.sandbox.state().counters.calls['payment.get'] === 1);
    await seen(() => lastRun(app, 'trails') !== undefined);
    vi.advanceTimersByTime(10 * MINUTE);
    app.sandbox.faults.clear();
    await seen(() => listFailingRuns(app.ctx.db).length > 0);
    expect(listFailingRuns(app.ctx.db)).toMatchObject([
      { name: 'payments', error: 'not finished after 10 minutes' },
    ]);
    expect(app.sandbox.state().counters.calls['payment.get']).toBe(1);
    const { results } = await checkAllPayments(app.ctx, { actor: TESTER });
    expect(results.map(({ requestId }) => requestId)).toEqual([other.request.id, waiting.request.id]);
  });
});
