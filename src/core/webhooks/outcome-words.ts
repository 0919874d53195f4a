/** What came of an attempt to deliver, in the reader's language (rules 8). */
import type { Say } from '../texts/index.js';
import { ANSWER_WITHIN_MS } from './trouble.js';

/** `refused by the receiver (410)` for `http_410`; a word without a text stays as it is. */
export function outcomeWords(say: Say, outcome: string): string {
  const [, status] = /^http_(\d{3})$/.exec(outcome) ?? [];
  if (status === undefined) {
    return say.find(`outcome.${outcome}`, { seconds: ANSWER_WITHIN_MS / 1_000 }) ?? outcome;
  }
  if (status.startsWith('4')) return say('outcome.http_refused', { status });
  return say(status.startsWith('5') ? 'outcome.http_error' : 'outcome.http', { status });
}
