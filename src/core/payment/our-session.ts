/**
 * The one door through which a session of the payment provider becomes a payment of ours (decisions 2): it names the
 * contract as nobody else can, and has its exact price. Whoever brings it, a webhook or the provider's list.
 */
import { findContract, findContractByKey } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findPayment, insertPayment } from '../../db/payments.js';
import { findRequest } from '../../db/requests.js';
import type { ContractRow, PaymentRow, UserRow } from '../../db/schema.js';
import { findUser } from '../../db/users.js';
import { CLOCK_TOLERANCE_MS, isOwnName, keyOfOwnName } from '../identity.js';

/** What the provider tells of a session that can prove whose it is. */
export interface SessionFacts {
  client_reference_id?: string | null | undefined;
  customer_email?: string | null | undefined;
  /** Epoch seconds. */
  created?: number | null | undefined;
  amount_total?: number | null | undefined;
  currency?: string | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
}

/** The contract that the session was made for, whatever its price; undefined: none of ours. */
export function contractOfSession(db: Db, facts: SessionFacts): ContractRow | undefined {
  return findNamed(db, facts.client_reference_id) ?? findOldNamed(db, facts);
}

export function hasPriceOf(contract: ContractRow, facts: SessionFacts): boolean {
  return facts.amount_total === contract.amount && facts.currency === contract.currency;
}

/** Stores a session that passed, as an open one; one that is known stays as it is. */
export function adoptSession(
  db: Db,
  contract: ContractRow,
  session: Pick<PaymentRow, 'paymentId' | 'paymentUrl' | 'expiresAt'>,
  now: string,
): PaymentRow {
  const known = findPayment(db, session.paymentId);
  if (known) return known;
  const { paymentId, paymentUrl, expiresAt } = session;
  const { id: contractId, amount, currency } = contract;
  const payment = { contractId, paymentId, paymentUrl, expiresAt, amount, currency, createdAt: now };
  // When a restore has forgotten it, and another one was made since, it is older than that one.
  for (
    let generation = contract.paymentGeneration;
    !insertPayment(db, { ...payment, status: 'open', generation });
  )
    generation -= 1;
  return findPayment(db, paymentId) as PaymentRow;
}

function findNamed(db: Db, name: string | null | undefined): ContractRow | undefined {
  const key = name && keyOfOwnName(db, name);
  return key ? findContractByKey(db, key) : undefined;
}

/**
 * Sessions of older versions name row ids, which other installations have as well: only those of a contract from then
 * count, made after it and for its customer.
 */
function findOldNamed(db: Db, facts: SessionFacts): ContractRow | undefined {
  const contract = findContract(db, Number(facts.metadata?.['contract_id']) || 0);
  const request = contract && findRequest(db, contract.requestId);
  if (!contract || !request || isOwnName(contract.externalId)) return undefined;
  const customer = findUser(db, request.ownerId) as UserRow;
  const isOurs =
    facts.client_reference_id === String(request.id) &&
    facts.customer_email?.toLowerCase() === customer.username.toLowerCase() &&
    isNotBefore(facts.created, contract.createdAt);
  return isOurs ? contract : undefined;
}

function isNotBefore(seconds: number | null | undefined, time: string): boolean {
  return seconds != null && seconds * 1000 + CLOCK_TOLERANCE_MS >= Date.parse(time);
}
