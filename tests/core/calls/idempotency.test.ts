/** A creation with a key, asked for again while the first call is under way; through the API: create-once.test.ts. */
import { describe, expect, test } from 'vitest';
import { createOnce, type Creation } from '../../../src/core/calls/idempotency.js';
import type { Db } from '../../../src/db/db.js';
import { startApi } from '../../server/support.js';

describe('while the first call of a key is under way', () => {
  /** Counts what it makes; each takes `takes` to be made. */
  async function aMaker(takes: (db: Db['raw']) => Promise<unknown>) {
    const app = startApi();
    const { id: userId } = await app.addUser('anna@example.org');
    let made = 0;
    const creation: Creation<string> = {
      make: async (keep) => {
        made += 1;
        const name = `thing ${made}`;
        await takes(app.ctx.db.raw);
        await app.ctx.writer.write((db) => keep(db, name));
        return name;
      },
      answerOf: (name) => name,
    };
    const create = (key: string) =>
      createOnce(app.ctx, { userId, operation: 'POST /things', key, body: { note: null } }, creation);
    return { create, made: () => made };
  }

  test('another key does not wait for it; the second waits two seconds and hears that it is in progress', async () => {
    let goOn = () => {};
    const gates = [new Promise<void>((resolve) => (goOn = resolve))];
    const { create } = await aMaker(() => gates.shift() ?? Promise.resolve());
    const first = create('k-1');
    expect(await create('k-2')).toEqual({ answer: 'thing 2', isReplayed: false });
    await expect(create('k-1')).rejects.toMatchObject({ kind: 'busy', code: 'in_progress' });
    goOn();
    expect(await first).toEqual({ answer: 'thing 1', isReplayed: false });
  });

  test('and it takes its time, the second waits for it and repeats its answer', async () => {
    const { create, made } = await aMaker(async () => {
      const end = performance.now() + 50;
      while (performance.now() < end) await new Promise(setImmediate);
    });
    expect(await Promise.all([create('k-1'), create('k-1')])).toEqual([
      { answer: 'thing 1', isReplayed: false },
      { answer: 'thing 1', isReplayed: true },
    ]);
    expect(made()).toBe(1);
  });

  test('and another process has made it meanwhile, nothing of it is kept', async () => {
    const { create } = await aMaker(async (raw) => {
      raw.exec("INSERT INTO idempotencyKeys VALUES (1, 'POST /things', 'k-1', '', 'theirs', '2030')");
    });
    await expect(create('k-1')).rejects.toMatchObject({ code: 'in_progress' });
    await expect(create('k-1')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('and it fails, the second makes it', async () => {
    let calls = 0;
    const { create } = await aMaker(async () => {
      calls += 1;
      await new Promise(setImmediate);
      if (calls === 1) throw new Error('lost');
    });
    const outcomes = await Promise.allSettled([create('k-1'), create('k-1')]);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { message: 'lost' } },
      { status: 'fulfilled', value: { answer: 'thing 2', isReplayed: false } },
    ]);
  });
});
