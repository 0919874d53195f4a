/** Password rules, and Argon2id with bounded cost (rules 1, 6). */
import { atMost } from '../at-most.js';
import { judged } from '../calls/input.js';
import { isBlank } from '../texts/plain.js';

const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 128;

// OWASP's minimum for Argon2id: 19 MiB, two passes. Two at a time, so that a burst of log-ins does not take all memory and
// cores.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const inTurn = atMost(2);

/**
 * A hash of an unknown password at the same cost, so that an unknown name takes as long as a wrong password. Accounts without
 * a password have it.
 */
export const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** False for an invited account until its password is set. */
export function hasPassword({ passwordHash }: { passwordHash: string }): boolean {
  return passwordHash !== DUMMY_HASH;
}

/**
 * What is wrong with a new password, or undefined. Invisible ones count as blank. NUL is refused because C libraries
 * end a string there.
 */
export function passwordFault(password: string): string | undefined {
  if (isBlank(password)) return 'This value should not be blank.';
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN) {
    return `This value is too short. It should have ${PASSWORD_LENGTH_MIN} characters or more.`;
  }
  if (length > PASSWORD_LENGTH_MAX) {
    return `This value is too long. It should have ${PASSWORD_LENGTH_MAX} characters or less.`;
  }
  if (/[\0\p{Cs}]/u.test(password)) return 'This value is not valid.';
  return undefined;
}

export const NEW_PASSWORD = judged(passwordFault).meta({ examples: ['a good pass phrase'] });

export function hashPassword(password: string): Promise<string> {
  return inTurn(async () => (await import('@node-rs/argon2')).hash(normal(password), COST));
}

/** True when this password made the hash. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(async () => (await import('@node-rs/argon2')).verify(passwordHash, normal(password)));
}

/** Keyboards differ in how they compose accented letters. */
function normal(password: string): string {
  return password.normalize('NFC');
}
