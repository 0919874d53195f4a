/** The page that is to be made for a contract, and the key under which the provider makes it once (rules 5). */
import { hash } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { requireUser } from '../../db/users/users.js';
import type { Context } from '../context.js';
import { ownName } from '../installation/identity.js';
import { text } from '../texts/index.js';
import { localeOf } from '../users/reader.js';
import type { OurPayments } from './our-payments.js';
import type { NewSession } from './provider.js';

export interface SessionOrder {
  session: NewSession;
  /** The idempotency key. */
  key: string;
}

/**
 * The key is made of the contract's name, the number of its sessions that are known, and the content: after a lost answer it is the
 * same, after a session that is over another. `replays`: the provider repeats what it has stored for a key, even a refusal, so a
 * person's replay uses another.
 */
export function orderSession(
  { config }: Pick<Context, 'config'>,
  db: Db,
  { request, contract, payments }: OurPayments,
  replays: number,
): SessionOrder {
  if (!contract) throw new Error(`request ${request.id} has no contract to pay`);
  const customer = requireUser(db, { id: request.ownerId });
  const locale = localeOf(config, customer);
  const { reference, title } = request;
  const name = ownName(db, contract.key);
  const session: NewSession = {
    clientReference: name,
    requestId: request.id,
    contractId: contract.id,
    reference,
    productName: text(locale, 'payment.product', { reference, title }),
    amount: contract.amount,
    currency: contract.currency,
    customerEmail: customer.username,
    locale,
    successUrl: `${config.baseUrl}/paid`,
  };
  const known = payments.filter(({ contractId }) => contractId === contract.id).length;
  const content = hash('sha256', JSON.stringify(session)).slice(0, 16);
  return { session, key: [name, known, replays, content].join('-') };
}
