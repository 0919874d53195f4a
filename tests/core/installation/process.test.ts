/** Who holds something: a process named for ever, and whether it has certainly ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded, holderName, pidOf } from '../../../src/core/installation/process.js';
import { DEAD, LIVING, named, OURS } from '../../support/holders.js';
import { PATIENCE } from '../../support/patience.js';

test('this process has one name, in which its boot, its namespace, its number and its start are told', () => {
  expect(holderName('command')).toBe(OURS);
  expect(OURS).toMatch(/^command-[0-9a-f]{8}-\d+-\d+-\d+$/);
  expect(pidOf(OURS)).toBe(process.pid);
});

test.each([
  ['this one', OURS, false],
  ['another that lives', LIVING, false],
  ['one whose number nobody has', DEAD, true],
  ['one whose number another has by now', named({ startedAt: 1 }), true],
  ['one of before the machine was started again', named({ boot: '00000000', pid: process.ppid }), true],
  [
    'one in another namespace, whose number nobody has here',
    named({ namespace: 1, pid: Number(pidOf(DEAD)) }),
    false,
  ],
  ['nobody that is named', null, false],
  ['a name of another kind', 'somebody', false],
  ['a daemon that lives', named({ role: 'daemon', pid: process.ppid, startedAt: '' }), false],
])('%s', (_, holder, ended) => {
  expect(hasEnded(holder, OURS)).toBe(ended);
});

test('a process that is dead, though its parent has not heard of it, has ended', async () => {
  // The shell becomes a program that never asks after its children.
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000']);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  const holder = named({ pid, startedAt: '' });
  expect(hasEnded(holder, OURS)).toBe(false);
  // Until then the shell would still hear of it.
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8'), PATIENCE).toBe('sleep\n');

  process.kill(pid, 'SIGKILL');

  await expect.poll(() => hasEnded(holder, OURS), PATIENCE).toBe(true);
  expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(' Z ');
});

test('for the daemon every other daemon has ended, wherever it ran; a command has not', () => {
  const daemon = named({ role: 'daemon' });
  const elsewhere = { namespace: 1, boot: '' };
  expect(hasEnded(named({ role: 'daemon', ...elsewhere }), daemon)).toBe(true);
  expect(hasEnded(named({ role: 'command', ...elsewhere }), daemon)).toBe(false);
  expect(hasEnded(daemon, daemon)).toBe(false);
});

test('a daemon to which its unit hides the boot goes by number and start', () => {
  const daemon = named({ role: 'daemon', boot: '' });
  expect(hasEnded(LIVING, daemon)).toBe(false);
  expect(hasEnded(DEAD, daemon)).toBe(true);
  expect(hasEnded(named({ startedAt: 1 }), daemon)).toBe(true);
});
