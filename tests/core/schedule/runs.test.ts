/** Scheduled work is watched (rules 12): its last and next run, and whether one was missed. */
import { expect, test } from 'vitest';
import { iso } from '../../../src/core/clock.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { prune } from '../../../src/core/retention/prune.js';
import { bulkCheck, listRuns, rememberFailure } from '../../../src/core/schedule/runs.js';
import { startApp, TESTER, type TestApp, temporaryDirectory } from '../../support/app.js';
import { HOUR, DAY } from '../../support/clock.js';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRuns } from '../../../src/core/doctor/upkeep-checks.js';
import { startSchedules } from '../../../src/core/schedule/schedule.js';
import { readStatus } from '../../../src/core/status/status.js';
import { putHold } from '../../../src/db/installation/installation.js';
import { listFailingRuns } from '../../../src/db/installation/runs.js';
import type { RunName } from '../../../src/db/schema.js';
import { metric } from '../../support/metric.js';
import { PATIENCE } from '../../support/patience.js';

const by = { actor: TESTER };
const runOf = ({ ctx }: TestApp, name: string) => listRuns(ctx).find(({ run }) => run === name);

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

test('the next bulk check is promised only where one comes: a daemon runs, and the data is not held', async () => {
  const { ctx } = await startApp();
  expect(bulkCheck(ctx).nextAt).toBeNull();
  await ctx.jobs.start();
  expect(bulkCheck(ctx).nextAt).not.toBeNull();
  const now = iso(ctx.clock.now());
  await ctx.writer.write((db) => putHold(db, { since: now, madeAt: now, lastJobId: 0 }));
  expect(bulkCheck(ctx).nextAt).toBeNull();
});

test('a daily run that is missed is late after 26 hours, in metrics and in what needs the office, until it runs', async () => {
  const app = await startApp();
  app.clock.set('2026-03-02T03:35:00.000Z');
  await prune(app.ctx, by);
  app.clock.set('2026-03-03T05:34:00.000Z');
  expect(runOf(app, 'housekeeping')?.isLate).toBe(false);
  app.clock.set('2026-03-03T05:36:00.000Z');
  expect(runOf(app, 'housekeeping')?.isLate).toBe(true);
  expect(await metric(app, 'esign_scheduled_run_late{run="housekeeping"}')).toBe(1);
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
  const off = { nextAt: null, isLate: false };
  expect([runOf(app, 'housekeeping'), runOf(app, 'backup')]).toMatchObject([off, off]);
  expect(await metric(app, 'esign_scheduled_run_next_timestamp_seconds{run="backup"}')).toBeUndefined();
  expect(await metric(app, 'esign_scheduled_run_next_timestamp_seconds{run="expire"}')).toBeDefined();
});

/** A file stands where the directory of the backups should be. */
async function anApp(): Promise<{ app: TestApp; directory: string }> {
  const directory = join(temporaryDirectory(), 'backups');
  writeFileSync(directory, '');
  const env = {
    ESIGN_BACKUP_DIR: directory,
    ESIGN_EXPIRE_CRON: 'off',
    ESIGN_RECONCILE_CRON: 'off',
    ESIGN_HOUSEKEEPING_CRON: 'off',
    ESIGN_DIGEST_CRON: 'off',
  };
  return { app: await startApp({ env }), directory };
}

/** One night: the backup that is due is made, or fails. */
async function night(app: TestApp): Promise<void> {
  app.clock.advance(DAY);
  const now = iso(app.clock.now());
  const isOver = () =>
    readStatus(app.ctx).lastBackup?.startedAt === now ||
    listFailingRuns(app.ctx.db).some(({ lastAt }) => lastAt === now);
  const schedules = startSchedules(app.ctx);
  await expect.poll(isOver, PATIENCE).toBe(true);
  await schedules.stop();
  await app.drain();
}

const subjects = (app: TestApp) => app.sandbox.mails().map(({ subject }) => subject);

test('a backup that cannot write is known to doctor, status and metrics, and reported by one mail for all nights', async () => {
  const { app } = await anApp();
  await night(app);
  const firstAt = iso(app.clock.now());
  await night(app);
  await night(app);

  expect(readStatus(app.ctx)).toMatchObject({
    lastBackup: null,
    failing: [{ run: 'backup', since: firstAt, times: 3, error: expect.stringMatching(/^(EEXIST|ENOTDIR)/) }],
  });
  expect(checkRuns(app.ctx.config, app.ctx.db)).toMatchObject([
    {
      name: 'scheduled work',
      state: 'failed',
      message: expect.stringContaining('backup has failed 3 times'),
    },
    { name: 'times of scheduled work', state: 'ok' },
    { name: 'scheduled backups', state: 'warning' },
    { name: 'off-site copy', state: 'warning' },
  ]);
  expect(await metric(app, 'esign_scheduled_run_failing{run="backup"}')).toBe(1);
  expect(
    await metric(app, 'esign_scheduled_run_last_success_timestamp_seconds{run="backup"}'),
  ).toBeUndefined();
  expect(subjects(app)).toEqual(['Failed: scheduled backup']);
});

test('the next good one ends it everywhere; a later failure is reported again', async () => {
  const { app, directory } = await anApp();
  await night(app);
  rmSync(directory);

  await night(app);
  expect(readStatus(app.ctx)).toMatchObject({
    lastBackup: { startedAt: iso(app.clock.now()), result: { removed: 0 } },
    failing: [],
  });
  expect(await metric(app, 'esign_scheduled_run_failing{run="backup"}')).toBe(0);
  expect(await metric(app, 'esign_scheduled_run_last_success_timestamp_seconds{run="backup"}')).toBe(
    app.clock.now().getTime() / 1000,
  );

  rmSync(directory, { recursive: true });
  writeFileSync(directory, '');
  await night(app);
  expect(subjects(app)).toEqual(['Failed: scheduled backup', 'Failed: scheduled backup']);
});

test('what is no longer set up fails no more', async () => {
  const { app } = await anApp();
  for (const name of ['backup', 'offsite', 'mail'] as const)
    await rememberFailure(app.ctx, name, new Error('no'));
  const config = { ...app.ctx.config, backupDir: undefined, offsiteMinutesMax: undefined };
  const schedules = startSchedules({ ...app.ctx, config });
  await expect.poll(() => readStatus(app.ctx).failing.map(({ run }) => run), PATIENCE).toEqual(['mail']);
  await schedules.stop();
});

test('a directory that the daemon may not write to: doctor names the lines for the unit', async () => {
  const { app, directory } = await anApp();
  await rememberFailure(
    app.ctx,
    'backup',
    Object.assign(new Error(`EROFS: read-only file system, mkdir '${directory}'`), { code: 'EROFS' }),
  );
  const [check] = checkRuns(app.ctx.config, app.ctx.db);
  expect(check?.fix).toContain(`ReadWritePaths=${directory}, NoExecPaths=${directory}`);
});

test.each<[RunName, number]>([
  ['expire', 1],
  ['housekeeping', 1],
  ['reconcile', 0],
])('%s that fails is mailed %i times: a provider that is down has its own alert', async (run, mails) => {
  const { app } = await anApp();
  for (const _ of [1, 2]) await rememberFailure(app.ctx, run, new Error('no'));
  await app.drain();
  expect(subjects(app)).toHaveLength(mails);
  expect(readStatus(app.ctx).failing).toMatchObject([{ run, times: 2, error: 'no' }]);
});
