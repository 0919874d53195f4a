/** Group commit: units share a commit, each stands or falls alone, and an answer means "on disk". */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '../../src/db/db.js';
import { DatabaseBusyError, Writer, type WriterOptions } from '../../src/db/writer.js';
import { rejection } from '../support/app.js';
import { aDatabase, open } from './support.js';

const add = (name: string) => (db: Db) => {
  db.raw.prepare('INSERT INTO counters VALUES (?, 1)').run(name);
  return name;
};
const names = (db: Db) =>
  (db.raw.prepare('SELECT name FROM counters ORDER BY name').all() as { name: string }[]).map(
    ({ name }) => name,
  );

function aWriter(options?: WriterOptions) {
  const { db, file } = aDatabase();
  return { db, file, writer: new Writer(db, options) };
}

/** Counts commits as another connection sees them. */
function commitsSeen(file: string): () => number {
  const watcher = open(file);
  let commits = 0;
  let seen = watcher.dataVersion();
  return () => {
    const version = watcher.dataVersion();
    if (version !== seen) commits += 1;
    seen = version;
    return commits;
  };
}

describe('units', () => {
  test('that arrive in one turn share one commit', async () => {
    const { db, writer, file } = aWriter();
    const commits = commitsSeen(file);
    let begun = 0;
    const within: boolean[] = [];
    const units = ['a', 'b', 'c'].map((name) =>
      writer.write((unit) => {
        begun += 1;
        // Nobody else sees anything before the whole turn is committed.
        within.push(commits() === 0 && unit.raw.inTransaction);
        return add(name)(unit);
      }),
    );
    expect(begun).toBe(0);
    expect(await Promise.all(units)).toEqual(['a', 'b', 'c']);
    expect(within).toEqual([true, true, true]);
    expect(commits()).toBe(1);
    expect(names(db)).toEqual(['a', 'b', 'c']);
  });

  test('are answered only after the commit: another connection sees what they did', async () => {
    const { file, writer } = aWriter();
    const other = open(file);
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await writer.write(add(name));
        expect(names(other)).toEqual(['a', 'b', 'c']);
      }),
    );
  });

  test('are committed in the turn of the event loop in which they came', async () => {
    const { file, writer } = aWriter();
    const other = open(file);
    void writer.write(add('a'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(names(other)).toEqual(['a']);
  });

  test('run in the order in which they came', async () => {
    const { writer } = aWriter();
    const order: number[] = [];
    await Promise.all(Array.from({ length: 50 }, (_, i) => writer.write(() => void order.push(i))));
    expect(order).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  test('more than fit into one commit are spread over several', async () => {
    const { file, writer } = aWriter({ unitsPerCommitMax: 10 });
    const commits = commitsSeen(file);
    let most = 0;
    const units = Array.from({ length: 25 }, (_, i) =>
      writer.write(add(`n${i}`)).then(() => {
        most = Math.max(most, commits());
      }),
    );
    await Promise.all(units);
    expect(most).toBe(3);
  });

  test('have one commit scheduled, however many they are, and none when nothing waits', async () => {
    vi.useFakeTimers({ toFake: ['setImmediate'] });
    onTestFinished(() => void vi.useRealTimers());
    const { writer } = aWriter({ unitsPerCommitMax: 2 });
    const units = ['a', 'b', 'c'].map((name) => writer.write(add(name)));
    for (const left of [1, 1, 0]) {
      expect(vi.getTimerCount()).toBe(left);
      vi.runOnlyPendingTimers();
    }
    await Promise.all(units);
  });

  test('see what those before them in the same commit did', async () => {
    const { writer } = aWriter();
    void writer.write(add('a'));
    expect(await writer.write(names)).toEqual(['a']);
  });
});

describe('a unit that fails', () => {
  test('is undone alone, and only its caller hears of it', async () => {
    const { db, writer } = aWriter();
    const failing = (unit: Db) => {
      add('b')(unit);
      throw new Error('no');
    };
    const outcomes = await Promise.allSettled([
      writer.write(add('a')),
      writer.write(failing),
      writer.write(add('c')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ message: 'no' });
    expect(names(db)).toEqual(['a', 'c']);
  });

  test('alone leaves no transaction behind', async () => {
    const { db, writer } = aWriter();
    await rejection(
      writer.write((unit) => {
        add('a')(unit);
        throw new Error('no');
      }),
    );
    expect(db.raw.inTransaction).toBe(false);
    expect(names(db)).toEqual([]);
    await writer.write(add('b'));
    expect(names(db)).toEqual(['b']);
  });

  test.each([1, 2])('by being asynchronous is refused and undone (%d at once)', async (count) => {
    const { db, writer } = aWriter();
    // oxlint-disable-next-line typescript/require-await -- that it is async is the fault
    const asynchronous = async (unit: Db) => void add('a')(unit);
    const others = Array.from({ length: count - 1 }, (_, i) => writer.write(add(`n${i}`)));
    expect((await rejection(writer.write(asynchronous))).message).toBe('a unit of work must not be async');
    await Promise.all(others);
    expect(names(db)).not.toContain('a');
  });

  test('at the commit takes all units of the commit with it, and leaves no transaction behind', async () => {
    const { db, writer } = aWriter();
    db.raw.exec(
      'CREATE TABLE late (userId INTEGER REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED) STRICT',
    );
    const outcomes = await Promise.allSettled([
      writer.write(add('a')),
      writer.write((unit) => unit.raw.exec('INSERT INTO late VALUES (404)')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await writer.write(add('b'));
    expect(names(db)).toEqual(['b']);
  });

  test('by breaking a constraint takes no other with it', async () => {
    const { db, writer } = aWriter();
    const outcomes = await Promise.allSettled(['a', 'a', 'b'].map((name) => writer.write(add(name))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(names(db)).toEqual(['a', 'b']);
  });
});

describe('while another process holds the write lock', () => {
  test('units wait in async code: the event loop goes on, and then they succeed', async () => {
    const { db, writer, file } = aWriter();
    const other = open(file);
    other.raw.exec('BEGIN IMMEDIATE');
    let turns = 0;
    // The lock is held until the event loop has gone round so often: a writer that blocks it waits for itself.
    const timer = setInterval(() => {
      turns += 1;
      if (turns === 20) other.raw.exec('COMMIT');
    }, 5);
    await Promise.all([writer.write(add('a')), writer.write(add('b'))]);
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(20);
    expect(names(db)).toEqual(['a', 'b']);
  });

  test('for too long: DatabaseBusyError for all who wait, nothing written, and the next unit is fine', async () => {
    const { db, writer, file } = aWriter({ lockWaitMs: 50 });
    const blocker = open(file);
    blocker.raw.exec('BEGIN IMMEDIATE');
    const begun = performance.now();
    const errors = await Promise.all([rejection(writer.write(add('a'))), rejection(writer.write(add('b')))]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(50);
    expect(errors.every((error) => error instanceof DatabaseBusyError)).toBe(true);
    expect(errors[0]?.cause).toMatchObject({ code: 'SQLITE_BUSY' });
    blocker.raw.exec('ROLLBACK');
    expect(names(db)).toEqual([]);
    await writer.write(add('c'));
    expect(names(db)).toEqual(['c']);
  });

  test('it is asked for every 5 ms, not all the time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { db, writer, file } = aWriter();
    const other = open(file);
    const turns = async () => {
      for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    other.raw.exec('BEGIN IMMEDIATE');
    const unit = writer.write(add('a'));
    await turns();
    other.raw.exec('COMMIT');
    await turns();
    expect(names(db)).toEqual([]);
    vi.advanceTimersByTime(5);
    await unit;
    expect(names(db)).toEqual(['a']);
  });

  test('and while it recovers the log, units wait as well', async () => {
    const { db } = aDatabase();
    const begin = db.raw.prepare('BEGIN IMMEDIATE');
    const run = vi.fn(() => begin.run());
    run.mockImplementationOnce(() => {
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY_RECOVERY' });
    });
    vi.spyOn(db.raw, 'prepare').mockReturnValueOnce({ run } as never);
    await new Writer(db).write(add('a'));
    expect(names(db)).toEqual(['a']);
  });

  test('transactions are immediate: a unit that reads first and then writes cannot be overtaken', async () => {
    const { writer, file } = aWriter();
    const other = open(file);
    let overtaking: unknown;
    await writer.write((db) => {
      names(db);
      try {
        add('theirs')(other);
      } catch (error) {
        overtaking = error;
      }
      add('mine')(db);
    });
    expect(overtaking).toMatchObject({ code: 'SQLITE_BUSY' });
    expect(names(other)).toEqual(['mine']);
  });
});

describe('a full disk', () => {
  const fill = (db: Db) => {
    db.raw
      .prepare('INSERT INTO inbox VALUES (NULL, ?, ?, ?, ?, NULL, ?, ?, NULL, ?, NULL)')
      .run('signature', crypto.randomUUID(), 'name', 'subject', Buffer.alloc(200_000), 'received', 'now');
  };

  function fullDisk() {
    const { db, file, writer } = aWriter();
    const pages = db.raw.pragma('page_count', { simple: true }) as number;
    db.raw.pragma(`max_page_count = ${pages}`);
    return { db, file, writer };
  }

  test.each([1, 3])(
    'fails every unit of the commit (%d) cleanly: no half of them is there',
    async (count) => {
      const { db, writer } = fullDisk();
      const small = Array.from({ length: count - 1 }, (_, i) => writer.write(add(`n${i}`)));
      const large = writer.write(fill);
      const outcomes = await Promise.allSettled([...small, large]);
      expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'SQLITE_FULL' } });
      const kept = outcomes.slice(0, -1).filter(({ status }) => status === 'fulfilled').length;
      expect(names(db)).toHaveLength(kept);
      expect(db.raw.prepare('SELECT count(*) AS n FROM inbox').get()).toEqual({ n: 0 });
      expect(db.raw.inTransaction).toBe(false);
      expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok');
    },
  );

  test('is got over without a restart; reads went on meanwhile', async () => {
    const { db, writer } = fullDisk();
    await rejection(writer.write(fill));
    expect(names(db)).toEqual([]);
    db.raw.pragma('max_page_count = 1000000');
    await writer.write(fill);
    expect(db.raw.prepare('SELECT count(*) AS n FROM inbox').get()).toEqual({ n: 1 });
  });
});

test('while units are refused none runs, each hears why, and afterwards they run again', async () => {
  const { db, writer } = aWriter();
  let reason: Error | undefined = new Error('the database is damaged');
  writer.refuseWhile(() => reason);
  expect((await rejection(writer.write(add('a')))).message).toBe('the database is damaged');
  reason = undefined;
  await writer.write(add('b'));
  expect(names(db)).toEqual(['b']);
});

test('what was committed is not acknowledged if it must be refused by then', async () => {
  const { writer } = aWriter();
  let reason: Error | undefined;
  writer.refuseWhile(() => reason);
  const moved = (db: Db) => {
    add('a')(db);
    reason = new Error('the database was moved');
  };
  expect((await rejection(writer.write(moved))).message).toBe('the database was moved');
});

test('where even the reason cannot be asked, as after the database was closed, every unit is refused', async () => {
  const { db, file, writer } = aWriter();
  const asked = open(file);
  writer.refuseWhile(() => void asked.raw.pragma('wal_checkpoint(PASSIVE)'));
  for (const closed of [asked, db]) {
    closed.raw.close();
    expect((await rejection(writer.write(add('a')))).message).toContain('not open');
  }
  await writer.idle();
});

describe('listeners', () => {
  test('for failures hear of every unit that failed, and of no other', async () => {
    const { writer } = aWriter();
    const heard: unknown[] = [];
    writer.onFailure((error) => heard.push(error));
    await writer.write(add('a'));
    const error = await rejection(
      writer.write(() => {
        throw new Error('no');
      }),
    );
    expect(heard).toEqual([error]);
  });

  test('what a unit leaves to be done after the commit is done then, in order, without what its neighbours that fail have left', async () => {
    const { file, writer } = aWriter();
    const other = open(file);
    const done: [string, number][] = [];
    const leave = (name: string, isUndone = false) =>
      writer.write((db) => {
        add(name)(db);
        db.afterCommit.push(() => done.push([name, names(other).length]));
        if (isUndone) throw new Error('no');
      });
    await Promise.allSettled([leave('alone', true)]);
    await Promise.allSettled([leave('a'), leave('undone', true), leave('b')]);
    await writer.write(add('c'));
    expect(done).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
  });

  test.each<[string, (writer: Writer, db: Db) => void]>([
    [
      'whose commit fails',
      (_, db) => db.raw.exec('PRAGMA defer_foreign_keys = ON; INSERT INTO tokens DEFAULT VALUES'),
    ],
    ['whose files are lost', (writer) => writer.refuseWhile(() => new Error('the files were moved'))],
  ])('what a unit %s leaves is never done', async (_, fails) => {
    const { db, writer } = aWriter();
    db.raw.exec('CREATE TABLE tokens (of INTEGER DEFAULT 1 REFERENCES counters (value))');
    let done = 0;
    const unit = writer.write(() => {
      db.afterCommit.push(() => (done += 1));
      fails(writer, db);
    });
    await rejection(unit);
    writer.refuseWhile(() => undefined);
    await writer.write(add('a'));
    expect(done).toBe(0);
  });

  test('hear of a topic after the commit that announced it, once a commit, until they end', async () => {
    const { file, writer } = aWriter();
    const other = open(file);
    const seen: string[][] = [];
    const end = writer.onCommit('jobs', () => seen.push(names(other)));
    const announcing = (name: string) =>
      writer.write((db) => {
        db.announce('jobs');
        return add(name)(db);
      });
    await Promise.all([announcing('a'), announcing('b')]);
    await writer.write(add('c'));
    expect(seen).toEqual([['a', 'b']]);
    end();
    await announcing('d');
    expect(seen).toHaveLength(1);
  });
});

test('idle resolves when everything handed in is answered', async () => {
  const { db, writer } = aWriter({ unitsPerCommitMax: 2 });
  for (let i = 0; i < 7; i += 1) void writer.write(add(`n${i}`));
  await writer.idle();
  expect(names(db)).toHaveLength(7);
});

test('a database that is closed answers with an error instead of silence', async () => {
  const { db, writer } = aWriter();
  db.close();
  expect((await rejection(writer.write(add('a')))).message).toMatch(/not open|closed/i);
});
