import { text } from '../texts/index.js';
import type { Fact } from './letter.js';
import type { RequestFacts } from './mail-types.js';

/** The lines that open the table of facts of every mail about a request. */
export function requestFacts({ locale, reference, title }: RequestFacts): Fact[] {
  return [
    [text(locale, 'mail.label.reference'), reference],
    [text(locale, 'mail.label.title'), title],
  ];
}

/** First and last name, or the e-mail address of somebody without a name. */
export function customerName({ customer }: RequestFacts): string {
  return `${customer.firstName} ${customer.lastName}`.trim() || customer.username;
}
