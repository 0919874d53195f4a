/** How many calls fall into the window before now: never more than the limit, whatever the clock does, in bounded memory. */
import { expect, test } from 'vitest';
import { SlidingWindow } from '../../../src/core/calls/sliding-window.js';
import { HOUR, ManualClock, MINUTE } from '../../support/clock.js';

test.each([
  { windowMs: MINUTE, burstMs: 10 },
  { windowMs: HOUR, burstMs: 10 },
  { windowMs: HOUR, burstMs: 30_000 },
])('a clock that is put back a little forgets no call: %o', ({ windowMs, burstMs }) => {
  const clock = new ManualClock();
  const window = new SlidingWindow(clock, { windowMs });
  for (let i = 0; i < 5; i += 1) {
    expect(window.take('a', 5).isWithin).toBe(true);
    clock.advance(burstMs / 5);
  }

  clock.advance(-burstMs / 2);

  expect(window.take('a', 5)).toMatchObject({ isWithin: false, remaining: 0 });
  clock.advance(windowMs + burstMs);
  expect(window.take('a', 5)).toMatchObject({ isWithin: true, remaining: 4 });
});

test('in any minute whatever, no more calls pass than the limit', () => {
  const clock = new ManualClock();
  const window = new SlidingWindow(clock, { windowMs: MINUTE });
  const passed: number[] = [];
  let seed = 7;
  for (let i = 0; i < 5_000; i += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    clock.advance(seed % 1_300);
    if (window.take('a', 60).isWithin) passed.push(clock.now().getTime());
  }

  const most = Math.max(...passed.map((time, i) => i - passed.findIndex((t) => t > time - MINUTE) + 1));
  expect(most).toBe(60);
});

test('the memory is bounded: the key longest quiet is forgotten, and all are after their window', () => {
  const clock = new ManualClock();
  const window = new SlidingWindow(clock, { windowMs: MINUTE, keysMax: 3 });
  const isWithin = (key: string) => window.take(key, 1).isWithin;
  for (const key of ['a', 'b', 'c']) expect(isWithin(key)).toBe(true);
  expect(isWithin('b')).toBe(false);

  expect(isWithin('d')).toBe(true);
  expect(window.callsSince(0).map(({ key }) => key)).toEqual(['b', 'c', 'd']);
  expect(isWithin('d')).toBe(false);
  expect(isWithin('a')).toBe(true);

  clock.advance(MINUTE);
  window.take('e', 1);
  expect(window.callsSince(0)).toMatchObject([{ key: 'e' }]);
});
