/** Parses arguments and options strictly. Loaded at every start, so nothing heavy here. */
import { InvalidArgumentError, Option } from 'commander';
import { placeOfCursor, type Place } from '../../core/calls/cursor.js';
import { reasonFault } from '../../core/calls/reason.js';
import { askedTime, TIME_FORMS, type AskedTime } from '../../core/calls/asked-time.js';
import { statusOf } from '../../core/lifecycle.js';
import { isBlank } from '../../core/texts/plain.js';

/** What core/requests/find-by-key.ts understands. */
export const REQUEST =
  'number or reference of the request, contract:<id>, signId, paymentId, or any part of the customer’s name, e-mail address or phone number, the serial number or the title';

/** A key as it was typed. What looks like a number or a reference must be one. */
export function requestArgument(text: string): string {
  const key = textOption(text);
  const isMistyped = /^0+$/.test(key) || (/^REQ-/i.test(key) && !/^REQ-\d{4}-\d{1,15}$/i.test(key));
  if (!isMistyped) return key;
  throw new InvalidArgumentError('Give the number of a request, or its reference such as REQ-2026-000123.');
}

/** For a variadic argument: each once, in the order typed. */
export function several<T>(parse: (text: string) => T) {
  return (text: string, before: T[] = []): T[] => {
    const one = parse(text);
    return before.includes(one) ? before : [...before, one];
  };
}

export const idList = several(idArgument);

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

/** Why something is done. */
export function reasonOption(text: string): string {
  const reason = textOption(text);
  const fault = reasonFault(reason);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return reason;
}

/** Takes one or several of these, with commas, in any letter case. */
export function choicesOption(
  name: string,
  about: string,
  words: readonly string[],
  others: readonly string[] = [],
): Option {
  const option = new ListOption(`--${name} <${name}>`, `only those ${about}; several with commas`);
  option.others = others;
  return option.choices(words).argParser((text) =>
    text.split(',').map((word) => {
      const known = statusOf([...words, ...others], word.trim());
      if (!known) throw new InvalidArgumentError(`Give one of ${words.join(', ')}.`);
      return known;
    }),
  );
}

/** Its choices may be given several at once. */
export class ListOption extends Option {
  /** Taken too; --help does not show them. */
  others: readonly string[] = [];
}

/** For the help of such an option. */
export const TIMES = 'such as 2026-03-02, 2026-03-02T09:00 (in ESIGN_TIMEZONE), yesterday, 12h or 3d';

/** A date, a time or how long ago; the action asks it for the moment, when zone and clock are known. */
export function timeOption(text: string): AskedTime {
  const time = askedTime(text);
  if (!time) throw new InvalidArgumentError(TIME_FORMS);
  return time;
}

/** Where a list goes on. */
export function cursorOption(text: string): Place {
  const place = placeOfCursor(text);
  if (!place) throw new InvalidArgumentError('Give the cursor that the previous list printed.');
  return place;
}

function numberOf(text: string, complaint: string): number {
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number < 1) throw new InvalidArgumentError(complaint);
  return number;
}
