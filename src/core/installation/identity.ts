/**
 * Our names at the providers (rules 2): `esign-<installation>-<contract key>`, from random ids that no other
 * installation has and no restore brings back. A row id proves nothing out there. By them, an account at a provider is known as ours.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { findInstallationId } from '../../db/installation/installation.js';
import { command, type Command } from '../commands.js';
import { refused } from '../errors.js';

/** For a contract that no provider knows yet; `externalId` is the signature provider's `external_id`. */
export function newIdentity(db: Db) {
  const key = randomBytes(8).toString('hex');
  return { key, externalId: ownName(db, key) };
}

/** A contract's name from its key. */
export function ownName(db: Db, key: string): string {
  return `${prefix(db)}${key}`;
}

/** How far our clock may be ahead of a provider's before we would take our own record for an older one. */
export const CLOCK_TOLERANCE_MS = 300_000;

/** The contract key in a name of this installation; undefined for any other name: of another installation, or another system. */
export function keyOfOwnName(db: Db, name: string): string | undefined {
  const begin = prefix(db);
  return OWN_NAME.test(name) && name.startsWith(begin) ? name.slice(begin.length) : undefined;
}

const OWN_NAME = /^esign-[0-9a-f]{16}-[0-9a-f]{16}(-\d+)?$/;

function prefix(db: Db): string {
  return `esign-${findInstallationId(db)}-`;
}

// On restored data, the keys of another account would make everything look deleted at the provider, and end it (rules 14).

/** The command that goes on without what does not come. */
export const LEAVING: Command = { ...command('takeover'), options: ['--leave'], reason: '…' };

const SETTINGS = {
  signature: 'ESIGN_API_KEY and ESIGN_API_URL',
  payment: 'ESIGN_PAYMENT_API_KEY and ESIGN_PAYMENT_API_URL',
} as const;

/** Throws `other_account` when none of the names that the provider lists is ours. */
export async function mustBeOurAccount<T>(
  db: Db,
  provider: keyof typeof SETTINGS,
  listed: Iterable<T> | AsyncIterable<T>,
  nameOf: (one: T) => string | null,
): Promise<void> {
  for await (const one of listed) {
    const name = nameOf(one);
    if (name !== null && keyOfOwnName(db, name) !== undefined) return;
  }
  throw refused(
    'other_account',
    `The account at the ${provider} provider holds nothing of this installation, although it should.`,
    [
      `Are ${SETTINGS[provider]} those of the old server? Nothing was changed; the installation is still held. If all was deleted there: `,
      LEAVING,
    ],
  );
}
