/** Scheduled work that fails: known everywhere for as long as it lasts, told by one mail, over with the next good run. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rememberFailure } from '../../../src/core/schedule/runs.js';
import { iso } from '../../../src/core/clock.js';
import { checkRuns } from '../../../src/core/doctor/upkeep-checks.js';
import { startSchedules } from '../../../src/core/schedule/schedule.js';
import { readStatus } from '../../../src/core/status/status.js';
import { listFailingRuns } from '../../../src/db/installation/runs.js';
import type { RunName } from '../../../src/db/schema.js';
import { DaemonMetrics } from '../../../src/server/operations/metrics.js';
import { startApp, temporaryDirectory, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { PATIENCE } from '../../support/patience.js';

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

async function metric(app: TestApp, name: string): Promise<number | undefined> {
  const metrics = new DaemonMetrics();
  metrics.watch(app.ctx);
  const { text } = await metrics.page();
  const line = text.split('\n').find((each) => each.startsWith(`${name}{run="backup"}`));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

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
  expect(await metric(app, 'esign_scheduled_run_failing')).toBe(1);
  expect(await metric(app, 'esign_scheduled_run_last_success_timestamp_seconds')).toBeUndefined();
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
  expect(await metric(app, 'esign_scheduled_run_failing')).toBe(0);
  expect(await metric(app, 'esign_scheduled_run_last_success_timestamp_seconds')).toBe(
    app.clock.now().getTime() / 1000,
  );

  rmSync(directory, { recursive: true });
  writeFileSync(directory, '');
  await night(app);
  expect(subjects(app)).toEqual(['Failed: scheduled backup', 'Failed: scheduled backup']);
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
