/** Asks the payment provider about a request's sessions; changes nothing, and holds no transaction. */
import { findContractByKey } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { listPayablePayments } from '../../db/payments/payments.js';
import { everyById } from '../calls/listing.js';
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { isProviderError, type ProviderError, unlessNotFound } from '../http/provider-error.js';
import { keyOfOwnName, ownName } from '../installation/identity.js';
import { ABSENT, answerAbout, answerOf, type Answer } from './answers.js';
import { ourPayments, ownPayments, type OurPayments } from './our-payments.js';
import type { PaymentFacts } from './decide.js';
import type { PaymentSession } from './session.js';

/** The provider's list from then on. */
export type ListSince = (since: Date) => Promise<readonly PaymentSession[]>;

export interface Observing {
  wants?: PaymentFacts['wants'];
  /** Is asked about whatever we know of it: an event has named it. */
  about?: { paymentId: string; contractId: number };
  /** For many requests the list is read once. */
  list?: ListSince | undefined;
}

/** No answer: about a session, or the list. */
export interface Silence {
  /** Null: the list. */
  paymentId: string | null;
  error: ProviderError;
}

/** Banks take two weeks at most. */
const DAYS_MAX = 60;

/** Nobody asks about money that was given up and has been on its way since before. */
export function comesSince(now: Date | string): string {
  return iso(addDays(new Date(now), -DAYS_MAX));
}

/** Every session through which money may still come, the oldest first. */
export function payableSessions({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const since = comesSince(clock.now());
  return everyById((part) => listPayablePayments(db, { ...part, since }));
}

/**
 * Each session through which money may still come, and if none of the contract's can be paid any more, the list: a restore or a lost answer
 * may have hidden the one that the customer has.
 */
export async function observePayment(
  ctx: Context,
  requestId: number,
  { wants, about, list = (since) => ctx.payment.listSessions(since) }: Observing,
) {
  const ours = ourPayments(ctx.db, requestId);
  const { request, contract } = ours;
  const answers = new Map<string, Answer>();
  const silences: Silence[] = [];
  const listen = async (paymentId: string | null, ask: () => Promise<void>) => {
    try {
      await ask();
    } catch (error) {
      if (!isProviderError(error)) throw error;
      silences.push({ paymentId, error });
    }
  };
  const asked = [...ours.payments.filter((row) => mayStillBePaid(ctx, row)), ...(about ? [about] : [])];
  for (const [paymentId, contractId] of new Map(asked.map((one) => [one.paymentId, one.contractId])))
    await listen(paymentId, async () => {
      answers.set(paymentId, { ...(await askAbout(ctx, paymentId)), contractId });
    });

  const isAlive = ({ paymentId, state }: PaymentRow) => {
    const { theirs } = answerAbout(answers, paymentId);
    if (state === 'pending') return theirs !== 'over';
    return state === 'open' && theirs !== 'over' && theirs !== 'absent';
  };
  if (!contract || request.status !== 'WAITING_PAYMENT') return { answers, silences };
  if (wants === 'page' || !ownPayments(ours).some(isAlive))
    await listen(null, async () => {
      const listed = await list(addDays(new Date(contract.signedAt ?? contract.createdAt), -1));
      for (const [paymentId, answer] of answersOf(ctx.db, ours, listed))
        if (!answers.has(paymentId)) answers.set(paymentId, answer);
    });
  return { answers, silences };
}

function mayStillBePaid(ctx: Context, { state, pendingSince }: PaymentRow): boolean {
  if (state === 'given_up') return (pendingSince ?? '') >= comesSince(ctx.clock.now());
  return state === 'open' || state === 'pending';
}

export async function askAbout({ payment }: Context, paymentId: string): Promise<Answer> {
  const session = await unlessNotFound(payment.getSession(paymentId));
  return session ? answerOf(session) : ABSENT;
}

/** Those of a list that bear the name of one of the request's contracts. */
export function answersOf(
  db: Db,
  { contracts }: Pick<OurPayments, 'contracts'>,
  listed: readonly PaymentSession[],
): [paymentId: string, Answer][] {
  const named = new Map(contracts.map(({ id, key }) => [ownName(db, key), id]));
  return listed.flatMap((session) => {
    const contractId = named.get(session.name ?? '');
    return contractId === undefined ? [] : [[session.paymentId, { ...answerOf(session), contractId }]];
  });
}

/** The contract whose name the session bears; undefined when it is not ours. */
export function contractOfSession(db: Db, { name }: Pick<PaymentSession, 'name'>): ContractRow | undefined {
  const key = name && keyOfOwnName(db, name);
  return key ? findContractByKey(db, { key }) : undefined;
}
