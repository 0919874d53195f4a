/** What a user may look like (spec 2 "User"; decisions 6). */
import { isMailAddress } from '../mail/address.js';
import type { Role } from '../../db/schema.js';

export const ROLES = ['ROLE_USER', 'ROLE_ADMIN'] as const satisfies readonly Role[];

const NAME_LENGTH_MAX = 255;

/** The stored form of a log-in name: letter case never makes two users of one address. */
export function normalUsername(username: string): string {
  return username.trim().normalize('NFC').toLowerCase();
}

export function usernameFault(username: string): string | undefined {
  if (username === '') return 'This value should not be blank.';
  return isMailAddress(username) ? undefined : 'This value is not a valid email address.';
}

/** Any printable name, or none; control characters would travel into mails and documents. */
export function nameFault(name: string): string | undefined {
  if ([...name].length > NAME_LENGTH_MAX) {
    return `This value is too long. It should have ${NAME_LENGTH_MAX} characters or less.`;
  }
  return /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name) ? 'This value is not valid.' : undefined;
}

/** E.164: a plus and up to fifteen digits. */
export function phoneFault(phone: string): string | undefined {
  return /^\+[1-9]\d{6,14}$/.test(phone) ? undefined : 'This value is not a valid phone number.';
}
