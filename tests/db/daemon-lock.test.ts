/** One daemon per data directory; the lock goes with its process. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runningDaemonPid, takeDaemonLock } from '../../src/db/installation/daemon-lock.js';
import { temporaryDirectory } from '../support/app.js';
import { otherProcess } from '../support/other-process.js';

/** Another process that holds the lock as a daemon does. */
async function aDaemon(directory: string) {
  const other = otherProcess(
    `const { writeFileSync } = require('node:fs');
     const side = new Database(args[0] + '/esignd.lock', { timeout: 0 });
     side.exec('BEGIN EXCLUSIVE');
     writeFileSync(args[0] + '/esignd.pid', process.pid + '\\n');
     say('holds');
     await pause(60_000);`,
    directory,
  );
  expect(await other.hear()).toBe('holds');
  return other;
}

test('the first takes it, a second does not get it, and after the release the next one does', () => {
  const directory = temporaryDirectory();
  const lock = takeDaemonLock(directory);
  expect(lock).toBeDefined();
  expect(takeDaemonLock(directory)).toBeUndefined();
  lock?.release();
  expect(existsSync(join(directory, 'esignd.pid'))).toBe(false);
  const next = takeDaemonLock(directory);
  expect(next).toBeDefined();
  next?.release();
});

test('another process that holds it keeps us out, and is named', async () => {
  const directory = temporaryDirectory();
  const other = await aDaemon(directory);
  expect(takeDaemonLock(directory)).toBeUndefined();
  expect(runningDaemonPid(directory)).toBe(other.child.pid);
});

test('a daemon that was killed holds nothing, whatever its pid file says', async () => {
  const directory = temporaryDirectory();
  const other = await aDaemon(directory);
  await other.kill();
  expect(existsSync(join(directory, 'esignd.pid'))).toBe(true);
  expect(runningDaemonPid(directory)).toBeUndefined();
  const lock = takeDaemonLock(directory);
  expect(lock).toBeDefined();
  expect(runningDaemonPid(directory)).toBe(process.pid);
  lock?.release();
});

test('ours keeps another process out', async () => {
  const directory = temporaryDirectory();
  const lock = takeDaemonLock(directory);
  const other = otherProcess(
    `const side = new Database(args[0] + '/esignd.lock', { timeout: 0 });
     try { side.exec('BEGIN EXCLUSIVE'); say('taken'); } catch (error) { say(error.code); }`,
    directory,
  );
  expect(await other.hear()).toBe('SQLITE_BUSY');
  lock?.release();
});

test('a command that asks who runs does not keep a daemon from starting', async () => {
  const directory = temporaryDirectory();
  const asking = otherProcess(
    `const side = new Database(args[0] + '/esignd.lock', { timeout: 0 });
     side.exec('BEGIN EXCLUSIVE');
     say('asking');
     await pause(50);
     side.close();`,
    directory,
  );
  await asking.hear();
  const lock = takeDaemonLock(directory);
  expect(lock).toBeDefined();
  lock?.release();
});

test('without a daemon none runs; a pid file that cannot be read hides no daemon', () => {
  const directory = temporaryDirectory();
  expect(runningDaemonPid(directory)).toBeUndefined();
  const lock = takeDaemonLock(directory);
  writeFileSync(join(directory, 'esignd.pid'), 'nonsense');
  expect(runningDaemonPid(directory)).toBe(0);
  lock?.release();
});
