/** The watch for commits of others: real writes by a second connection, timers moved by hand. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDb } from '../../src/db/open.js';
import { watchDatabase } from '../../src/db/watch.js';
import { temporaryDirectory } from '../support/app.js';
import { until } from '../support/queue.js';

interface Watched {
  file: string;
  /** How often it looks in this time. */
  looksIn(ms: number): number;
  /** What the next looks find. */
  finds(isNews: boolean): void;
}

function aWatch(file = join(temporaryDirectory(), 'esign.db')): Watched {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  let looks = 0;
  let isNews = false;
  const end = watchDatabase(file, () => {
    looks += 1;
    return isNews;
  });
  onTestFinished(() => {
    end();
    vi.useRealTimers();
  });
  return {
    file,
    looksIn(ms) {
      const before = looks;
      vi.advanceTimersByTime(ms);
      return looks - before;
    },
    finds: (found) => void (isNews = found),
  };
}

/** A connection with a table, closed at the end. */
function another(file: string) {
  const { raw } = openDb(file, { busyTimeoutMs: 0 });
  onTestFinished(() => void raw.close());
  raw.exec('CREATE TABLE IF NOT EXISTS notes (words TEXT)');
  const write = () => void raw.prepare(`INSERT INTO notes VALUES ('anything')`).run();
  return { raw, write };
}

/** Waits for the system's word, which comes when it comes. */
const heard = (watched: Watched) => until(() => watched.looksIn(1_000) >= 9);

/** Nothing is written any more, and the looks have become rare. */
const asleep = (watched: Watched) => until(() => watched.looksIn(1_000) <= 1);

test('until the system has told of a write, it looks ten times a second', () => {
  expect(aWatch().looksIn(60_000)).toBe(600);
});

test('where the system cannot tell, it looks ten times a second', () => {
  expect(aWatch('/nowhere/esign.db').looksIn(60_000)).toBe(600);
});

test('once the system has told, it looks once a second, and quickly again for five seconds after each write', async () => {
  const watched = aWatch();
  const { write } = another(watched.file);
  await asleep(watched);
  expect(watched.looksIn(60_000)).toBe(60);
  write();
  await heard(watched);
  await asleep(watched);
});

test('a log that is there is touched, so that the system tells without a write', async () => {
  const file = join(temporaryDirectory(), 'esign.db');
  another(file);
  await asleep(aWatch(file));
});

test('a write that the system did not tell of: it looks ten times a second until the system speaks again', async () => {
  const watched = aWatch();
  const { write } = another(watched.file);
  await asleep(watched);
  watched.finds(true);
  watched.looksIn(1_000);
  watched.finds(false);
  expect(watched.looksIn(60_000)).toBe(600);
  write();
  await asleep(watched);
});

test.each<[string, (watched: Watched, other: ReturnType<typeof another>) => () => void]>([
  [
    'was written back and cut',
    (_, { raw, write }) => {
      raw.pragma('wal_checkpoint(TRUNCATE)');
      return write;
    },
  ],
  [
    'was removed by the last that closed the database',
    ({ file }, { raw }) => {
      raw.close();
      return another(file).write;
    },
  ],
  [
    'belongs to another database in its place',
    ({ file }, { raw }) => {
      raw.close();
      const restored = `${file}.restored`;
      another(restored).raw.close();
      renameSync(restored, file);
      return another(file).write;
    },
  ],
])('a write is noticed after the log %s', async (_, happens) => {
  const watched = aWatch();
  const other = another(watched.file);
  await asleep(watched);
  const write = happens(watched, other);
  await heard(watched);
  await asleep(watched);
  write();
  await heard(watched);
});
