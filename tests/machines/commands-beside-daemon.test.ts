/** Several processes write at once: nothing is lost or refused, and a lock held by one keeps no other from answering. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test, vi, type TestContext } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { aWorld, type World } from '../support/world.js';

test.concurrent('commands in a loop beside a daemon under load: none fails, each signature is done once', async (t) => {
  const world = await aWorld(t);
  const waiting = [];
  for (let n = 0; n < 15; n += 1) waiting.push(await world.waitingRequest());
  world.fault({ target: 'payment', operation: 'create', kind: '500_stored', times: 1 });
  await world.daemon();

  const signing = (async () => {
    for (const { signId } of waiting) world.sign(signId);
  })();
  const codes: [string, number | null][] = [];
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await world.ctlProgram(...args).ended;
    codes.push([`${args.join(' ')}: ${stdout}${stderr}`, code]);
  };
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([run('check-signature', '--all'), run('expire-contracts'), run('failed', 'list')]);
  }
  await signing;
  await vi.waitUntil(() => world.openJobs() === 0, PATIENCE);
  await run('failed', 'replay', '--all', '--yes');

  // The one refused payment session is told by the command, if it was the one to ask for it.
  const failed = codes.filter(([, code]) => code !== 0);
  const refused = [expect.stringMatching(/^check-signature.*\[payment_creation_failed\][^]* failed 1$/m), 1];
  expect(failed).toEqual(failed.length === 0 ? [] : [refused]);
  await vi.waitUntil(() => world.openJobs() === 0, PATIENCE);
  const { sessions } = world.outside();
  expect(sessions).toHaveLength(waiting.length);
  for (const { requestId } of waiting) expect(world.status(requestId)).toBe('WAITING_PAYMENT');
  expect(world.rows("SELECT 1 FROM history WHERE what = 'contract.signed'")).toHaveLength(waiting.length);
  expect(world.rows("SELECT 1 FROM jobs WHERE state = 'failed'")).toEqual([]);
});

test.concurrent('while another process holds the write lock, the daemon answers, and loses nothing', async (t) => {
  const world = await aWorld(t);
  const { requestId, signId } = await world.waitingRequest();
  await world.daemon();
  const unlock = lockDatabase(t, world);

  world.sign(signId);
  // That its event loop goes on meanwhile is in tests/db/writer.test.ts.
  for (let answers = 0; answers < 20; answers += 1) {
    expect((await fetch(`${world.baseUrl}/healthz`)).status).toBe(200);
    await pause(20);
  }
  expect(world.status(requestId)).toBe('WAITING_SIGNATURE');
  unlock();

  await vi.waitUntil(() => world.status(requestId) === 'WAITING_PAYMENT' && world.openJobs() === 0, PATIENCE);
  expect(world.outside().sessions).toHaveLength(1);
});

function lockDatabase(t: TestContext, { dataDir }: World): () => void {
  const db = new Database(join(dataDir, 'esign.db'));
  t.onTestFinished(() => void db.close());
  db.exec('BEGIN IMMEDIATE');
  return () => void db.exec('ROLLBACK');
}
