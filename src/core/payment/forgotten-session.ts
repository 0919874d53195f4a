/**
 * A session of this contract that we do not know, after a restore or a lost answer. The idempotency key leads to it for a day, and only if
 * the session was made under that very key; otherwise only the provider's list shows whether the customer was asked to pay, or has paid.
 */
import { requireContract, findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findCurrentPayment, findPayment, requireCurrentPayment } from '../../db/payments/payments.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { change, type By, type Change } from '../change.js';
import { addDays } from '../clock.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { isOtherPriceTold, paymentsTold } from './payment-case.js';
import { isPriceOf } from './price.js';
import { ask, endsSession, resultOf, type PaymentCheckKey } from './session-result.js';
import { adoptSession, contractOfSession, isOfInterest } from './our-session.js';
import type { ListedSession, PaymentSession } from './provider.js';
import { nameCurrent, sessionExpired, sessionPaid, sessionPending, takeUp } from './settle-session.js';

interface Found {
  session: PaymentSession;
  state: PaymentCheckKey | 'other_price';
}

export interface Forgotten extends Found {
  /** Other sessions that were paid: cases for a person. */
  alsoPaid: Found[];
}

/**
 * The provider repeats what it made under a key. But restored data know nothing of a person's replay, which used another key.
 * Within this time, nobody can have replayed the job.
 */
const KEY_TRUSTED_MS = 60_000;

/** The order of precedence. */
const RANKS: readonly Forgotten['state'][] = [
  'check_payment_success',
  'other_price',
  'check_payment_info.pending',
  'check_payment_info.open',
  'check_payment_info.expired',
];

const PAID: readonly Forgotten['state'][] = ['check_payment_success', 'other_price'];

/** The forgotten session that counts; undefined when there is none or the key still works. Throws a ProviderError. */
export async function findForgotten(
  ctx: Context,
  contract: ContractRow,
  list?: ListSince,
): Promise<Forgotten | undefined> {
  return mayKeyBeForgotten(ctx, contract) ? searchForgotten(ctx, contract, list) : undefined;
}

/** The provider's list from then on. */
export type ListSince = (since: Date) => Promise<readonly ListedSession[]>;

/** The same, whatever the key. */
export async function searchForgotten(
  ctx: Context,
  contract: ContractRow,
  list: ListSince = (since) => ctx.payment.listSessions(since),
): Promise<Forgotten | undefined> {
  // Only narrows the list, by a foreign clock; its entries are proved one by one. By e-mail it would not show a page that is open.
  const since = addDays(new Date(contract.signedAt ?? contract.createdAt), -1);
  return forgottenAmong(ctx.db, contract, await list(since));
}

/** The one of a list that counts, as `searchForgotten` finds it. */
export function forgottenAmong(
  db: Db,
  contract: ContractRow,
  listed: readonly ListedSession[],
): Forgotten | undefined {
  const found = listed.flatMap((one): Found[] => {
    const state = stateOf(db, contract, one);
    return state ? [{ session: one.session, state }] : [];
  });
  const [first, ...others] = RANKS.flatMap((rank) => found.filter(({ state }) => state === rank));
  return first && { ...first, alsoPaid: others.filter(({ state }) => PAID.includes(state)) };
}

/** Undefined when it is not the contract's session, or already known. */
function stateOf(
  db: Db,
  contract: ContractRow,
  { session, facts }: ListedSession,
): Forgotten['state'] | undefined {
  if (contractOfSession(db, facts)?.id !== contract.id || findPayment(db, { paymentId: session.paymentId }))
    return undefined;
  const history = paymentsTold(db, contract.requestId);
  if (!isOfInterest(contract, session) || isOtherPriceTold(history, session.paymentId)) return undefined;
  const { key } = resultOf(session);
  return key === 'check_payment_success' && !isPriceOf(contract, session.money) ? 'other_price' : key;
}

/** A person's replay has a new key, which does not lead to a session that was made under the one before. */
function mayKeyBeForgotten({ clock }: Context, { signedAt, paymentGeneration }: ContractRow): boolean {
  return (
    paymentGeneration > 1 ||
    signedAt === null ||
    Date.parse(signedAt) + KEY_TRUSTED_MS <= clock.now().getTime()
  );
}

/**
 * Before a request is closed by hand: a session that may have been made without our knowledge becomes known, so that it is
 * closed as well, or counts as paid. Nothing if the provider cannot be asked: only after a restore can somebody have its link,
 * and a payment is then told as a case.
 */
export async function findBeforeClosing(ctx: Context, request: RequestRow, by: By): Promise<void> {
  const contract = findCurrentContract(ctx.db, { requestId: request.id });
  if (!contract || request.status !== 'WAITING_PAYMENT') return;
  const forgotten = await unlessOneCounts(ctx, contract).catch((error: unknown) => {
    if (!isProviderError(error)) throw error;
  });
  if (!forgotten || forgotten.state === 'check_payment_info.expired') return;
  await change(ctx, by, (tx) => {
    if (forgotten.state !== 'check_payment_info.open') return void adoptForgotten(tx, contract.id, forgotten);
    know(tx, contract, forgotten.session);
    nameCurrent(tx, contract);
  });
}

/** Undefined while the known session is not over at the provider: then there is no other. */
async function unlessOneCounts(ctx: Context, contract: ContractRow): Promise<Forgotten | undefined> {
  const known = findCurrentPayment(ctx.db, { contractId: contract.id });
  if (known?.status === 'open' && !endsSession(known, (await ask(ctx, known)).answer)) return undefined;
  return searchForgotten(ctx, contract);
}

/** Updates our records to the provider's; the customer gets the link again if it still works. */
export function adoptForgotten(
  tx: Change,
  contractId: number,
  { alsoPaid, ...forgotten }: Forgotten,
): string | undefined {
  const outcome = adoptOne(tx, contractId, forgotten);
  for (const other of alsoPaid) adoptOne(tx, contractId, other);
  return outcome;
}

function adoptOne(tx: Change, contractId: number, { session, state }: Found): string | undefined {
  const contract = requireContract(tx.db, { id: contractId });
  const payment = know(tx, contract, session);
  if (state === 'check_payment_info.expired') return sessionExpired(tx, payment);
  if (state === 'check_payment_info.pending') return sessionPending(tx, payment);
  if (PAID.includes(state)) return sessionPaid(tx, payment, session.money);
  // A session that is older, or was made beside a payment that is on its way, is not for the customer.
  const isCurrent = requireCurrentPayment(tx.db, { contractId }).id === payment.id;
  // A webhook that has come since the list was fetched knows more.
  return isCurrent ? takeUp(tx, contract, payment) : 'exists';
}

function know(tx: Change, contract: ContractRow, session: PaymentSession): PaymentRow {
  const { paymentId } = session;
  tx.record('payment.session_found', ofContract(contract), { paymentId });
  return adoptSession(tx.db, contract.id, session, tx.now);
}
