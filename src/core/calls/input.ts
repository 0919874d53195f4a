/** Turns unknown input into typed values, or a refusal that names every wrong field (rules 7). */
import { z } from 'zod';
import { AMOUNT_MAX, isCurrency } from '../settings/currencies.js';
import { BLANK, invalid, tooLong } from '../errors.js';
import type { Said } from '../texts/index.js';
import { hasForbidden, isBlank } from '../texts/plain.js';
import { REASON_LENGTH_MAX, reasonFault } from './reason.js';

export const STRING = {
  error: ({ input }: { input?: unknown }) => (input == null ? BLANK : 'This value should be of type string.'),
};

/** The parsed value. Throws `invalid` with one message per field: the first that applies to it or to a part of it. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  const fieldsSaid: Record<string, Said> = {};
  for (const { path, message, ...issue } of parsed.error.issues) {
    const name = String(path[0] ?? '');
    if (name in fields) continue;
    fields[name] = message;
    if (issue.code === 'custom' && issue.params) fieldsSaid[name] = issue.params as Said;
  }
  throw invalid(fields, fieldsSaid);
}

/** The members that were given; an exact optional property is absent rather than undefined. */
export type Given<T> = { [K in keyof T]?: T[K] | undefined };

export interface TextRule {
  lengthMax: number;
  /** Line breaks and tabs may stand in it. */
  isMultiline?: boolean;
}

/** Typed text: not blank, limited in length, without characters that break a page, mail or database. */
export function words({ lengthMax, isMultiline = false }: TextRule) {
  return (
    z
      .string(STRING)
      .refine((value) => value.trim() !== '', { error: BLANK, abort: true })
      // Counts code points: an emoji is one.
      .refine((value) => [...value].length <= lengthMax, { error: tooLong(lengthMax), abort: true })
      .refine((value) => !hasForbidden(value, isMultiline), {
        error: 'This value is not valid.',
        abort: true,
      })
      .refine((value) => !isBlank(value), BLANK)
      .meta({ minLength: 1, maxLength: lengthMax })
  );
}

export const REASON = judged(reasonFault).meta({
  description: 'Why, for the history',
  examples: ['Paid in cash on 2 March'],
  minLength: 1,
  maxLength: REASON_LENGTH_MAX,
});

/** One of these words, in any letter case. */
export function choice<Word extends string>(
  allowed: readonly Word[],
  fault = 'The value you selected is not a valid choice.',
) {
  const word = z.string(STRING).meta({ enum: [...allowed] });
  return word.transform((given, issues) => {
    const found = allowed.find((each) => each.toLowerCase() === given.toLowerCase());
    if (found !== undefined) return found;
    issues.addIssue(fault);
    return z.NEVER;
  });
}

/** Text checked by a rule that returns what is wrong, or undefined. */
export function judged(faultOf: (text: string) => string | undefined) {
  return z.string(STRING).superRefine((text, issues) => {
    const fault = faultOf(text);
    if (fault !== undefined) issues.addIssue(fault);
  });
}

/** Money: a whole number of minor units, within what payment providers take. */
export const AMOUNT = z
  .number({
    error: ({ input }) => (input == null ? BLANK : 'This value should be of type integer.'),
  })
  .refine(Number.isInteger, { error: 'This value should be of type integer.', abort: true })
  .refine((amount) => amount >= 1 && amount <= AMOUNT_MAX, {
    error: `This value should be between 1 and ${AMOUNT_MAX}.`,
  })
  .meta({ type: 'integer', minimum: 1, maximum: AMOUNT_MAX, examples: [15_000] });

/** An ISO 4217 code in any letter case; becomes lower case. */
export const CURRENCY = z
  .string(STRING)
  .refine((code) => isCurrency(code.toLowerCase()), 'This value is not a valid currency.')
  .meta({ examples: ['eur'] })
  .transform((code) => code.toLowerCase());
