/** Everything that the decision about a request's payment may look at: one plain value (rules 2). */
import type { PaymentState, RequestStatus } from '../../db/schema.js';

/**
 * What a session is to us, stored in `payments.state` and nowhere else. It only moves to the right, so an answer that is older than
 * the row changes nothing.
 * pending: money is on its way. given_up: so too, and a person no longer waits. case: paid, and a person must decide.
 */
export const STATES = [
  'open',
  'pending',
  'given_up',
  'over',
  'case',
  'paid',
  'settled',
] as const satisfies readonly PaymentState[];

/** What the provider says of it. absent: it does not know it. silent: not asked, or no answer. */
export type Theirs = 'open' | 'pending' | 'paid' | 'over' | 'refused' | 'absent' | 'silent';

export interface SessionFacts {
  paymentId: string;
  /** Null: unknown here, because its answer was lost or a restore has forgotten it. */
  ours: PaymentState | null;
  theirs: Theirs;
  isOfCurrentContract: boolean;
  /** What it costs, or what was paid through it, is the contract's price. */
  hasPrice: boolean;
  /** All pages are open for the same time, so the newest ends last. */
  expiresAt: string | null;
}

/** With its page, or as the one whose money is on its way. */
export interface Shown {
  paymentId: string;
  isPage: boolean;
}

export interface PaymentFacts {
  status: RequestStatus;
  /** The session that the API shows. */
  shown: Shown | null;
  /** Of all contracts of the request. */
  sessions: readonly SessionFacts[];
  /** page: one is made if there is none. none: nobody shall pay any more. null: as it is. */
  wants: 'page' | 'none' | null;
  /** A held installation changes nothing at a provider. */
  isHeld: boolean;
}
