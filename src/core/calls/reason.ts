/** A reason, wherever somebody gives one: one limit on all surfaces. Loaded at every start of the command line. */
import { BLANK, invalid, tooLong } from '../errors.js';
import { hasForbidden, isBlank } from '../texts/plain.js';

export const REASON_LENGTH_MAX = 1_000;

/** What is wrong with it; undefined when nothing is. */
export function reasonFault(text: string): string | undefined {
  if (isBlank(text)) return BLANK;
  // Counts code points: an emoji is one.
  if ([...text].length > REASON_LENGTH_MAX) return tooLong(REASON_LENGTH_MAX);
  return hasForbidden(text, true) ? 'This value is not valid.' : undefined;
}

/** Throws `invalid` for a blank one, where an act needs it. */
export function mustHaveReason(reason: string): void {
  if (isBlank(reason)) throw invalid({ reason: BLANK });
}
