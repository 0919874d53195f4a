/** Scheduled work is watched (rules 12): its last and next run, and whether one was missed. */
import { expect, test } from 'vitest';
import { iso } from '../../../src/core/clock.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { prune } from '../../../src/core/retention/prune.js';
import { listRuns } from '../../../src/core/schedule/runs.js';
import { DaemonMetrics } from '../../../src/server/operations/metrics.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { HOUR } from '../../support/clock.js';

const by = { actor: TESTER };
const runOf = ({ ctx }: TestApp, name: string) => listRuns(ctx).find(({ run }) => run === name);

async function metric(app: TestApp, name: string): Promise<string | undefined> {
  const metrics = new DaemonMetrics();
  metrics.watch(app.ctx);
  return (await metrics.page()).text.split('\n').find((line) => line.startsWith(name));
}

test('the last run has its age and result, the next one its time in the zone of the settings', async () => {
  const app = await startApp({ env: { ESIGN_TIMEZONE: 'Europe/Paris' } });
  app.clock.set('2026-03-02T00:00:00.000Z');
  expect(runOf(app, 'expire')).toMatchObject({
    lastAt: null,
    ageSeconds: null,
    nextAt: '2026-03-02T23:05:00.000Z',
  });
  await expireContracts(app.ctx, by);
  app.clock.advance(HOUR);
  expect(runOf(app, 'expire')).toEqual({
    run: 'expire',
    lastAt: '2026-03-02T00:00:00.000Z',
    ageSeconds: 3_600,
    result: { expired: 0 },
    nextAt: '2026-03-02T23:05:00.000Z',
    isFailing: false,
    isLate: false,
  });
});

test('a daily run that is missed is late after 26 hours, in metrics and in what needs the office, until it runs', async () => {
  const app = await startApp();
  app.clock.set('2026-03-02T03:35:00.000Z');
  await prune(app.ctx, by);
  app.clock.set('2026-03-03T05:34:00.000Z');
  expect(runOf(app, 'housekeeping')?.isLate).toBe(false);
  app.clock.set('2026-03-03T05:36:00.000Z');
  expect(runOf(app, 'housekeeping')?.isLate).toBe(true);
  expect(await metric(app, 'esign_scheduled_run_late{run="housekeeping"}')).toMatch(/ 1$/);
  expect((await listNeeds(app.ctx, 5)).needs).toMatchObject([
    { kind: 'run_failing', what: 'The nightly housekeeping did not run on time.' },
  ]);
  await prune(app.ctx, by);
  expect(runOf(app, 'housekeeping')).toMatchObject({ isLate: false, lastAt: iso(app.clock.now()) });
  expect((await listNeeds(app.ctx, 5)).needs).toEqual([]);
});

test('what never ran is late only in an installation that is older than its first run', async () => {
  const app = await startApp();
  app.ctx.db.raw.prepare('UPDATE installation SET createdAt = ?').run('2026-03-02T12:00:00.000Z');
  app.clock.set('2026-03-02T13:00:00.000Z');
  expect(runOf(app, 'expire')?.isLate).toBe(false);
  app.clock.set('2026-03-03T02:06:00.000Z');
  expect(runOf(app, 'expire')?.isLate).toBe(true);
});

test('what is off, or not set up, has no next run and is never late', async () => {
  const app = await startApp({ env: { ESIGN_HOUSEKEEPING_CRON: 'off' } });
  app.ctx.db.raw.prepare("UPDATE installation SET createdAt = '2020-01-01T00:00:00.000Z'").run();
  for (const name of ['housekeeping', 'backup'])
    expect(runOf(app, name)).toMatchObject({ nextAt: null, isLate: false });
  expect(await metric(app, 'esign_scheduled_run_next_timestamp_seconds{run="backup"}')).toBeUndefined();
  expect(await metric(app, 'esign_scheduled_run_next_timestamp_seconds{run="expire"}')).toBeDefined();
});
