/** Calendar days and local time in a time zone (setting ESIGN_TIMEZONE); what is stored stays UTC. */
import { DAY_MS } from './clock.js';

/** What the runtime calls the zone of a system with an empty TZ. */
const NO_ZONE = 'Etc/Unknown';

/**
 * The zone of the system: that of TZ, else the machine's. Undefined where it has no IANA name, as with `TZ=GMT+2`, whose
 * sign the runtime misreads, or `TZ=CET-1CEST,M3.5.0,M10.5.0/3`, which it takes for UTC.
 */
export function systemZone(): string | undefined {
  const { TZ } = process.env;
  if (TZ) return ifZone(TZ.replace(/^:/, ''));
  const named = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isNameless = !named || named === NO_ZONE;
  return isNameless ? (isUtc() ? 'UTC' : undefined) : ifZone(named);
}

/** The clocks of the system show UTC, in winter and in summer. */
function isUtc(): boolean {
  return [0, 6].every((month) => new Date(2026, month).getTimezoneOffset() === 0);
}

/** The zone of an IANA name, with correct letter case; throws for an unknown one. */
export function zoneNamed(name: string): string {
  const zone = ifZone(name);
  if (zone === undefined) throw new Error('is not a time zone that this machine knows');
  return zone;
}

function ifZone(name: string): string | undefined {
  const known = /^[A-Za-z]/.test(name) ? resolved(name) : undefined;
  // Keep an alias: the runtime may report Asia/Kolkata under its old name.
  const isAlias = known !== undefined && known !== 'UTC' && known.toLowerCase() !== name.toLowerCase();
  return isAlias ? name : known;
}

function resolved(timeZone: string): string | undefined {
  try {
    return readerOf(timeZone).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export interface WallClock {
  day: string;
  time: string;
}

export function wallClock(zone: string, at: Date | string): WallClock {
  const parts = new Map(
    readerOf(zone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    day: `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}`,
    time: `${of('hour')}:${of('minute')}:${of('second')}`,
  };
}

function readerOf(timeZone: string): Intl.DateTimeFormat {
  return cached(Intl.DateTimeFormat, 'en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}

const formats = new Map<string, unknown>();

/** Creating one costs more than a hundred uses. There are as many as languages, zones and currencies in the settings. */
export function cached<Options, Format>(
  Kind: new (region: string, how: Options) => Format,
  region: string,
  how: Options,
): Format {
  const key = `${Kind.name} ${region} ${JSON.stringify(how)}`;
  const format = (formats.get(key) as Format | undefined) ?? new Kind(region, how);
  formats.set(key, format);
  return format;
}

/** The last second of the calendar day `days` after that of `from`. */
export function lastSecondAfter(zone: string, from: Date, days: number): Date {
  return lastSecondOf(zone, plusDays(wallClock(zone, from).day, days));
}

export function startOfDay(zone: string, day: string): Date {
  return momentOf(zone, { day, time: '00:00:00' });
}

/** When the clocks of the zone show this; where they skip it, the moment after the gap. */
export function momentOf(zone: string, { day, time }: WallClock): Date {
  const isBefore = (shown: WallClock) => shown.day < day || (shown.day === day && shown.time < time);
  return secondAfter(lastSecondWhere(zone, day, isBefore));
}

function lastSecondOf(zone: string, day: string): Date {
  return lastSecondWhere(zone, day, (shown) => shown.day <= day);
}

/** Found by bisection, so days of 23 or 25 hours and changes at midnight need no special case. */
function lastSecondWhere(zone: string, day: string, holds: (shown: WallClock) => boolean): Date {
  const noonMs = Date.parse(`${day}T12:00:00Z`);
  // No zone is further from UTC, so the day is between these two.
  let [within, after] = [noonMs / 1000 - FARTHEST_S, noonMs / 1000 + FARTHEST_S];
  while (after - within > 1) {
    const middle = Math.floor((within + after) / 2);
    if (holds(wallClock(zone, new Date(middle * 1000)))) within = middle;
    else after = middle;
  }
  return new Date(within * 1000);
}

function secondAfter(time: Date): Date {
  return new Date(time.getTime() + 1000);
}

const FARTHEST_S = 30 * 3600;

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
