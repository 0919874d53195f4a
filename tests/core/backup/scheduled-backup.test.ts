/** Backups by the clock: whole, in their directory, only the newest kept, and good for a way back. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUpBySchedule } from '../../../src/core/backup/write-backup.js';
import { startSchedules } from '../../../src/core/schedule/schedule.js';
import { findInstallationId } from '../../../src/db/installation/installation.js';
import { findLastRun } from '../../../src/db/installation/runs.js';
import { rejection, startApp, temporaryDirectory } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { PATIENCE } from '../../support/patience.js';

async function anApp() {
  const app = await startApp({ env: { ESIGN_BACKUP_KEEP: '2' } });
  const directory = join(temporaryDirectory(), 'backups');
  return { app, directory, backUp: () => backUpBySchedule(app.ctx, { directory }) };
}

test('the newest are kept, earlier ones go; files of others and archives of another installation are not touched', async () => {
  const { app, directory, backUp } = await anApp();
  app.clock.set('2026-03-02T02:15:00.000Z');
  const id = findInstallationId(app.ctx.db);
  const others = 'esign-0123456789abcdef-20200101T000000Z.tar';
  expect(await backUp()).toMatchObject({
    file: join(directory, `esign-${id}-20260302T021500Z.tar`),
    removed: 0,
  });
  for (const name of ['esign-by-hand.tar', others]) writeFileSync(join(directory, name), 'x');
  app.clock.advance(DAY);
  await backUp();
  app.clock.advance(DAY);
  expect(await backUp()).toMatchObject({ removed: 1 });
  expect(readdirSync(directory).sort()).toEqual(
    [
      `esign-${id}-20260303T021500Z.tar`,
      `esign-${id}-20260304T021500Z.tar`,
      'esign-by-hand.tar',
      others,
    ].toSorted(),
  );
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(JSON.parse(findLastRun(app.ctx.db, { name: 'backup' })?.result ?? '')).toMatchObject({ removed: 1 });
});

test('one that fails leaves the earlier ones, and is no run', async () => {
  const { app, directory, backUp } = await anApp();
  await backUp();
  const before = readdirSync(directory);
  const run = findLastRun(app.ctx.db, { name: 'backup' });
  app.clock.advance(DAY);
  const gone = { ...app.ctx, config: { ...app.ctx.config, dataDir: join(directory, 'nowhere') } };
  await rejection(backUpBySchedule(gone, { directory }));
  expect(readdirSync(directory)).toEqual(before);
  expect(findLastRun(app.ctx.db, { name: 'backup' })).toEqual(run);
});

test('a missed one is made up for when the daemon starts; without a directory there is none', async () => {
  const { app, directory } = await anApp();
  await startSchedules(app.ctx).stop();
  expect(findLastRun(app.ctx.db, { name: 'backup' })).toBeUndefined();
  const config = {
    ...app.ctx.config,
    backupDir: directory,
    reconcileCron: undefined,
    housekeepingCron: undefined,
    digestCron: undefined,
  };
  const schedules = startSchedules({ ...app.ctx, config });
  await expect.poll(() => findLastRun(app.ctx.db, { name: 'backup' }), PATIENCE).toBeDefined();
  await schedules.stop();
  expect(readdirSync(directory)).toHaveLength(1);
});
