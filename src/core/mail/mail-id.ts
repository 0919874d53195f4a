/** The id of a mail: mailboxes show one mail for each. */
import { createHash } from 'node:crypto';
import type { ContractRow } from '../../db/schema.js';

/**
 * Before its `@`. A mail about a contract has the same on every machine that has the contract, so that what a lost machine has sent
 * and the one that took over sends again is one mail.
 */
export function contractMailId({ key }: Pick<ContractRow, 'key'>, uniqueKey: string): string {
  return `mail-${digestOf(`${key} ${uniqueKey}`).slice(0, 32)}`;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
