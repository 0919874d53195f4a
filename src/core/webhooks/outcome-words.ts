/** What came of an attempt to deliver, in the reader's language (rules 8). */
import { label, type Say } from '../texts/index.js';

/** `the receiver answered 503` for `http_503`; a word without a text stays as it is. */
export function outcomeWords(say: Say, outcome: string): string {
  const [, status] = /^http_(\d{3})$/.exec(outcome) ?? [];
  return status ? say('admin.outcome.http', { status }) : label(say, `admin.outcome.${outcome}`, outcome);
}
