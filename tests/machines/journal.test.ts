/** What the journal gets of the daemon: JSON lines alone, from the first to the last, each with its priority. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi, type TestContext } from 'vitest';
import { temporaryDirectory } from '../support/app.js';
import { PATIENCE } from '../support/patience.js';
import { aWorld } from '../support/world.js';

const ESIGND = fileURLToPath(new URL('../../dist/bin/esignd.js', import.meta.url));

interface Line {
  priority: number;
  level: number;
  msg: string;
}

/** Starts the daemon with both outputs on what it must take for the journal. */
function inJournal(t: TestContext, env: Record<string, string>, args: string[] = []) {
  const file = join(temporaryDirectory(), 'journal');
  const descriptor = openSync(file, 'a');
  const { dev, ino } = statSync(file, { bigint: true });
  const child = spawn(process.execPath, ['--', ESIGND, ...args], {
    env: { PATH: process.env['PATH'], ...env, JOURNAL_STREAM: `${dev}:${ino}` },
    stdio: ['ignore', descriptor, descriptor],
  });
  t.onTestFinished(() => void child.kill('SIGKILL'));
  return {
    child,
    ended: once(child, 'close').then(([code]) => code as number),
    text: () => readFileSync(file, 'utf8'),
  };
}

/** Throws for a line that has no priority, or is not JSON. */
function linesOf(text: string): Line[] {
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => {
    const [, priority, json = ''] = /^<(\d)>(.*)$/.exec(line) ?? [];
    return { priority: Number(priority), ...(JSON.parse(json) as Omit<Line, 'priority'>) };
  });
}

test('from ready to stopped every line is JSON with the priority of its level', async (t) => {
  const { env } = await aWorld(t);
  const { child, ended, text } = inJournal(t, { ...env, ESIGN_BACKUP_DIR: '/dev/null/backups' });
  await vi.waitUntil(() => /"msg":"ready"/.test(text()) && /scheduled run failed/.test(text()), PATIENCE);
  child.kill('SIGTERM');

  expect(await ended).toBe(0);
  const lines = linesOf(text());
  expect(lines.at(-1)).toMatchObject({ priority: 6, msg: 'stopped' });
  expect(lines.find(({ msg }) => msg === 'ready')).toMatchObject({ priority: 6, level: 30 });
  expect(lines.find(({ msg }) => msg === 'scheduled run failed')).toMatchObject({ priority: 3, level: 50 });
});

test.for<[string, { env?: Record<string, string>; args?: string[] }, number, RegExp]>([
  ['wrong settings', { env: { ESIGN_PORT: 'x', ESIGN_LOCALE: 'de' } }, 2, /ESIGN_PORT: .*ESIGN_LOCALE: /],
  ['a wrong option', { args: ['--colour'] }, 2, /--colour/],
  ['a directory that cannot be used', { env: { ESIGN_DATA_DIR: '/dev/null/data' } }, 1, /\/dev\/null/],
])(
  'a refusal to start over %s is one such line too',
  async ([, { env: changes, args }, exitCode, words], t) => {
    const { env } = await aWorld(t);

    const { ended, text } = inJournal(t, { ...env, ...changes, ESIGN_LOG_LEVEL: 'silent' }, args);

    expect(await ended).toBe(exitCode);
    expect(linesOf(text())).toEqual([
      expect.objectContaining({ priority: 2, level: 60, msg: expect.stringMatching(words) }),
    ]);
  },
);
