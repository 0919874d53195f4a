/** A push: waiting jobs are run now, by the daemon if there is one. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { enqueue } from '../../../src/core/jobs/queue.js';
import type { JobName } from '../../../src/core/jobs/names.js';
import { pushJobs, pushKind, waitingIds } from '../../../src/core/jobs/push.js';
import { takeDaemonLock } from '../../../src/db/installation/daemon-lock.js';
import { requireJob } from '../../../src/db/jobs/jobs.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { timersStandStill, told, turnsPass, until } from '../../support/queue.js';
import { happened, subscribed } from '../../support/subscriptions.js';

const NOW = '2026-03-02T09:14:07.250Z';

/** A delivery to nobody, which is done at once, and a completion that fails as it is; both due in an hour. */
async function waitingApp() {
  const app = await startApp();
  const runAt = '2026-03-02T10:00:00.000Z';
  const add = (kind: JobName, payload: object) =>
    app.ctx.writer.write((db) => enqueue(db, { kind, payload, now: NOW, runAt, lane: kind }).id);
  const good = await add('deliver-webhook', { deliveryId: 99 });
  const bad = await add('complete-signature', { contractId: 99, provedAt: null });
  return { app, good, bad, job: (id: number) => requireJob(app.ctx.db, { id }) };
}

const push = (app: TestApp, ids: number[], signal?: AbortSignal) =>
  pushJobs(app.ctx, ids, { actor: TESTER, reason: 'now', signal });

test('each one is run now, and what came of it is told', async () => {
  const { app, good, bad } = await waitingApp();
  app.ctx.db.raw.prepare('UPDATE jobs SET attempt = 6 WHERE id = ?').run(bad);
  app.ctx.db.raw.prepare("UPDATE jobs SET lastError = 'of an earlier try' WHERE id = ?").run(good);
  const results = await push(app, [4711, good, bad, good]);
  expect(results.map(({ refusal }) => refusal?.code)).toEqual([
    'job_not_found',
    undefined,
    undefined,
    'job_not_waiting',
  ]);
  const again = `Job ${good} is not waiting: it is completed.`;
  expect(results).toMatchObject([
    { id: 4711, kind: null, state: null, error: 'There is no job 4711.', runAt: null },
    { id: good, kind: 'deliver-webhook', state: 'completed', error: null, runAt: null },
    { id: bad, kind: 'complete-signature', state: 'failed', error: 'There is no contract 99.', runAt: null },
    { id: good, kind: 'deliver-webhook', state: null, error: again, runAt: null },
  ]);
  expect(told(app.ctx, 'job.pushed')).toEqual([
    { jobId: good, kind: 'deliver-webhook', reason: 'now' },
    { jobId: bad, kind: 'complete-signature', reason: 'now' },
  ]);
});

test('what does not wait any more is passed over, if asked to; one that fails tells when it is tried again', async () => {
  const { app, good, bad } = await waitingApp();
  await app.ctx.jobs.runNow(good);
  expect(waitingIds(app.ctx)).toEqual([bad]);
  expect(await pushJobs(app.ctx, [4711, good, bad], { actor: TESTER, ifWaiting: true })).toMatchObject([
    { id: bad, state: 'available', runAt: '2026-03-02T09:14:08.250Z' },
  ]);
});

test('of a kind each is due at once, however many they are, except those that cannot succeed', async () => {
  const app = await startApp();
  const off = [1, 2].map((n) => subscribed(app, { url: `https://off${n}.example.org/` }));
  await Promise.all(off);
  await subscribed(app, { url: 'https://hooks.example.org/' });
  for (let id = 1; id <= 21; id += 1) await happened(app, id);
  app.ctx.db.raw.exec("UPDATE webhooks SET active = 0 WHERE url LIKE '%off%'");
  app.ctx.db.raw.exec("UPDATE jobs SET runAt = '2026-03-02T10:00:00.000Z'");
  expect(await pushKind(app.ctx, 'send-mail', { actor: TESTER })).toBe(0);
  expect(await pushKind(app.ctx, 'deliver-webhook', { actor: TESTER })).toBe(21);
  expect(app.jobs().filter(({ runAt }) => runAt === NOW)).toHaveLength(21);
  expect(told(app.ctx, 'job.pushed')).toHaveLength(21);
});

test('nothing new is begun after a signal', async () => {
  const { app, good, bad, job } = await waitingApp();
  const stop = new AbortController();
  const onResult = () => stop.abort();
  const options = { actor: TESTER, signal: stop.signal, onResult };
  expect(await pushJobs(app.ctx, [good, bad], options)).toMatchObject([{ id: good }]);
  expect(job(bad).attempt).toBe(0);
});

test('one that cannot be stored is no refusal: nothing is pushed', async () => {
  const { app, good, job } = await waitingApp();
  app.ctx.db.raw.exec(
    "CREATE TRIGGER full BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  await expect(push(app, [good])).rejects.toThrow('disk full');
  expect(job(good).runAt).not.toBe(NOW);
});

test('it waits for the runner of this program', async () => {
  const { app, good, job } = await waitingApp();
  timersStandStill();
  await app.ctx.jobs.start();
  await turnsPass();
  expect(await push(app, [good])).toMatchObject([{ state: 'completed' }]);
  expect(job(good).attempt).toBe(1);
});

/** Pushed while a daemon holds the data, which does nothing yet. */
async function pushedBeside(signal?: AbortSignal) {
  const world = await waitingApp();
  const { app, good, bad, job } = world;
  const lock = takeDaemonLock(app.dataDir);
  onTestFinished(() => lock?.release());
  const pushed = push(app, [good, bad], signal);
  await until(() => [good, bad].every((id) => job(id).runAt === NOW));
  return { ...world, pushed };
}

test('it waits for the daemon, which alone runs it', async () => {
  const { app, good, bad, job, pushed } = await pushedBeside();
  const daemon = await startApp({ dataDir: app.dataDir, beside: app });
  await daemon.drain();
  const results = await pushed;
  expect(new Map(results.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [good, 'completed'],
      [bad, 'available'],
    ]),
  );
  expect([job(good).attempt, job(bad).attempt]).toEqual([1, 1]);
});

test('it gives up waiting for the daemon after a minute and a half', async () => {
  const { good, bad, pushed } = await pushedBeside();
  const late = performance.now() + 90_000;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => late);
  onTestFinished(() => now.mockRestore());
  expect(await pushed).toMatchObject([good, bad].map((id) => ({ id, state: 'available' })));
});

test('it gives up waiting for the daemon at a signal; the job stays due', async () => {
  const stop = new AbortController();
  const { good, job, pushed } = await pushedBeside(stop.signal);
  stop.abort();
  expect((await pushed)[0]).toMatchObject({ state: 'available', runAt: NOW });
  expect(job(good)).toMatchObject({ state: 'available', runAt: NOW });
});

test('a job that is removed meanwhile stops no other', async () => {
  const { app, good, bad, pushed } = await pushedBeside();
  const { raw } = app.ctx.db;
  raw.prepare('DELETE FROM jobs WHERE id = ?').run(good);
  raw.prepare("UPDATE jobs SET state = 'completed', attempt = 1, finishedAt = runAt WHERE id = ?").run(bad);
  const results = (await pushed).toSorted((a, b) => a.id - b.id);
  const error = `Job ${good} was removed meanwhile.`;
  expect(results).toEqual([
    { id: good, kind: 'deliver-webhook', state: null, error, runAt: null },
    { id: bad, kind: 'complete-signature', state: 'completed', error: null, runAt: null },
  ]);
});
