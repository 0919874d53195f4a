/** What the signature provider takes of a signer: told when it is entered where that is sure, and before a start in any case. */
import { z } from 'zod';

/** Letters of the Latin alphabet, digits, apostrophe, parentheses, hyphen, and spaces between them. */
const NAME = /^[\p{Script=Latin}\p{M}\d'’()-]+( [\p{Script=Latin}\p{M}\d'’()-]+)*$/u;
const LENGTH_MAX = 255;

/** ASCII, and a domain with a dot. */
const EMAIL = z.email().max(LENGTH_MAX);

export function signerNameFault(name: string): string | undefined {
  return NAME.test(name) && name.length <= LENGTH_MAX
    ? undefined
    : 'The signature provider takes only letters of the Latin alphabet, digits, spaces, hyphens, apostrophes and parentheses in a name.';
}

export function signerEmailFault(address: string): string | undefined {
  return EMAIL.safeParse(address).success
    ? undefined
    : 'The signature provider takes only addresses made of unaccented letters, digits and . _ + -, with a dot in the domain.';
}
