/** What the payment provider says of a session, whether it was asked, lists it, sends it in a webhook or has just made it. */
import type { PaymentSession } from './session.js';
import type { Money } from '../texts/format.js';
import type { Theirs } from './decide.js';

export interface Answer {
  theirs: Theirs;
  money: Money;
  paymentUrl: string | null;
  createdAt: string | null;
  expiresAt: string | null;
  /** Whose it is by its name; needed only for one that is unknown here. */
  contractId?: number;
  /** Since when its money is on its way, if it says so. */
  since?: string | null;
  /** We have made or closed it just now. */
  isByUs?: true;
}

/** By paymentId. */
export type Answers = ReadonlyMap<string, Answer>;

const UNSAID = {
  money: { amount: null, currency: null },
  paymentUrl: null,
  createdAt: null,
  expiresAt: null,
};

/** It knows no such session. */
export const ABSENT: Answer = { theirs: 'absent', ...UNSAID };
export const CLOSED: Answer = { theirs: 'over', ...UNSAID, isByUs: true };
const SILENT: Answer = { theirs: 'silent', ...UNSAID };

/** Also where it was not asked, or gave no answer. */
export function answerAbout(answers: Answers, paymentId: string): Answer {
  return answers.get(paymentId) ?? SILENT;
}

export function answerOf(session: PaymentSession): Answer {
  const { money, paymentUrl, createdAt, expiresAt } = session;
  return { theirs: theirsOf(session), money, paymentUrl, createdAt, expiresAt };
}

function theirsOf({ status, paymentStatus }: PaymentSession): Theirs {
  if (isPaidStatus(paymentStatus)) return 'paid';
  if (status === 'expired') return 'over';
  return status === 'complete' ? 'pending' : 'open';
}

/** True for the provider's words for "nothing left to pay". */
export function isPaidStatus(paymentStatus: string | null | undefined): boolean {
  return paymentStatus === 'paid' || paymentStatus === 'no_payment_required';
}

/** The words for it, as those of a check. */
export const ANSWER_KEYS = {
  open: 'check_payment_info.open',
  pending: 'check_payment_info.pending',
  paid: 'check_payment_success',
  over: 'check_payment_info.expired',
  refused: 'check_payment_info.expired',
  absent: 'payment_session_not_found',
  silent: 'payment_unavailable',
} as const satisfies Record<Theirs, string>;
