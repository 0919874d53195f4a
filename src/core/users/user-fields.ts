/** The rules for a user's fields (rules 1). */
import { z } from 'zod';
import type { Role } from '../../db/schema.js';
import { BLANK, choice, judged } from '../calls/input.js';
import { printFault } from '../contracts/contract-pdf-words.js';
import { isMailAddress } from '../mail/address.js';
import type { Locale } from '../texts/index.js';
import { isBlank } from '../texts/plain.js';
import { signerNameFault } from './signer-fields.js';

export const ROLES = ['ROLE_USER', 'ROLE_ADMIN'] as const satisfies readonly Role[];

const NAME_LENGTH_MAX = 255;

/** The stored form of a log-in name. Letter case makes no difference. */
export function normalUsername(username: string): string {
  return username.trim().normalize('NFC').toLowerCase();
}

export function usernameFault(username: string): string | undefined {
  if (isBlank(username)) return BLANK;
  return isMailAddress(username) ? printFault(username) : 'This value is not a valid email address.';
}

/** A name that the signature provider accepts, or none; outer spaces are ignored. */
export function nameFault(name: string): string | undefined {
  if ([...name].length > NAME_LENGTH_MAX) {
    return `This value is too long. It should have ${NAME_LENGTH_MAX} characters or less.`;
  }
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name)) return 'This value is not valid.';
  const stored = name.trim();
  if (stored === '') return undefined;
  return isBlank(stored) ? BLANK : signerNameFault(stored);
}

/** The stored form of a phone number, without separators; null for none. */
export function normalPhone(phone: string | null): string | null {
  if (phone === null || phone.trim() === '') return null;
  // "(0)" is dropped when calling from abroad. Invisible characters come along when a number is copied.
  return phone.replaceAll(/\(0\)|[\s.()\p{Pd}\p{Cf}]/gu, '');
}

/** E.164 in its stored form: a plus and up to fifteen digits. None is allowed. */
export function phoneFault(phone: string | null): string | undefined {
  const stored = normalPhone(phone);
  return stored === null || /^\+[1-9]\d{6,14}$/.test(stored)
    ? undefined
    : 'This value is not a valid phone number.';
}

export const LOCALES = ['en', 'fr'] as const satisfies readonly Locale[];

export function localeFault(locale: string | null): string | undefined {
  return locale === null || LOCALES.some((each) => each === locale)
    ? undefined
    : 'The value you selected is not a valid choice.';
}

/** What users may change about themselves; null or an empty text clears. */
export const PROFILE_FIELDS = {
  firstName: judged(nameFault)
    .nullable()
    .meta({ examples: ['Anna'] }),
  lastName: judged(nameFault)
    .nullable()
    .meta({ examples: ['Weber'] }),
  phone: judged(phoneFault)
    .nullable()
    .meta({
      description: 'E.164; spaces, dots, hyphens and parentheses are removed',
      examples: ['+33612345678'],
    }),
  locale: choice(LOCALES)
    .nullable()
    .meta({
      description: 'Language of mails, pages and contracts; null: that of the service',
      examples: ['fr'],
    }),
};

export const USERNAME = judged((username) => usernameFault(normalUsername(username))).meta({
  description: 'An e-mail address',
  examples: ['anna@example.org'],
});

/** Everybody has `ROLE_USER`. */
export const ROLE_LIST = z
  .array(choice(ROLES), 'This value should be of type array.')
  .max(10, 'This collection should contain 10 elements or less.')
  .meta({ examples: [['ROLE_USER']] });

/** The stored role for a list of roles. */
export function roleOf(roles: readonly Role[]): Role {
  return roles.includes('ROLE_ADMIN') ? 'ROLE_ADMIN' : 'ROLE_USER';
}
