/** The rules for a user's fields (rules 1). */
import { z } from 'zod';
import type { Role } from '../../db/schema.js';
import { choice, judged } from '../calls/input.js';
import { BLANK, tooLong } from '../errors.js';
import { isMailAddress } from '../mail/address.js';
import type { Locale } from '../texts/index.js';
import { COUNTRIES, type Country } from '../settings/countries.js';
import { hasForbidden, isBlank } from '../texts/plain.js';
import { EMAIL_LENGTH_MAX, normalName, signerEmailFault, signerNameFault } from './signer-fields.js';

export const ROLES = ['ROLE_USER', 'ROLE_ADMIN'] as const satisfies readonly Role[];

/** The stored form of a log-in name. Letter case makes no difference. */
export function normalUsername(username: string): string {
  return username.trim().normalize('NFC').toLowerCase();
}

/** What is wrong with a new log-in name in its stored form; those of customers must be able to sign. */
export function usernameFault(username: string, role: Role = 'ROLE_ADMIN'): string | undefined {
  const fault = mailAddressFault(username);
  if (fault !== undefined) return fault;
  if (username.length > EMAIL_LENGTH_MAX) return tooLong(EMAIL_LENGTH_MAX);
  // Addresses stand in commands that people copy.
  if (/^-|[`$]/.test(username)) return 'This value should not begin with - or contain ` or $.';
  return role === 'ROLE_USER' ? signerEmailFault(username) : undefined;
}

/** Stored ones may be longer than new ones. */
export function mailAddressFault(address: string): string | undefined {
  if (isBlank(address)) return BLANK;
  return isMailAddress(address) ? undefined : 'This value is not a valid email address.';
}

/** A name that the signature provider accepts in its stored form, or none. */
export function nameFault(name: string): string | undefined {
  const stored = normalName(name);
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(stored)) return 'This value is not valid.';
  if (stored === '') return undefined;
  return isBlank(stored) ? BLANK : signerNameFault(stored);
}

/** The stored form of a phone number, without separators; null for none. A number as one dials it in that country becomes international. */
export function normalPhone(phone: string | null, country?: Country): string | null {
  if (phone === null || phone.trim() === '') return null;
  // "(0)" is dropped when calling from abroad. Invisible characters come along when a number is copied.
  const digits = phone.replaceAll(/\(0\)|[\s.()\p{Pd}\p{Cf}]/gu, '');
  if (country === undefined || !/^\d{6}/.test(digits)) return digits;
  if (digits.startsWith('00')) return `+${digits.slice(2)}`;
  const { code, trunk } = COUNTRIES[country];
  return digits.startsWith(trunk) ? `+${code}${digits.slice(trunk.length)}` : digits;
}

/** E.164 in its stored form: a plus and up to fifteen digits. None is allowed. */
export function phoneFault(phone: string | null, country?: Country): string | undefined {
  const stored = normalPhone(phone, country);
  return stored === null || /^\+[1-9]\d{6,14}$/.test(stored)
    ? undefined
    : 'This value is not a valid phone number.';
}

const ADDRESS_LENGTH_MAX = 500;

/** Lines without outer spaces; null for none. */
export function normalAddress(address: string | null): string | null {
  return (
    (address ?? '')
      .split(/[\r\n]/)
      .map((line) => line.trim())
      .filter(Boolean)
      .join('\n') || null
  );
}

/** In its stored form. */
export function addressFault(address: string | null): string | undefined {
  if (address === null) return undefined;
  if ([...address].length > ADDRESS_LENGTH_MAX) return tooLong(ADDRESS_LENGTH_MAX);
  return hasForbidden(address, true) || isBlank(address) ? 'This value is not valid.' : undefined;
}

export const LOCALES = ['en', 'fr'] as const satisfies readonly Locale[];

export function localeFault(locale: string | null): string | undefined {
  return locale === null || LOCALES.some((each) => each === locale)
    ? undefined
    : 'The value you selected is not a valid choice.';
}

const NAME =
  'Only letters that the signature provider accepts; typographic apostrophes and spaces become plain ones';

/** What users may change about themselves; null or an empty text clears. */
export const profileFields = (country?: Country) => ({
  firstName: judged(nameFault)
    .nullable()
    .meta({ description: NAME, examples: ['Anna'] }),
  lastName: judged(nameFault)
    .nullable()
    .meta({ description: NAME, examples: ['Weber'] }),
  phone: judged((phone) => phoneFault(phone, country))
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
  address: judged((address) => addressFault(normalAddress(address)))
    .nullable()
    .meta({ description: 'The postal address, in lines', examples: ['1 rue Haute\n75001 Paris'] }),
});

export const USERNAME = judged((username) => usernameFault(normalUsername(username))).meta({
  description: 'An e-mail address',
  maxLength: EMAIL_LENGTH_MAX,
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
