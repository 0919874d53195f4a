/**
 * The only way in which a payment provider's session becomes our payment (rules 2), from a webhook or the list: it
 * must carry the contract's name. One of another price is of interest only once it is paid.
 */
import { findContractByKey, requireContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import {
  findPayment,
  findPaymentOfGeneration,
  requirePayment,
  insertPayment,
  type NewPayment,
} from '../../db/payments/payments.js';
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import { keyOfOwnName } from '../installation/identity.js';
import { keepDueAt } from '../requests/due-date.js';
import type { SessionFacts } from './payment-event.js';
import { isUncountedHere, nextGeneration } from './payment-job.js';
import { isPriceOf } from './price.js';
import type { PaymentSession } from './provider.js';

/** The contract of the session, whatever its price; undefined when not ours. */
export function contractOfSession(db: Db, facts: SessionFacts): ContractRow | undefined {
  const key = facts.client_reference_id && keyOfOwnName(db, facts.client_reference_id);
  return key ? findContractByKey(db, { key }) : undefined;
}

/** What the provider says of a session's money. */
type Claim = Pick<PaymentSession, 'paymentStatus' | 'money'>;

/** Before it is complete, the provider need not say its amount. */
export function isOfInterest(contract: ContractRow, { paymentStatus, money }: Claim): boolean {
  return isPaidStatus(paymentStatus) || money.amount === null || isPriceOf(contract, money);
}

/** True for the provider's words for "nothing left to pay". */
export function isPaidStatus(paymentStatus: string | null | undefined): boolean {
  return paymentStatus === 'paid' || paymentStatus === 'no_payment_required';
}

/**
 * Stores a proved session as open; a known one stays as it is. The new one counts instead of one that is over or, by the provider's
 * clock, older: a session is made only when the one before it is over, even if these data do not know that. One that was paid with
 * another amount counts after all others.
 */
export function adoptSession(
  db: Db,
  contractId: number,
  session: OpenSession & Claim,
  now: string,
): PaymentRow {
  const { paymentId, paymentStatus, money } = session;
  const known = findPayment(db, { paymentId });
  if (known) return known;
  const contract = requireContract(db, { id: contractId });
  const isOther = isPaidStatus(paymentStatus) && !isPriceOf(contract, money);
  const payment = asPayment(isOther ? contract : makeRoom(db, contractId, session), session, now);
  if (isOther) payment.generation = 0;
  while (!insertPayment(db, payment)) payment.generation -= 1;
  keepDueAt(db, contract.requestId);
  return requirePayment(db, { paymentId });
}

/** If the session of the latest key is over, or older than `later`, the provider would repeat it: the next one gets a new key. */
export function makeRoom(
  db: Db,
  contractId: number,
  later: Pick<PaymentRow, 'expiresAt'> = { expiresAt: null },
): ContractRow {
  const contract = requireContract(db, { id: contractId });
  const latest = findPaymentOfGeneration(db, { contractId, generation: contract.paymentGeneration });
  if (!latest) return contract;
  // While money is on its way, nobody should pay again.
  const isIdle = latest.status === 'open' && latest.pendingSince === null;
  const isOver =
    latest.status === 'expired' ||
    isUncountedHere(db, latest, contract) ||
    (isIdle && endsBefore(latest, later));
  return isOver ? nextGeneration(db, contract) : contract;
}

/** All sessions have the same time to live, so the older one ends first. */
function endsBefore(one: Pick<PaymentRow, 'expiresAt'>, other: Pick<PaymentRow, 'expiresAt'>): boolean {
  return one.expiresAt !== null && other.expiresAt !== null && one.expiresAt < other.expiresAt;
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
