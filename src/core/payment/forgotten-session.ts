/**
 * A session that was made for this contract and that we do not know: a restore has forgotten it, or its answer was lost.
 * The provider forgets its keys after a day, and would make a second session under the same one; after that only its
 * list tells whether the customer has been asked to pay, or has paid.
 */
import { findContract, findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findCurrentPayment, findPayment } from '../../db/payments.js';
import { findRequest, setPaymentLink } from '../../db/requests.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import { JOB } from '../actor.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import { raiseGeneration } from '../jobs/failed.js';
import { resultOf, type PaymentCheckKey } from './check-payment.js';
import { offerLink } from './offer-link.js';
import { isOtherPriceTold, tellOtherPrice } from './other-price.js';
import { adoptSession, contractOfSession, hasPriceOf } from './our-session.js';
import type { ListedSession, PaymentSession } from './provider.js';
import { sessionExpired, sessionPaid, sessionPending } from './settle-session.js';

export interface Forgotten {
  session: PaymentSession;
  state: PaymentCheckKey | 'other_price';
  facts: ListedSession['facts'];
}

/** A key is kept for a day at least; until half of that has passed, using it again is as good as looking. */
const KEY_TRUSTED_MS = 12 * 3_600_000;

/** What counts first when there are several. */
const RANKS: readonly Forgotten['state'][] = [
  'check_payment_success',
  'other_price',
  'check_payment_info.pending',
  'check_payment_info.open',
  'check_payment_info.expired',
];

/** The one that counts; undefined: none, or the key still tells. Throws a ProviderError. */
export async function findForgotten(
  ctx: Context,
  contract: ContractRow,
  { username }: Pick<UserRow, 'username'>,
): Promise<Forgotten | undefined> {
  if (!mayKeyBeForgotten(ctx, contract)) return undefined;
  // Only narrows the list, by a clock that is not ours: what it holds is proved one by one.
  const since = addDays(new Date(contract.createdAt), -1);
  const found: Forgotten[] = [];
  for (const email of new Set([username, contract.signerEmail ?? username])) {
    for (const listed of await ctx.payment.listSessions({ email, since })) {
      const state = stateOf(ctx.db, contract, listed);
      if (state) found.push({ ...listed, state });
    }
  }
  return RANKS.flatMap((rank) => found.filter(({ state }) => state === rank))[0];
}

/** Undefined: it is not its session, or known already. */
function stateOf(
  db: Db,
  contract: ContractRow,
  { session, facts }: ListedSession,
): Forgotten['state'] | undefined {
  if (contractOfSession(db, facts)?.id !== contract.id || findPayment(db, session.paymentId))
    return undefined;
  const { key } = resultOf(session);
  if (hasPriceOf(contract, facts)) return key;
  const isNews = key === 'check_payment_success' && !isOtherPriceTold(db, contract, session.paymentId);
  return isNews ? 'other_price' : undefined;
}

function mayKeyBeForgotten({ clock }: Context, { signedAt }: ContractRow): boolean {
  return signedAt === null || Date.parse(signedAt) + KEY_TRUSTED_MS <= clock.now().getTime();
}

/** Brings our records to where the provider is; the customer gets the link again when it still works. */
export function adoptForgotten(
  ctx: Context,
  db: Db,
  contractId: number,
  { session, state, facts }: Forgotten,
): string | undefined {
  const now = iso(ctx.clock.now());
  const by = { actor: JOB, now };
  const contract = makeRoom(db, contractId);
  const { requestId } = contract;
  if (state === 'other_price') {
    tellOtherPrice(db, contract, facts, by);
    return state;
  }
  const payment = adoptSession(db, contract, session, now);
  const { paymentId } = payment;
  record(db, {
    at: now,
    actor: JOB,
    what: 'payment.session_found',
    requestId,
    contractId,
    detail: { paymentId },
  });
  if (state === 'check_payment_info.expired') return sessionExpired(db, payment, by);
  if (state === 'check_payment_info.open') {
    offerLink(db, { contract, session, now });
    return 'exists';
  }
  if (isAwaited(db, contract)) setPaymentLink(db, { id: requestId, paymentId, paymentUrl: null, now });
  return state === 'check_payment_success' ? sessionPaid(db, payment, by) : sessionPending(db, payment, by);
}

function isAwaited(db: Db, { id, requestId }: ContractRow): boolean {
  const isCurrent = findCurrentContract(db, requestId)?.id === id;
  return isCurrent && (findRequest(db, requestId) as RequestRow).status === 'WAITING_PAYMENT';
}

/** The provider has told that the newest session is over, and would repeat it: what comes now has a key of its own. */
export function makeRoom(db: Db, contractId: number): ContractRow {
  const contract = findContract(db, contractId) as ContractRow;
  const newest = findCurrentPayment(db, contractId);
  if (newest?.status !== 'expired' || newest.generation < contract.paymentGeneration) return contract;
  raiseGeneration(db, contractId);
  return findContract(db, contractId) as ContractRow;
}
