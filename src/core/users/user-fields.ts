/** What a user may look like (spec 2 "User"; decisions 6). */
import { z } from 'zod';
import type { Role } from '../../db/schema.js';
import { BLANK, choice, judged } from '../input.js';
import { isMailAddress } from '../mail/address.js';
import { isBlank } from '../texts/plain.js';
import { signerNameFault } from './signer-fields.js';

export const ROLES = ['ROLE_USER', 'ROLE_ADMIN'] as const satisfies readonly Role[];

const NAME_LENGTH_MAX = 255;

/** The stored form of a log-in name: letter case never makes two users of one address. */
export function normalUsername(username: string): string {
  return username.trim().normalize('NFC').toLowerCase();
}

export function usernameFault(username: string): string | undefined {
  if (isBlank(username)) return BLANK;
  return isMailAddress(username) ? undefined : 'This value is not a valid email address.';
}

/** A name that the signature provider takes, or none; spaces at its ends do not count. */
export function nameFault(name: string): string | undefined {
  if ([...name].length > NAME_LENGTH_MAX) {
    return `This value is too long. It should have ${NAME_LENGTH_MAX} characters or less.`;
  }
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name)) return 'This value is not valid.';
  const stored = name.trim();
  if (stored === '') return undefined;
  return isBlank(stored) ? BLANK : signerNameFault(stored);
}

/** The stored form of a phone number, without what people put between its digits; null for none. */
export function normalPhone(phone: string | null): string | null {
  if (phone === null || phone.trim() === '') return null;
  // "(0)" stands for a digit that is left out when calling from abroad. What cannot be seen comes along when a number is copied.
  return phone.replaceAll(/\(0\)|[\s.()\p{Pd}\p{Cf}]/gu, '');
}

/** E.164: a plus and up to fifteen digits, as its stored form has them. None is no fault. */
export function phoneFault(phone: string | null): string | undefined {
  const stored = normalPhone(phone);
  return stored === null || /^\+[1-9]\d{6,14}$/.test(stored)
    ? undefined
    : 'This value is not a valid phone number.';
}

/** What users may change of themselves; null clears, and so does an empty text. */
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
};

export const USERNAME = judged((username) => usernameFault(normalUsername(username))).meta({
  description: 'An e-mail address',
  examples: ['anna@example.org'],
});

/** `ROLE_USER` is everybody's. */
export const ROLE_LIST = z
  .array(choice(ROLES), 'This value should be of type array.')
  .max(10, 'This collection should contain 10 elements or less.')
  .meta({ examples: [['ROLE_USER']] });

/** The one role that a list of roles comes down to. */
export function roleOf(roles: readonly Role[]): Role {
  return roles.includes('ROLE_ADMIN') ? 'ROLE_ADMIN' : 'ROLE_USER';
}
