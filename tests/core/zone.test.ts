/** Calendar days in a time zone: where a day ends, also when the clocks are changed. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  lastSecondAfter,
  startOfDay,
  plusDays,
  systemZone,
  wallClock,
  zoneNamed,
} from '../../src/core/zone.js';

const after = (zone: string, from: string, days: number) =>
  lastSecondAfter(zone, new Date(from), days).toISOString();

test.each([
  ['UTC', '2026-03-02T09:14:07.250Z', 30, '2026-04-01T23:59:59.000Z'],
  // Summer time begins on 29 March 2026 and ends on 25 October: days of 23 and 25 hours.
  ['Europe/Paris', '2026-03-28T12:00:00.000Z', 0, '2026-03-28T22:59:59.000Z'],
  ['Europe/Paris', '2026-03-28T12:00:00.000Z', 1, '2026-03-29T21:59:59.000Z'],
  ['Europe/Paris', '2026-10-01T12:00:00.000Z', 23, '2026-10-24T21:59:59.000Z'],
  ['Europe/Paris', '2026-10-01T12:00:00.000Z', 24, '2026-10-25T22:59:59.000Z'],
  // It is the next day there already.
  ['Europe/Paris', '2026-03-01T23:30:00.000Z', 30, '2026-04-01T21:59:59.000Z'],
  ['America/Los_Angeles', '2026-03-08T07:30:00.000Z', 1, '2026-03-09T06:59:59.000Z'],
  ['America/Los_Angeles', '2026-10-31T12:00:00.000Z', 1, '2026-11-02T07:59:59.000Z'],
  ['Pacific/Kiritimati', '2026-03-02T09:59:59.000Z', 0, '2026-03-02T09:59:59.000Z'],
  ['Pacific/Kiritimati', '2026-03-02T10:00:00.000Z', 0, '2026-03-03T09:59:59.000Z'],
  ['Etc/GMT+12', '2026-03-02T11:59:59.000Z', 0, '2026-03-02T11:59:59.000Z'],
  // Midnight itself is skipped, or comes twice.
  ['America/Santiago', '2026-09-05T12:00:00.000Z', 0, '2026-09-06T03:59:59.000Z'],
  ['Africa/Cairo', '2026-10-29T12:00:00.000Z', 0, '2026-10-29T21:59:59.000Z'],
])('%s: from %s the day %i days later ends at %s', (zone, from, days, end) => {
  expect(after(zone, from, days)).toBe(end);
  const last = wallClock(zone, end);
  const next = wallClock(zone, new Date(Date.parse(end) + 1000));
  expect(last.day < next.day).toBe(true);
});

test.each([
  ['Europe/Paris', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
])('%s: %s begins at %s, and the next day at %s', (zone, day, from, until) => {
  const starts = [day, plusDays(day, 1)].map((each) => startOfDay(zone, each).toISOString());
  expect(starts).toEqual([from, until]);
});

test('the clock on the wall is that of the zone', () => {
  expect(wallClock('Europe/Paris', '2026-07-14T22:05:09.000Z')).toEqual({
    day: '2026-07-15',
    time: '00:05:09',
  });
  expect(wallClock('UTC', '0999-01-02T00:00:00.000Z')).toEqual({ day: '0999-01-02', time: '00:00:00' });
});

describe('names', () => {
  test.each([
    ['Europe/Paris', 'Europe/Paris'],
    ['europe/paris', 'Europe/Paris'],
    ['Etc/UTC', 'UTC'],
    ['utc', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
  ])('%s is %s', (name, zone) => expect(zoneNamed(name)).toBe(zone));

  test.each(['Europe/Pariss', 'Paris', '+02:00', '2', '', 'Europe/Paris ', 'CEST'])('%j is refused', (name) =>
    expect(() => zoneNamed(name)).toThrow('is not a time zone that this machine knows'),
  );

  test.each([
    ['Europe/Paris', 'Europe/Paris'],
    [':Europe/Paris', 'Europe/Paris'],
    ['europe/paris', 'Europe/Paris'],
    ['EST5EDT', 'EST5EDT'],
    ['UTC', 'UTC'],
    ['Etc/GMT+2', 'Etc/GMT+2'],
    // The rules of POSIX are none: the runtime gives +02:00, UTC, or nothing for them.
    ['GMT+2', undefined],
    ['CET-1CEST,M3.5.0,M10.5.0/3', undefined],
    ['<+03>-3', undefined],
    ['Mars/Olympus', undefined],
    [':/etc/localtime', undefined],
  ])('TZ=%s is %s', (TZ, zone) => {
    vi.stubEnv('TZ', TZ);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(systemZone()).toBe(zone);
  });

  test('an empty TZ is UTC', () => {
    vi.stubEnv('TZ', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(systemZone()).toBe('UTC');
  });
});
