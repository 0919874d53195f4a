/** Parses arguments and options strictly. Loaded at every start, so nothing heavy here. */
import { InvalidArgumentError } from 'commander';
import { statusOf } from '../core/lifecycle.js';
import { isBlank } from '../core/texts/plain.js';

/** What core/requests/find-by-key.ts understands. */
export const REQUEST =
  'number or reference of the request, contract:<id>, signId, paymentId, or words from the customer’s name, e-mail address or phone number, the serial number or the title';

/** A key as it was typed. What looks like a number or a reference must be one. */
export function requestArgument(text: string): string {
  const key = textOption(text);
  const isMistyped = /^0+$/.test(key) || (/^REQ-/i.test(key) && !/^REQ-\d{4}-\d{1,15}$/i.test(key));
  if (!isMistyped) return key;
  throw new InvalidArgumentError('Give the number of a request, or its reference such as REQ-2026-000123.');
}

/** For variadic ids: each once, in the order typed. */
export function idList(text: string, before: number[] = []): number[] {
  const id = idArgument(text);
  return before.includes(id) ? before : [...before, id];
}

export function idArgument(text: string): number {
  return numberOf(text, 'Give a number, as the list shows it.');
}

export function limitOption(text: string): number {
  return numberOf(text, 'Give a whole number, 1 or more.');
}

export function textOption(text: string): string {
  if (isBlank(text)) throw new InvalidArgumentError('It must not be empty.');
  return text.trim();
}

/** One or several of these statuses, separated by commas. */
export function statusList<S extends string>(statuses: readonly S[]): (text: string) => S[] {
  return (text) =>
    text.split(',').map((word) => {
      const status = statusOf(statuses, word.trim());
      if (!status) throw new InvalidArgumentError(`Give one of ${statuses.join(', ')}.`);
      return status;
    });
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A date or date-time, UTC unless it has an offset, in the stored form. */
export function timeOption(text: string): string {
  const [, date, minute = '00:00', second = '00', fraction = '', zone = 'Z'] = TIME.exec(text) ?? [];
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const time = new Date(`${date}T${minute}:${second}${fraction}${offset}`);
  // 31 February would roll over.
  const isReal = date !== undefined && !Number.isNaN(time.getTime()) && isCalendarDate(date);
  if (!isReal) throw new InvalidArgumentError('Give a date or time such as 2026-03-02 or 2026-03-02T09:00Z.');
  return time.toISOString();
}

function isCalendarDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}

function numberOf(text: string, complaint: string): number {
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number < 1) throw new InvalidArgumentError(complaint);
  return number;
}
