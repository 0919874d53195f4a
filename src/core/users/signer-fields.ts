/** What the signature provider accepts of a signer. Clear faults are refused on input, all of them before a start. */
import { z } from 'zod';
import { unprintable } from '../contracts/contract-pdf-words.js';
import { plainly } from '../texts/plain.js';

/** Latin letters, digits, apostrophe, parentheses, hyphen, and single spaces between them. */
const NAME = /^[\p{Script=Latin}\p{M}\d'’()-]+( [\p{Script=Latin}\p{M}\d'’()-]+)*$/u;
const LETTER = /[\p{Script=Latin}\p{M}\d'’()-]/u;
const LENGTH_MAX = 255;

/** ASCII, and a domain with a dot. */
const EMAIL = z.email().max(LENGTH_MAX);

export function signerNameFault(name: string): string | undefined {
  const letter = Array.from(name).find((each) => !LETTER.test(each) && each !== ' ') ?? unprintable(name);
  if (letter !== undefined) {
    return `The signature provider takes only letters of the Latin alphabet, digits, spaces, hyphens, apostrophes and parentheses in a name, not “${plainly(letter)}”.`;
  }
  return NAME.test(name) && name.length <= LENGTH_MAX
    ? undefined
    : 'The signature provider takes only letters of the Latin alphabet, digits, spaces, hyphens, apostrophes and parentheses in a name.';
}

export function signerEmailFault(address: string): string | undefined {
  return EMAIL.safeParse(address).success
    ? undefined
    : 'The signature provider takes only addresses made of unaccented letters, digits and . _ + -, with a dot in the domain.';
}
