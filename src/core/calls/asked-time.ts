/**
 * Times as people give them, at the command line and in filters of the back office (rules 10): a date or time in the zone of
 * the settings unless it names an offset, or how long ago. The API takes full dates only.
 */
import { nearestIso, type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.js';
import { momentOf, plusDays, wallClock } from '../zone.js';

/** The moment that was meant, once zone and clock are known: ISO 8601 in UTC. */
export type AskedTime = (here: { config: { timeZone: string }; clock: Clock }) => string;

export const TIME_FORMS =
  'Give a date or time such as 2026-03-02, 2026-03-02T09:00 or 2026-03-02T09:00Z, or how long ago: 30min, 12h, 3d, 2w, today, yesterday.';

/** Undefined for what is no time. A date, `today` and `yesterday` mean the beginning of that day. */
export function askedTime(text: string): AskedTime | undefined {
  const word = text.trim().toUpperCase();
  return dayNamed(word) ?? ago(word) ?? moment(word);
}

const DAYS_AGO = new Map([
  ['TODAY', 0],
  ['YESTERDAY', 1],
]);

function dayNamed(word: string): AskedTime | undefined {
  const daysAgo = DAYS_AGO.get(word);
  if (daysAgo === undefined) return undefined;
  return ({ config: { timeZone }, clock }) => {
    const today = wallClock(timeZone, clock.now()).day;
    return momentOf(timeZone, { day: plusDays(today, -daysAgo), time: '00:00:00' }).toISOString();
  };
}

const UNITS_MS = new Map([
  ['MIN', MINUTE_MS],
  ['H', HOUR_MS],
  ['D', DAY_MS],
  ['W', 7 * DAY_MS],
]);

function ago(word: string): AskedTime | undefined {
  const [, count, unit = ''] = /^(\d{1,5})(MIN|H|D|W)$/.exec(word) ?? [];
  const unitMs = UNITS_MS.get(unit);
  if (unitMs === undefined) return undefined;
  return ({ clock }) => new Date(clock.now().getTime() - Number(count) * unitMs).toISOString();
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function moment(word: string): AskedTime | undefined {
  const [, day = '', minute = '00:00', second = '00', fraction = '', zone] = MOMENT.exec(word) ?? [];
  const time = `${minute}:${second}`;
  const offset = zone?.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : (zone ?? 'Z');
  const inUtc = new Date(`${day}T${time}${fraction}${offset}`);
  if (!isCalendarDay(day) || Number.isNaN(inUtc.getTime())) return undefined;
  if (zone !== undefined || !isOrdinary(day)) return () => nearestIso(inUtc.getTime());
  const moreMs = Number(`0${fraction}`) * 1000;
  return ({ config }) => new Date(momentOf(config.timeZone, { day, time }).getTime() + moreMs).toISOString();
}

/** Beside these years a zone's clock shows a year of another length. Nothing is stored from then, so UTC will do. */
function isOrdinary(day: string): boolean {
  return '0002' <= day && day < '9999';
}

/** Such as `2026-10`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** 31 February would roll over. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
