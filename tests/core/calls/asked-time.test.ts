/** Times as people give them: dates and times of day in the settings' zone, or how long ago. */
import { describe, expect, test } from 'vitest';
import { askedTime } from '../../../src/core/calls/asked-time.js';

function asked(text: string, now: string, timeZone = 'Europe/Paris'): string | undefined {
  return askedTime(text)?.({ config: { timeZone }, clock: { now: () => new Date(now) } });
}

const NOON = '2026-03-02T11:00:00.000Z';

test.each([
  ['2026-03-02', '2026-03-01T23:00:00.000Z'],
  ['2026-03-02T09:14', '2026-03-02T08:14:00.000Z'],
  ['2026-03-02 09:14:07', '2026-03-02T08:14:07.000Z'],
  ['2026-03-02T09:14:07.25', '2026-03-02T08:14:07.250Z'],
  ['2026-03-02T09:14Z', '2026-03-02T09:14:00.000Z'],
  ['2026-03-02t09:14:07.123+0530', '2026-03-02T03:44:07.123Z'],
  ['30min', '2026-03-02T10:30:00.000Z'],
  ['12h', '2026-03-01T23:00:00.000Z'],
  ['3d', '2026-02-27T11:00:00.000Z'],
  ['2W', '2026-02-16T11:00:00.000Z'],
  [' today ', '2026-03-01T23:00:00.000Z'],
  ['Yesterday', '2026-02-28T23:00:00.000Z'],
])('at noon of 2 March in Paris %j means %s', (text, moment) => expect(asked(text, NOON)).toBe(moment));

test.each([
  // The day has begun in Paris, not yet in London.
  ['today', '2026-03-01T23:30:00.000Z', 'Europe/Paris', '2026-03-01T23:00:00.000Z'],
  ['today', '2026-03-01T23:30:00.000Z', 'Europe/London', '2026-03-01T00:00:00.000Z'],
  // Days of 23 and 25 hours, and across a year's end.
  ['yesterday', '2026-03-30T10:00:00.000Z', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
  ['yesterday', '2026-10-26T10:00:00.000Z', 'Europe/Paris', '2026-10-24T22:00:00.000Z'],
  ['yesterday', '2026-01-01T05:00:00.000Z', 'America/Los_Angeles', '2025-12-30T08:00:00.000Z'],
  // An hour that the clocks skip begins after the gap.
  ['2026-03-29T02:30', NOON, 'Europe/Paris', '2026-03-29T01:00:00.000Z'],
])('%s at %s in %s means %s', (text, now, zone, moment) => expect(asked(text, now, zone)).toBe(moment));

test.each([
  ['0000-01-01', '0000-01-01T00:00:00.000Z'],
  ['0000-01-01T00:00+05:30', '0000-01-01T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59', '9999-12-31T23:59:59.000Z'],
  ['9999-12-31T23:59-08:00', '9999-12-31T23:59:59.999Z'],
])('%s, at the end of what can be stored, is taken as the nearest that can: %s', (text, moment) =>
  expect(asked(text, NOON)).toBe(moment),
);

describe('no time', () => {
  test.each([
    '',
    'tomorrow',
    '3',
    '3m',
    '-3d',
    '1.5h',
    '999999d',
    '2026-02-31',
    '2026-13-01',
    '2026-03-02T25:00',
    '2026-03-02T09:60Z',
    '2026-03-02T09:00+99:00',
    '02.03.2026',
  ])('%j', (text) => expect(askedTime(text)).toBeUndefined());
});
