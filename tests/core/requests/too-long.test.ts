import { expect, test } from 'vitest';
import { iso } from '../../../src/core/clock.js';
import { workingDaysBefore } from '../../../src/core/requests/too-long.js';

test.each([
  ['a Thursday', '2026-03-05T09:00:00.000Z', 2, '2026-03-03T09:00:00.000Z'],
  ['a Tuesday, over the weekend', '2026-03-03T09:00:00.000Z', 2, '2026-02-27T09:00:00.000Z'],
  ['a Sunday', '2026-03-08T09:00:00.000Z', 2, '2026-03-05T09:00:00.000Z'],
  [
    'a Monday after the clocks were put forward: the same time of day',
    '2026-03-30T08:00:00.000Z',
    1,
    '2026-03-27T09:00:00.000Z',
  ],
])('working days before %s', (_what, now, days, then) => {
  expect(iso(workingDaysBefore('Europe/Paris', new Date(now), days))).toBe(then);
});
