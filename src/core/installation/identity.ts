/**
 * Our names at the providers (rules 2): `esign-<installation>-<contract key>`, from random ids that no other
 * installation has and no restore brings back. A row id proves nothing out there.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { findInstallationId } from '../../db/installation/installation.js';

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
