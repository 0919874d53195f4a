/** What the payment provider's list knows and these data do not: sessions paid, ended or made since the backup. */
import type { Db } from '../../db/db.js';
import { requireContract } from '../../db/contracts/contracts.js';
import { findPayment } from '../../db/payments/payments.js';
import { isOver } from '../lifecycle.js';
import { ANSWER_KEYS, answerOf, type Answer, type Answers } from '../payment/answers.js';
import type { PaymentCheckKey } from '../payment/check-payment.js';
import { troubleOf } from '../payment/apply.js';
import { decidePayment, type PaymentEffect } from '../payment/decide.js';
import { answersOf, contractOfSession } from '../payment/observe.js';
import { factsOf, ourPayments, type OurPayments } from '../payment/our-payments.js';
import type { PaymentSession } from '../payment/session.js';
import { isOursByName } from '../payment/unknown-payments.js';

/** What has become of a session; `other_price`: a person must look. */
export type NewsKey = PaymentCheckKey | 'other_price';

/** Of each request that there is any of, with the provider's answers. */
export function newsAmong(db: Db, listed: readonly PaymentSession[]) {
  const requestIds = new Set(listed.flatMap((one) => requestOf(db, one) ?? []));
  return [...requestIds].flatMap((requestId) => {
    const ours = ourPayments(db, requestId);
    const answers = new Map<string, Answer>(answersOf(db, ours, listed));
    const known = new Set(ours.payments.map(({ paymentId }) => paymentId));
    for (const session of listed)
      if (known.has(session.paymentId)) answers.set(session.paymentId, answerOf(session));
    const { effects } = decidePayment(factsOf(db, ours, answers));
    const sessions = effects.flatMap((effect) =>
      // Nobody has to make another page.
      effect.do === 'keep' && !(effect.state === 'over' && isOver(ours.request))
        ? told(ours, answers, effect)
        : [],
    );
    return sessions.length > 0 ? [{ requestId, sessions, answers }] : [];
  });
}

function requestOf(db: Db, session: PaymentSession): number | undefined {
  const known = findPayment(db, session);
  const contract = known ? requireContract(db, { id: known.contractId }) : contractOfSession(db, session);
  return contract?.requestId;
}

function told(ours: OurPayments, answers: Answers, { paymentId, state }: PaymentEffect & { do: 'keep' }) {
  const theirs = answers.get(paymentId)?.theirs ?? 'silent';
  return { paymentId, key: state === 'case' ? keyOfCase(ours, answers, paymentId) : ANSWER_KEYS[theirs] };
}

/** One that came before the signature is known here counts as soon as that does. */
function keyOfCase(ours: OurPayments, answers: Answers, paymentId: string): NewsKey {
  const answer = answers.get(paymentId);
  const contractId =
    ours.payments.find((row) => row.paymentId === paymentId)?.contractId ?? answer?.contractId;
  const contract = ours.contracts.find(({ id }) => id === contractId);
  const trouble = answer && contract && troubleOf(ours, contract, answer.money);
  if (trouble === 'paid_unsigned') return 'check_payment_success';
  return trouble === 'other_price' ? 'other_price' : 'old_session_paid';
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
  key: NewsKey;
}

export function lostAmong(db: Db, listed: readonly PaymentSession[]): LostPayment[] {
  return listed
    .filter((session) => isOursByName(db, session) && !contractOfSession(db, session))
    .map((session) => ({
      paymentId: session.paymentId,
      createdAt: session.createdAt,
      customer: session.customer,
      ...session.money,
      key: ANSWER_KEYS[answerOf(session).theirs],
    }));
}
