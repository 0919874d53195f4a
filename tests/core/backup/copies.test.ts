/** The last good copies are known everywhere; one off this machine that is missing is told loudly, by one mail. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCopies, rememberSent, rememberSnapshot, watchCopies } from '../../../src/core/backup/copies.js';
import { writeSnapshot } from '../../../src/core/backup/write-snapshot.js';
import { checkRuns } from '../../../src/core/doctor/upkeep-checks.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { readStatus } from '../../../src/core/status/status.js';
import { findInstallation } from '../../../src/db/installation/installation.js';
import { rejection, startApp, temporaryDirectory, type AppOptions, type TestApp } from '../../support/app.js';
import { metric } from '../../support/metric.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';

/** An installation that was made just now. */
async function anApp(options: AppOptions = {}) {
  const app = await startApp(options);
  app.clock.set(findInstallation(app.ctx.db).createdAt);
  const directory = join(temporaryDirectory(), 'snapshot');
  const { ctx, dataDir, clock } = app;
  const snapshot = async () => {
    const made = await writeSnapshot({ dataDir, directory, clock });
    await rememberSnapshot(ctx, made);
    return made;
  };
  const send = () => rememberSent(ctx, { directory, to: 'restic' });
  return { app, directory, snapshot, send };
}

const mails = (app: TestApp) => app.sandbox.mails().map(({ subject }) => subject);

/** Of this machine's clock, by which doctor goes. */
const offSiteCheck = ({ ctx }: TestApp) =>
  checkRuns(ctx.config, ctx.db).find(({ name }) => name === 'off-site copy');

test('a snapshot is a copy here, once it was sent one off this machine; both are as old as their data', async () => {
  const { app, directory, snapshot, send } = await anApp();
  expect(readCopies(app.ctx).here.madeAt).toBeNull();
  const { madeAt } = await snapshot();
  app.clock.advance(4 * MINUTE);
  await send();

  expect(readStatus(app.ctx).copies).toEqual({
    here: { madeAt, ageSeconds: 240, where: directory },
    offSite: { madeAt, ageSeconds: 240, where: 'restic', isLate: false },
  });
  const at = Date.parse(madeAt) / 1000;
  expect(await metric(app, 'esign_last_copy_timestamp_seconds{where="here"}')).toBe(at);
  expect(await metric(app, 'esign_last_copy_timestamp_seconds{where="offsite"}')).toBe(at);
});

test('of many only the newest is kept', async () => {
  const { app, snapshot, send } = await anApp();
  for (let i = 0; i < 3; i += 1) {
    app.clock.advance(MINUTE);
    await snapshot();
    await send();
  }
  const count = app.ctx.db.raw.prepare(
    "SELECT count(*) FROM runs WHERE name = 'snapshot' OR name = 'offsite'",
  );
  expect(count.pluck().get()).toBe(2);
});

test('one that is too old is told by one mail, until the next: status, needs, metrics', async () => {
  const { app, snapshot, send } = await anApp();
  await snapshot();
  await send();
  app.clock.advance(60 * MINUTE);
  await watchCopies(app.ctx);
  expect(readStatus(app.ctx).failing).toEqual([]);
  app.clock.advance(MINUTE);
  for (const _ of [1, 2, 3]) await watchCopies(app.ctx);
  await app.drain();

  expect(mails(app)).toEqual(['Failed: off-site copy']);
  expect(readStatus(app.ctx)).toMatchObject({
    copies: { offSite: { isLate: true } },
    failing: [{ run: 'offsite', error: expect.stringContaining('the newest dates from') }],
  });
  expect((await listNeeds(app.ctx, 5)).needs).toMatchObject([{ kind: 'run_failing' }]);
  expect(await metric(app, 'esign_offsite_copy_late')).toBe(1);

  await snapshot();
  await send();
  expect(readStatus(app.ctx)).toMatchObject({ copies: { offSite: { isLate: false } }, failing: [] });
  expect((await listNeeds(app.ctx, 5)).needs).toEqual([]);
});

test('one that is no longer too old, since the setting allows more, is told no more', async () => {
  const { app, snapshot, send } = await anApp();
  await snapshot();
  await send();
  app.clock.advance(61 * MINUTE);
  await watchCopies(app.ctx);
  expect(readStatus(app.ctx).failing).toMatchObject([{ run: 'offsite' }]);
  const config = { ...app.ctx.config, offsiteMinutesMax: 120 };
  await watchCopies({ ...app.ctx, config });
  expect(readStatus(app.ctx).failing).toEqual([]);
});

test('that there has never been one is told after the first day, not before', async () => {
  const { app } = await anApp();
  app.clock.advance(DAY);
  expect(await watchCopies(app.ctx)).toEqual({ late: 0 });
  app.clock.advance(MINUTE);
  expect(await watchCopies(app.ctx)).toEqual({ late: 1 });
  expect(readStatus(app.ctx).failing).toMatchObject([{ error: 'there has never been one' }]);
});

test('with ESIGN_OFFSITE_MAX_AGE=off nobody is told', async () => {
  const { app } = await anApp({ env: { ESIGN_OFFSITE_MAX_AGE: 'off' } });
  app.clock.advance(30 * DAY);
  expect(await watchCopies(app.ctx)).toEqual({ late: 0 });
});

test('doctor warns while there is none, names the place of the newest, and fails when that is too old', async () => {
  const { app, snapshot, send } = await anApp();
  const found = (state: string, part: object) => expect(offSiteCheck(app)).toMatchObject({ state, ...part });
  found('warning', { fix: expect.stringContaining('esign-restic') });
  app.clock.set(new Date(Date.now() - 2 * HOUR).toISOString());
  await snapshot();
  await send();
  found('failed', { fix: expect.stringContaining('journalctl') });
  app.clock.set(new Date().toISOString());
  await snapshot();
  await send();
  found('ok', { message: expect.stringContaining('at restic') });
});

test('what was sent must be a snapshot of this installation', async () => {
  const [mine, others] = [await anApp(), await anApp()];
  await others.snapshot();
  const { directory } = others;
  const foreign = await rejection(rememberSent(mine.app.ctx, { directory, to: 'restic' }));
  expect(foreign).toMatchObject({ code: 'not_a_snapshot' });
  expect(await rejection(mine.send())).toMatchObject({ code: 'backup_damaged' });
  expect(readCopies(mine.app.ctx).offSite.madeAt).toBeNull();
});
