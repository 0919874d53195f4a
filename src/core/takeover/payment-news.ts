/** What the payment provider's list knows and these data do not: sessions paid, ended or made since the backup. */
import type { Db } from '../../db/db.js';
import { requireContract } from '../../db/contracts/contracts.js';
import { findPayment } from '../../db/payments/payments.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { keyOfOwnName } from '../installation/identity.js';
import { applyAnswer, isOtherPrice } from '../payment/apply-answer.js';
import { isOver } from '../lifecycle.js';
import { adoptForgotten, forgottenAmong, type Forgotten } from '../payment/forgotten-session.js';
import { contractOfSession } from '../payment/our-session.js';
import type { ListedSession } from '../payment/provider.js';
import { answered, endsSession, resultOf, type PaymentCheckResult } from '../payment/session-result.js';

export interface PaymentNews {
  contract: ContractRow;
  paymentId: string;
  /** What the session's state means; `other_price`: a person must look. */
  key: Forgotten['state'] | PaymentCheckResult['key'];
  apply: (tx: Change) => void;
}

/** The sessions that are known first, so that one that is over makes room for its renewal. */
export function newsAmong(db: Db, listed: readonly ListedSession[]): PaymentNews[] {
  return [
    ...listed.flatMap((one) => newsOfKnown(db, one)),
    ...contractsOf(db, listed).flatMap((contract) => newsOfUnknown(db, contract, listed)),
  ];
}

function newsOfKnown(db: Db, { session }: ListedSession): PaymentNews[] {
  const payment = findPayment(db, { paymentId: session.paymentId });
  if (!payment) return [];
  const asked = answered(payment, session);
  const { answer } = asked;
  if (!isNews(payment, answer)) return [];
  const contract = requireContract(db, { id: payment.contractId });
  const key = isOtherPrice(db, asked) ? 'other_price' : answer.key;
  const apply = (tx: Change) => void applyAnswer(tx, asked);
  return [{ contract, paymentId: payment.paymentId, key, apply }];
}

function isNews(payment: PaymentRow, result: PaymentCheckResult): boolean {
  if (result.key === 'check_payment_success') return payment.status !== 'paid';
  if (result.key === 'check_payment_info.pending')
    return payment.status === 'open' && payment.pendingSince === null;
  return payment.status === 'open' && endsSession(payment, result);
}

/** Those with a session in the list that is unknown here. */
function contractsOf(db: Db, listed: readonly ListedSession[]): ContractRow[] {
  const contracts = listed
    .filter(({ session: { paymentId } }) => !findPayment(db, { paymentId }))
    .flatMap(({ facts }) => contractOfSession(db, facts) ?? []);
  return [...new Map(contracts.map((contract) => [contract.id, contract])).values()];
}

function newsOfUnknown(db: Db, contract: ContractRow, listed: readonly ListedSession[]): PaymentNews[] {
  const found = forgottenAmong(db, contract, listed);
  if (!found) return [];
  const request = requireRequest(db, { id: contract.requestId });
  // Nobody has to make another page.
  if (found.state === 'check_payment_info.expired' && isOver(request)) return [];
  const apply = (tx: Change) => void adoptForgotten(tx, contract.id, found);
  return [{ contract, paymentId: found.session.paymentId, key: found.state, apply }];
}

/** A session of this installation for a contract that this data does not have. */
export interface LostPayment {
  paymentId: string;
  /** By the provider's clock. */
  createdAt: string | null;
  customer: string | null;
  /** In minor units. */
  amount: number | null;
  currency: string | null;
  key: PaymentCheckResult['key'];
}

export function lostAmong(db: Db, listed: readonly ListedSession[]): LostPayment[] {
  return listed
    .filter(({ facts }) => isOursByName(db, facts) && !contractOfSession(db, facts))
    .map(({ session, facts }) => ({
      paymentId: session.paymentId,
      createdAt: facts.created == null ? null : new Date(facts.created * 1000).toISOString(),
      customer: facts.customer_email ?? null,
      ...session.money,
      key: resultOf(session).key,
    }));
}

export function isOursByName(
  db: Db,
  { client_reference_id: name }: Pick<ListedSession['facts'], 'client_reference_id'>,
): boolean {
  return name != null && keyOfOwnName(db, name) !== undefined;
}
