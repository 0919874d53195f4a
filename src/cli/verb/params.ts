/** What commands take: arguments and options, with strict parsers. Loaded at every start, so nothing heavy here. */
import { InvalidArgumentError } from 'commander';
import { placeOfCursor, type Place } from '../../core/calls/listing.js';
import { reasonFault } from '../../core/calls/reason.js';
import { askedTime, TIME_FORMS, type AskedTime } from '../../core/calls/asked-time.js';
import type { IdSource } from '../../core/installation/known-ids.js';
import { statusOf } from '../../core/lifecycle.js';
import { isBlank } from '../../core/texts/plain.js';

/** In which group of the help an option stands. */
export const GROUPS = { on: 'What it acts on:', does: 'What it does:', output: 'Output:' } as const;

type Words = (env: Record<string, string | undefined>) => Promise<readonly string[]>;

interface More {
  /** Stands for the value in the help; by default the parameter's name. */
  word?: string;
  /** By default what it does. */
  group?: keyof typeof GROUPS;
  /** For completion: what is stored, or words that --help does not show. */
  offers?: IdSource | Words;
  /** Options that it does not go with. */
  conflicts?: readonly string[];
}

/** An argument or an option, under its name in the command's record. `T` is what the command gets. */
export interface Param<T = unknown> extends More {
  about: string;
  parse?: (text: string, before: unknown) => unknown;
  choices?: readonly string[];
  /** Taken too; --help does not show them. */
  others?: readonly string[];
  /** Several of the choices may be given, with commas. */
  isList?: boolean;
  isFlag?: boolean;
  isOptional?: boolean;
  isSeveral?: boolean;
  /** Of an option: the command refuses to do without. */
  isRequired?: boolean;
  otherwise?: unknown;
  /** For the compiler alone. */
  given?: T;
}

/** An option that has a value even where it is not given. */
interface Sure<T> extends Param<T> {
  isSure: true;
}

export type Params = Readonly<Record<string, Param>>;

type TypeOf<P> = P extends Param<infer T> ? T : never;

export type Given<A extends Params, O extends Params> = { [K in keyof A]: TypeOf<A[K]> } & {
  [K in keyof O]: O[K] extends Sure<unknown> ? TypeOf<O[K]> : TypeOf<O[K]> | undefined;
};

export function param<T>(about: string, parse: (text: string) => T, more: More = {}): Param<T> {
  return { about, parse, ...more };
}

/** False unless it is given. */
export function flag(about: string, more: More = {}): Sure<boolean> {
  return { about, isFlag: true, isSure: true, ...more };
}

/** One of these words. */
export function choice<const W extends string>(
  about: string,
  choices: readonly W[],
  more: More = {},
): Param<W> {
  return { about, choices, ...more };
}

/** An argument that may be left out. */
export function optional<T>(one: Param<T>): Param<T extends readonly unknown[] ? T : T | undefined> {
  return { ...(one as Param<never>), isOptional: true };
}

/** Several of them, in the order typed; each once, unless they are words of one text. */
export function several<T>({ parse = String, ...one }: Param<T>, { isText = false } = {}): Param<T[]> {
  const gather = (text: string, before: unknown) => {
    const [value, earlier] = [parse(text, undefined), (before ?? []) as unknown[]];
    return !isText && earlier.includes(value) ? earlier : [...earlier, value];
  };
  return { ...(one as Param<never>), parse: gather, isSeveral: true };
}

export function required<T>(one: Param<T>): Sure<T> {
  return { ...one, isRequired: true, isSure: true };
}

export function orElse<T>(one: Param<T>, otherwise: NoInfer<T>): Sure<T> {
  return { ...one, otherwise, isSure: true };
}

/** What core/requests/find-requests.ts understands. */
export const REQUEST = param(
  'number or reference of the request, contract:<id>, signId, paymentId, or any part of the customer’s name, e-mail address or phone number, the serial number or the title',
  asRequest,
  { offers: 'requests' },
);

/** For a list that is walked step by step; what it prints names the cursor. */
export const CURSOR = param('continue after the last row of the list that printed this cursor', asCursor, {
  group: 'output',
});

export function limit(about: string) {
  return orElse(param(about, asCount, { word: 'count', group: 'output' }), 50);
}

const TIMES = 'such as 2026-03-02, 2026-03-02T09:00 (in ESIGN_TIMEZONE), yesterday, 12h or 3d';

export function since(what: string) {
  return param(`${what} at this time or later; ${TIMES}`, asTime, { word: 'time', group: 'on' });
}

/** `what` happened in the time that is asked for. */
export function times(what: string) {
  return {
    since: since(what),
    until: param(`${what} before this time`, asTime, { word: 'time', group: 'on' }),
  };
}

/** Takes one or several of these, with commas, in any letter case. */
export function choices(
  about: string,
  words: readonly string[],
  { others = [], ...more }: More & { others?: readonly string[] | undefined },
): Param<string[]> {
  const parse = (text: string) =>
    text.split(',').map((word) => {
      const known = statusOf([...words, ...others], word.trim());
      if (!known) throw new InvalidArgumentError(`Give one of ${words.join(', ')}.`);
      return known;
    });
  return { about: `${about}; several with commas`, choices: words, others, isList: true, parse, ...more };
}

/** A key as it was typed. What looks like a number or a reference must be one. */
export function asRequest(text: string): string {
  const key = asText(text);
  const isMistyped = /^0+$/.test(key) || (/^REQ-/i.test(key) && !/^REQ-\d{4}-\d{1,15}$/i.test(key));
  if (!isMistyped) return key;
  throw new InvalidArgumentError('Give the number of a request, or its reference such as REQ-2026-000123.');
}

export function asId(text: string): number {
  return asNumber(text, 'Give a number, as the list shows it.');
}

export function asCount(text: string): number {
  return asNumber(text, 'Give a whole number, 1 or more.');
}

export function asText(text: string): string {
  if (isBlank(text)) throw new InvalidArgumentError('It must not be empty.');
  return text.trim();
}

/** Why something is done. */
export function asReason(text: string): string {
  const reason = asText(text);
  const fault = reasonFault(reason);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return reason;
}

/** A date, a time or how long ago; the command asks it for the moment, when zone and clock are known. */
export function asTime(text: string): AskedTime {
  const time = askedTime(text);
  if (!time) throw new InvalidArgumentError(TIME_FORMS);
  return time;
}

/** Where a list goes on. */
function asCursor(text: string): Place {
  const place = placeOfCursor(text);
  if (!place) throw new InvalidArgumentError('Give the cursor that the previous list printed.');
  return place;
}

function asNumber(text: string, complaint: string): number {
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number < 1) throw new InvalidArgumentError(complaint);
  return number;
}
