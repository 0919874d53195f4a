/** Unknown input becomes typed values here, or a refusal that names every field that is wrong (spec 7). */
import { z } from 'zod';
import { isCurrency } from './currencies.js';
import { invalid } from './errors.js';
import { isBlank } from './texts/plain.js';

export const BLANK = 'This value should not be blank.';
/** Eight digits: the most that the payment provider takes. */
const AMOUNT_MAX = 99_999_999;
const STRING = {
  error: ({ input }: { input?: unknown }) => (input == null ? BLANK : 'This value should be of type string.'),
};

/** The parsed value; throws `invalid` with one message per field, the first that applies to it or to a part of it. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) fields[String(path[0] ?? '')] ??= message;
  throw invalid(fields);
}

/** The members that were given; an exact optional property is absent rather than undefined. */
export type Given<T> = { [K in keyof T]?: T[K] | undefined };

export interface TextRule {
  lengthMax: number;
  /** Line breaks and tabs may stand in it. */
  isMultiline?: boolean;
}

/** Words that somebody typed: not blank, of limited length, without characters that a page, mail or database would trip over. */
export function words({ lengthMax, isMultiline = false }: TextRule) {
  const tooLong = `This value is too long. It should have ${lengthMax} characters or less.`;
  return (
    z
      .string(STRING)
      .refine((value) => value.trim() !== '', { error: BLANK, abort: true })
      // Counted as people count: an emoji is one.
      .refine((value) => [...value].length <= lengthMax, { error: tooLong, abort: true })
      .refine((value) => !hasForbidden(value, isMultiline), {
        error: 'This value is not valid.',
        abort: true,
      })
      .refine((value) => !isBlank(value), BLANK)
      .meta({ minLength: 1, maxLength: lengthMax })
  );
}

function hasForbidden(value: string, isMultiline: boolean): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(isMultiline ? value.replaceAll(/[\n\r\t]/g, '') : value);
}

/** One of these words, in any letter case. */
export function choice<Word extends string>(allowed: readonly Word[]) {
  const word = z.string(STRING).meta({ enum: [...allowed] });
  return word.transform((given, issues) => {
    const found = allowed.find((each) => each.toLowerCase() === given.toLowerCase());
    if (found === undefined) issues.addIssue('The value you selected is not a valid choice.');
    return found as Word;
  });
}

/** Text that a rule judges: what it says is wrong, or undefined. */
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

/** The ISO 4217 code of a currency, in any letter case; becomes the lower one. */
export const CURRENCY = z
  .string(STRING)
  .refine((code) => isCurrency(code.toLowerCase()), 'This value is not a valid currency.')
  .meta({ examples: ['eur'] })
  .transform((code) => code.toLowerCase());
