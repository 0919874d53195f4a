/** What a password may be, and how it is compared. */
import { expect, test } from 'vitest';
import {
  DUMMY_HASH,
  hashPassword,
  passwordFault,
  verifyPassword,
} from '../../../src/core/users/passwords.js';
import { PASSWORD } from '../../server/support.js';

test('a password matches however the keyboard spells its accents, and no other does', async () => {
  const hash = await hashPassword('caf\u00e9 au lait, deux');
  expect(await verifyPassword(hash, 'cafe\u0301 au lait, deux')).toBe(true);
  expect(await verifyPassword(hash, 'cafe au lait, deux')).toBe(false);
});

test('the hash that stands in for unknown users costs what a real one costs', async () => {
  const costOf = (hash: string) => hash.split('$').slice(1, 4);
  expect(costOf(DUMMY_HASH)).toEqual(costOf(await hashPassword(PASSWORD)));
});

test.each([
  ['11 characters', 'x'.repeat(11), false],
  ['12 characters', 'x'.repeat(12), true],
  ['128 characters, counted as people count', '🔑'.repeat(128), true],
  ['129 characters', 'x'.repeat(129), false],
  ['a NUL', `${'x'.repeat(12)}\0`, false],
  ['nothing', '', false],
])('a password of %s: %s', (_, password, isTaken) => {
  expect(passwordFault(password) === undefined).toBe(isTaken);
});
