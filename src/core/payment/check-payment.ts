/** Payment check (rules 2): the fallback for a lost payment webhook, in words for whoever asked. */
import type { RequestStatus } from '../../db/schema.js';
import type { Try } from '../change.js';
import { addDays } from '../clock.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { isProviderError, type ProviderError } from '../http/provider-error.js';
import { holdOf } from '../installation/hold.js';
import { mustBeOurAccount } from '../installation/identity.js';
import { getRequest } from '../requests/requests.js';
import { answerAbout, type Answers } from './answers.js';
import { keptIn, type PaymentEffect, type PaymentStanding } from './decide.js';
import type { ListSince } from './observe.js';
import { contractToPay, ourPayments, ownPayments, shownPayment, type OurPayments } from './our-payments.js';
import { reconcilePayment, type Reconciled } from './reconcile.js';

export type PaymentCheckKey =
  | 'check_payment_success'
  | 'check_payment_info.open'
  | 'check_payment_info.pending'
  | 'check_payment_info.expired'
  /** A page could still be paid although no payment was due; it has been closed. */
  | 'check_payment_info.closed'
  | 'not_waiting_payment'
  | 'no_payment_session'
  | 'payment_session_not_found'
  | 'old_session_paid'
  | 'payment_unavailable';

export interface PaymentCheckResult {
  type: 'success' | 'info' | 'error';
  key: PaymentCheckKey;
  /** Our records were changed; with `dryRun`: would be. */
  changed?: true;
}

export interface PaymentCheckOptions extends Try {
  /** For many requests the provider's list is read once. */
  list?: ListSince | undefined;
}

/** Throws only for a request that does not exist, for restored data of another account, and for trouble of our own. */
export async function checkPayment(
  ctx: Context,
  requestId: number,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  try {
    return (await askByHand(ctx, requestId, options)).result;
  } catch (error) {
    if (!isProviderError(error)) throw error;
    ctx.log.warn({ requestId, error: error.message }, 'payment could not be checked');
    return problem('payment_unavailable');
  }
}

/** Sessions can be paid for a day; older ones that are still open here are asked for one by one. */
export const SESSION_DAYS = 2;

/** The same, but throws a ProviderError. On restored data, an account that has never heard of this installation says nothing about its pages. */
export async function askByHand(ctx: Context, requestId: number, options: PaymentCheckOptions) {
  const hold = options.dryRun ? undefined : holdOf(ctx);
  if (hold) {
    const { isAnyGone } = await askAboutPayment(ctx, requestId, { ...options, dryRun: true });
    const list = () => ctx.payment.listSessions(addDays(new Date(hold.madeAt), -SESSION_DAYS));
    if (isAnyGone) await mustBeOurAccount(ctx.db, 'payment', await list(), ({ name }) => name);
  }
  return askAboutPayment(ctx, requestId, options);
}

/** The same, but throws a ProviderError when what matters got no answer; `silence`: why a session that no longer counts could not be asked about. */
export async function askAboutPayment(ctx: Context, requestId: number, options: PaymentCheckOptions) {
  const { status } = getRequest(ctx, requestId);
  const done = await reconcilePayment(ctx, requestId, {
    ...options,
    // Of a request that no longer waits, only what follows from the answer is recorded.
    ...(options.actor.kind !== 'system' &&
      status === 'WAITING_PAYMENT' &&
      !options.dryRun && {
        note(tx, decided) {
          const ours = ourPayments(tx.db, requestId);
          if (unansweredOf(ours, status, decided)?.matters) return;
          const { key: answer } = resultOf(status, ours, decided);
          const paymentId = shownPayment(ours)?.paymentId;
          const about = ofContract(contractToPay(ours));
          tx.record('payment.checked', about, { answer, paymentId, reason: tx.reason });
        },
      }),
  });
  const ours = ourPayments(ctx.db, requestId);
  const silence = unansweredOf(ours, status, done);
  if (silence?.matters) throw silence.error;
  return {
    result: resultOf(status, ours, done),
    standing: done.standing,
    silence: silence?.error,
    isAnyGone: [...done.answers.values()].some(({ theirs }) => theirs === 'absent'),
  };
}

/** A payment that has come is known without the other answers, and so is what has changed of a request that did not wait. */
function unansweredOf(
  ours: OurPayments,
  before: RequestStatus,
  { standing, effects, silences }: Reconciled,
): { error: ProviderError; matters: boolean } | undefined {
  const isOfContract = (id: string | null) =>
    id === null || ownPayments(ours).some(({ paymentId }) => paymentId === id);
  const hasWaited = before === 'WAITING_PAYMENT';
  const isKnown = hasWaited ? ['not_due', 'paid', 'case'].includes(standing) : effects.length > 0;
  const matter = isKnown
    ? undefined
    : silences.find(({ paymentId }) => !hasWaited || isOfContract(paymentId));
  const first = matter ?? silences[0];
  return first && { error: first.error, matters: matter !== undefined };
}

function resultOf(
  before: RequestStatus,
  { payments }: OurPayments,
  { standing, effects, answers }: Pick<Reconciled, 'standing' | 'effects' | 'answers'>,
): PaymentCheckResult {
  const result =
    before === 'WAITING_PAYMENT'
      ? whileWaiting(standing, payments.length > 0, { effects, answers })
      : afterwards(effects);
  return effects.length > 0 ? { ...result, changed: true } : result;
}

function whileWaiting(
  standing: PaymentStanding,
  isAnyKnown: boolean,
  { effects, answers }: { effects: readonly PaymentEffect[]; answers: Answers },
): PaymentCheckResult {
  const isAbsent = (paymentId: string) => answerAbout(answers, paymentId).theirs === 'absent';
  switch (standing) {
    case 'paid':
      return { type: 'success', key: 'check_payment_success' };
    case 'case':
      return problem('old_session_paid');
    case 'on_its_way':
      return [...answers.keys()].some(isAbsent)
        ? problem('payment_session_not_found')
        : { type: 'info', key: 'check_payment_info.pending' };
    case 'payable':
      return { type: 'info', key: 'check_payment_info.open' };
    case 'no_page':
    case 'not_due':
      if (keptIn(effects).some(({ paymentId }) => isAbsent(paymentId)))
        return problem('payment_session_not_found');
      return isAnyKnown ? { type: 'info', key: 'check_payment_info.expired' } : problem('no_payment_session');
  }
}

function afterwards(effects: readonly PaymentEffect[]): PaymentCheckResult {
  if (keptIn(effects).some(({ state }) => state === 'case')) return problem('old_session_paid');
  return effects.some((each) => each.do === 'close')
    ? { type: 'info', key: 'check_payment_info.closed' }
    : problem('not_waiting_payment');
}

export function problem(key: PaymentCheckKey): PaymentCheckResult {
  return { type: 'error', key };
}
