/** A round of calls about many things: past one that fails it goes on, and what it could not ask comes first in the next. */
import { describe, expect, test } from 'vitest';
import { Round, type RoundOptions } from '../../../src/core/calls/round.js';
import { AppError } from '../../../src/core/errors.js';
import { newOnEachPage } from '../../../src/core/http/pages.js';
import { CallCut, ProviderError } from '../../../src/core/http/provider-error.js';
import { findPlace } from '../../../src/db/installation/runs.js';
import { rejection, startApp, type TestApp } from '../../support/app.js';

const silent = new ProviderError('unavailable', 'payment provider answered 500');
const limited = (seconds?: number) =>
  new ProviderError('rate_limited', 'payment provider answered 429', {
    ...(seconds && { retryAfterMs: seconds * 1000 }),
  });

/** What went wrong with each of these, if anything. */
type Errors = Record<number, Error | undefined>;

async function go(
  app: TestApp,
  round: Round,
  ids: readonly number[],
  errors: Errors = {},
  more: { max?: number; name?: string } = {},
) {
  const asked: number[] = [];
  const failed: number[] = [];
  await round.each(app.ctx, ids, {
    keyOf: (id) => id,
    nameOf: (id) => `request ${id}`,
    async act(id) {
      asked.push(id);
      if (errors[id]) throw errors[id];
    },
    failed: (id) => failed.push(id),
    name: 'payments',
    ...more,
  });
  return { asked, failed };
}

const place = (app: TestApp) => findPlace(app.ctx.db, 'payments');

describe('failures', () => {
  test('one stops nothing: all others are asked, and the round is in trouble because of it', async () => {
    const app = await startApp();
    const round = new Round();
    expect(await go(app, round, [1, 2, 3], { 2: silent })).toEqual({ asked: [1, 2, 3], failed: [2] });
    expect(round.trouble).toBe('request 2: payment provider answered 500');
    expect([round.hasBrokenOff, place(app)]).toEqual([false, undefined]);
    await go(app, round, [4, 5], { 5: silent });
    expect(round.trouble).toBe('2 failed, the first being request 2: payment provider answered 500');
  });

  test('three in a row end it, and the next begins behind them', async () => {
    const app = await startApp();
    const [ids, errors] = [[5, 3, 1, 2, 4, 6], { 2: silent, 3: silent, 4: silent }];
    const first = new Round();
    expect(await go(app, first, ids, errors)).toEqual({ asked: [1, 2, 3, 4], failed: [2, 3, 4] });
    expect(first.trouble).toBe(
      'broke off: 3 failed in a row, the last being request 4: payment provider answered 500',
    );
    expect([first.hasBrokenOff, place(app)]).toEqual([true, '4']);
    expect((await go(app, new Round(), ids, errors)).asked).toEqual([5, 6, 1, 2, 3, 4]);
    expect((await go(app, new Round(), ids)).asked).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('in between with answers do not end it, nor do those that the provider or a rule has answered', async () => {
    const app = await startApp();
    const answered = [
      new ProviderError('rejected', 'no'),
      new ProviderError('not_found', 'no'),
      new AppError('refused', 'contract_expired', 'no'),
    ];
    const errors = Object.fromEntries([1, 2, 4, 5].map((id) => [id, silent]));
    expect((await go(app, new Round(), [1, 2, 3, 4, 5, 6], errors)).asked).toHaveLength(6);
    const round = new Round();
    const refused = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i, answered[i % 3]]));
    expect((await go(app, round, [0, 1, 2, 3, 4, 5, 6, 7, 8], refused)).failed).toHaveLength(9);
    expect([round.hasBrokenOff, round.trouble]).toEqual([false, '9 failed, the first being request 0: no']);
  });

  test('of our own count as well', async () => {
    const app = await startApp();
    const bug = new TypeError('x is undefined');
    expect((await go(app, new Round(), [1, 2, 3, 4], { 1: bug, 2: bug, 3: bug })).asked).toEqual([1, 2, 3]);
  });

  test('never end a round whose things all have to be answered', async () => {
    const app = await startApp();
    const errors = { 1: silent, 2: silent, 3: silent, 4: silent };
    expect((await go(app, new Round({ isPatient: true }), [1, 2, 3, 4, 5], errors)).asked).toHaveLength(5);
  });

  test('one series of them leaves the other things of the round alone', async () => {
    const app = await startApp();
    const round = new Round();
    await go(app, round, [1, 2, 3, 4], { 1: silent, 2: silent, 3: silent });
    expect((await go(app, round, [7, 8], {}, { name: 'others' })).asked).toEqual([7, 8]);
  });
});

describe('the place', () => {
  test('of one that has gone is kept by its key, and the next begins behind it', async () => {
    const app = await startApp();
    await go(app, new Round(), [1, 2, 3, 4, 5], {}, { max: 3 });
    expect(place(app)).toBe('3');
    expect((await go(app, new Round(), [1, 2, 4, 5])).asked).toEqual([4, 5, 1, 2]);
    expect(place(app)).toBeUndefined();
  });

  test('of numbers is a number, not a text', async () => {
    const app = await startApp();
    await go(app, new Round(), [9, 10, 11], {}, { max: 1 });
    expect((await go(app, new Round(), [9, 10, 11, 100])).asked).toEqual([10, 11, 100, 9]);
  });

  test('stays when nothing could be tried', async () => {
    const app = await startApp();
    await go(app, new Round(), [1, 2, 3], {}, { max: 2 });
    expect((await go(app, new Round({ signal: AbortSignal.abort() }), [1, 2, 3])).asked).toEqual([]);
    expect(place(app)).toBe('2');
  });
});

describe('pauses', () => {
  /** Answers only after so many pauses. */
  async function limitedFor(times: number, seconds: number | undefined, options: RoundOptions = {}) {
    const pauses: number[] = [];
    const round = new Round({ pause: async (ms) => void pauses.push(ms), ...options });
    let asked = 0;
    const answer = round.ask(async () => {
      asked += 1;
      if (asked <= times) throw limited(seconds);
      return 'answer';
    });
    return { round, pauses, answer: await answer.catch((error: Error) => error.message), asked: () => asked };
  }

  test('are as long as the provider asks, or a minute', async () => {
    expect(await limitedFor(2, 90)).toMatchObject({ answer: 'answer', pauses: [90_000, 90_000] });
    expect(await limitedFor(1, undefined)).toMatchObject({ answer: 'answer', pauses: [60_000] });
  });

  test('too long a one is not made: the round is over', async () => {
    const { round, pauses, answer } = await limitedFor(1, 601);
    expect([pauses, answer]).toEqual([[], 'payment provider answered 429']);
    expect([round.isOver, round.trouble]).toEqual([true, 'broke off: payment provider answered 429']);
    expect(await limitedFor(1, 601, { isPatient: true })).toMatchObject({
      answer: 'answer',
      pauses: [601_000],
    });
  });

  test('all together are no longer than a round may pause', async () => {
    const { round, pauses } = await limitedFor(3, 250);
    expect([pauses, round.isOver]).toEqual([[250_000, 250_000], true]);
  });

  test('a limit that stays after three of them ends the round: nobody else would be answered', async () => {
    const app = await startApp();
    const round = new Round({ pause: async () => undefined });
    const { asked, failed } = await go(app, round, [1, 2, 3], { 1: limited(1) });
    expect([asked, failed]).toEqual([[1, 1, 1, 1], [1]]);
    expect([round.isOver, place(app)]).toEqual([true, '1']);
  });

  test('are kept when a refusal of ours hides what the provider asks for', async () => {
    const pauses: number[] = [];
    const round = new Round({ pause: async (ms) => void pauses.push(ms) });
    const hidden = new AppError('unavailable', 'payment_unavailable', 'The provider cannot be reached.', {
      cause: limited(2),
    });
    let isLimited = true;
    await round.ask(async () => {
      if (isLimited) {
        isLimited = false;
        throw hidden;
      }
    });
    expect(pauses).toEqual([2_000]);
  });

  test('end at once when the round is ended from outside', async () => {
    const interrupt = new AbortController();
    const round = new Round({ signal: interrupt.signal });
    let asked = 0;
    const pausing = rejection(
      round.ask(async () => {
        asked += 1;
        throw limited(500);
      }),
    );
    await new Promise((next) => setImmediate(next));
    interrupt.abort();
    expect(await pausing).toMatchObject({ reason: 'rate_limited' });
    expect([asked, round.trouble]).toEqual([1, undefined]);
  });
});

test('whoever has gone waits for no answer: that one is neither answered nor failed', async () => {
  const app = await startApp();
  const cut = new CallCut('payment provider', { mayHaveActed: false });
  const round = new Round();
  expect(await go(app, round, [1, 2, 3], { 2: cut })).toEqual({ asked: [1, 2], failed: [] });
  expect([round.isInterrupted, round.trouble]).toEqual([true, undefined]);
  expect(await rejection(go(app, new Round({ isPatient: true }), [1, 2], { 1: cut }))).toBe(cut);
});

describe('pages', () => {
  async function read(pages: Record<string, { items: string[]; next?: string }>, from?: string) {
    const calls: (string | undefined)[] = [];
    const found: string[] = [];
    const list = async (cursor: string | undefined) => {
      calls.push(cursor);
      const { items, next } = pages[cursor ?? ''] ?? { items: [] };
      return { items, next };
    };
    for await (const page of newOnEachPage(list, (item) => item, { from })) found.push(...page);
    return { calls, found };
  }

  test('are read to the last one, from the beginning or from a cursor on', async () => {
    const pages = {
      '': { items: ['a', 'b'], next: '2' },
      2: { items: ['b', 'c'], next: '3' },
      3: { items: ['d'] },
    };
    expect(await read(pages)).toEqual({ calls: [undefined, '2', '3'], found: ['a', 'b', 'c', 'd'] });
    expect(await read(pages, '2')).toEqual({ calls: ['2', '3'], found: ['b', 'c', 'd'] });
  });

  test('end at one with nothing new, whatever cursor it names', async () => {
    const pages = {
      '': { items: ['a'], next: '2' },
      2: { items: ['a'], next: '3' },
      3: { items: ['a'], next: '4' },
    };
    expect(await read(pages)).toEqual({ calls: [undefined, '2'], found: ['a'] });
  });

  test('go on behind a few empty ones, but not for ever', async () => {
    expect(await read({ '': { items: [], next: '2' }, 2: { items: ['a'] } })).toEqual({
      calls: [undefined, '2'],
      found: ['a'],
    });
    const empty = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [i === 0 ? '' : String(i), { items: [], next: String(i + 1) }]),
    );
    expect((await read(empty)).calls.length).toBeLessThan(6);
  });
});
