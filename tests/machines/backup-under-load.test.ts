/** The drill: a service at work is backed up, wrecked and restored, and goes on where the backup was made. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { startProgram } from '../support/processes.js';
import { aWorld } from '../support/world.js';

test('a backup under load brings a wrecked service back: requests, signed PDFs, keys, jobs; it goes on to COMPLETE', async (t) => {
  const world = await aWorld(t);
  const daemon = await world.daemon();
  const waiting = [await world.waitingRequest(), await world.waitingRequest(), await world.waitingRequest()];
  const file = join(world.dataDir, '..', 'esign.tar');

  // The daemon completes signatures while the archive is written.
  for (const { signId } of waiting) world.sign(signId);
  const backup = await world.ctl('backup', file, '--json');
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(backup.stdout)).toMatchObject({ file, requests: 3, problems: [] });

  const refused = await world.ctl('restore', file, '--yes', '--json');
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'daemon_running' } });

  await daemon.stop();
  for (const name of ['contracts', 'keys']) rmSync(join(world.dataDir, name), { recursive: true });
  for (const name of ['esign.db-wal', 'esign.db-shm']) rmSync(join(world.dataDir, name), { force: true });
  writeFileSync(join(world.dataDir, 'esign.db'), 'wrecked');

  const restored = await world.ctl('restore', file, '--yes', '--reason', 'drill');
  expect(restored.stdout).toContain('3 requests');
  expect(restored.stdout).toContain('the data from before is in');
  expect(restored.stdout).toMatch(/The data is held: nothing is sent until `esignctl takeover`/);
  expect(restored.code).toBe(0);

  await world.daemon();
  // What the backup holds as waiting was signed after it: the takeover finds out, and the daemon goes on.
  expect((await world.ctl('takeover', '--yes')).code).toBe(0);
  const isPaidFor = ({ requestId }: { requestId: number }) => world.status(requestId) === 'WAITING_PAYMENT';
  await expect.poll(() => waiting.every(isPaidFor), PATIENCE).toBe(true);

  // And the story goes on to its end, for a session that the backup did not know either.
  const paymentIds = () => world.rows<{ paymentId: string }>('SELECT paymentId FROM payments');
  await expect.poll(() => paymentIds().length, PATIENCE).toBe(3);
  for (const { paymentId } of paymentIds()) world.pay(paymentId);
  const isComplete = ({ requestId }: { requestId: number }) => world.status(requestId) === 'COMPLETE';
  await expect.poll(() => waiting.every(isComplete), PATIENCE).toBe(true);
  expect(Object.values(world.outside().counters.sessionsByKey)).toEqual([1, 1, 1]);
  const after = await world.ctl('backup', file, '--force', '--json');
  expect(JSON.parse(after.stdout)).toMatchObject({ requests: 3, problems: [] });
});

test('kill -9 in the middle of a backup leaves no file of its name; the next one removes what lies there', async (t) => {
  const world = await aWorld(t);
  await (await world.daemon()).stop();
  // Enough that it is not over before it is killed.
  for (let i = 1; i <= 200; i += 1)
    writeFileSync(join(world.dataDir, 'contracts', `${i}.pdf`), Buffer.alloc(1_000_000, i));
  const before = readdirSync(world.dataDir);
  const directory = join(world.dataDir, '..', 'backups');
  mkdirSync(directory);
  const file = join(directory, 'esign.tar');
  const command = startProgram(t, 'esignctl', { args: ['backup', file], env: world.env });
  await expect.poll(() => readdirSync(directory).length, PATIENCE).toBe(1);
  await command.killHard();
  expect(existsSync(file)).toBe(false);

  expect(await world.ctl('backup', file)).toMatchObject({ code: 0 });

  expect(readdirSync(directory)).toEqual(['esign.tar']);
  expect(readdirSync(world.dataDir)).toEqual(before);
  expect(await world.ctl('restore', '--check', file)).toMatchObject({ code: 0 });
});

test('a backup is made wherever the command is typed, whatever lies there', async (t) => {
  const world = await aWorld(t);
  await (await world.daemon()).stop();
  const cwd = join(world.dataDir, '..', 'elsewhere');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), 'no JSON');

  const args = ['backup', join(cwd, 'esign.tar')];
  const { code, stderr } = await startProgram(t, 'esignctl', { args, cwd, env: world.env }).ended;

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
