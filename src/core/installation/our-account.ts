/** On restored data, the keys of another account would make everything look deleted at the provider, and end it (rules 14). */
import type { Db } from '../../db/db.js';
import { command, type Command } from '../commands.js';
import { refused } from '../errors.js';
import { keyOfOwnName } from './identity.js';

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
