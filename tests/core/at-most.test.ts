/** What keeps large work from standing in the way of everything else. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atMost } from '../../src/core/at-most.js';
import { inTurns } from '../../src/core/http/send.js';

test('only so many are under way; the others follow in their order, also after one that failed', async () => {
  const inTurn = atMost(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (i: number) =>
    inTurn(async () => {
      begun.push(i);
      await new Promise<void>((end) => void ends.push(end));
      if (i === 1) throw new Error('it failed');
      return i;
    });
  const all = [1, 2, 3, 4].map(work);
  const failed = all[0]?.catch((error: Error) => error.message);

  await nextTurn();
  expect(begun).toEqual([1, 2]);
  ends[0]?.();
  expect(await failed).toBe('it failed');
  await nextTurn();
  expect(begun).toEqual([1, 2, 3]);
  ends[1]?.();
  await nextTurn();
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const end of ends) end();
  expect(await Promise.all(all.slice(1))).toEqual([2, 3, 4]);
});

test('between two large pieces of a body that are there at once, everything else has its turn; small ones do not wait', async () => {
  const seen: string[] = [];
  const read = async (bytes: number) => {
    seen.length = 0;
    setImmediate(() => seen.push('something else'));
    for await (const piece of inTurns([1, 2].map(() => new Uint8Array(bytes)))) seen.push(`${piece.length}`);
    return [...seen];
  };
  expect(await read(65_536)).toEqual(['65536', 'something else', '65536']);
  expect(await read(1_024)).toEqual(['1024', '1024']);
});
