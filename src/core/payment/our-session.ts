/**
 * The only way in which a payment provider's session becomes our payment (rules 2), from a webhook or the list: it
 * must carry the contract's name and exact price.
 */
import { findContract, findContractByKey } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findPayment, requirePayment, insertPayment, type NewPayment } from '../../db/payments/payments.js';
import { findRequest } from '../../db/requests/requests.js';
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { CLOCK_TOLERANCE_MS, isOwnName, keyOfOwnName } from '../installation/identity.js';
import type { SessionFacts } from './payment-event.js';

/** The contract of the session, whatever its price; undefined when not ours. */
export function contractOfSession(db: Db, facts: SessionFacts): ContractRow | undefined {
  return findNamed(db, facts.client_reference_id) ?? findOldNamed(db, facts);
}

export function hasPriceOf(contract: ContractRow, facts: SessionFacts): boolean {
  return facts.amount_total === contract.amount && facts.currency === contract.currency;
}

/** Stores a proved session as open; a known one stays as it is. */
export function adoptSession(db: Db, contract: ContractRow, session: OpenSession, now: string): PaymentRow {
  const { paymentId } = session;
  const known = findPayment(db, { paymentId });
  if (known) return known;
  const payment = asPayment(contract, session, now);
  // A session forgotten by a restore is older than one made since.
  while (!insertPayment(db, payment)) payment.generation -= 1;
  return requirePayment(db, { paymentId });
}

type OpenSession = Pick<PaymentRow, 'paymentId' | 'paymentUrl' | 'expiresAt'>;

/** The contract's newest payment, open. */
export function asPayment(
  { id: contractId, amount, currency, paymentGeneration: generation }: ContractRow,
  { paymentId, paymentUrl, expiresAt }: OpenSession,
  now: string,
): NewPayment {
  const open = { contractId, amount, currency, generation, status: 'open' } as const;
  return { ...open, paymentId, paymentUrl, expiresAt, createdAt: now };
}

function findNamed(db: Db, name: string | null | undefined): ContractRow | undefined {
  const key = name && keyOfOwnName(db, name);
  return key ? findContractByKey(db, { key }) : undefined;
}

/**
 * Sessions of older versions carry row ids, which other installations have too: they count only for a contract from
 * then, made after it and for its customer.
 */
function findOldNamed(db: Db, facts: SessionFacts): ContractRow | undefined {
  const contract = findContract(db, { id: Number(facts.metadata?.['contract_id']) || 0 });
  const request = contract && findRequest(db, { id: contract.requestId });
  if (!contract || !request || isOwnName(contract.externalId)) return undefined;
  const customer = requireUser(db, { id: request.ownerId });
  const isOurs =
    facts.client_reference_id === String(request.id) &&
    facts.customer_email?.toLowerCase() === customer.username.toLowerCase() &&
    isNotBefore(facts.created, contract.createdAt);
  return isOurs ? contract : undefined;
}

function isNotBefore(seconds: number | null | undefined, time: string): boolean {
  return seconds != null && seconds * 1000 + CLOCK_TOLERANCE_MS >= Date.parse(time);
}
