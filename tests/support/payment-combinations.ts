/** Every combination of the facts about a request's payment, and what follows when the provider does as it is asked. */
import {
  decidePayment,
  type PaymentDecision,
  STATES,
  type PaymentFacts,
  type SessionFacts,
  type Shown,
  type Theirs,
} from '../../src/core/payment/decide.js';

const OURS = [null, ...STATES];
const THEIRS: readonly Theirs[] = ['open', 'pending', 'paid', 'over', 'refused', 'absent', 'silent'];
/** Before the signature and after a cancellation nothing is due: a test says that these are alike. */
const STATUSES = ['WAITING_SIGNATURE', 'WAITING_PAYMENT', 'COMPLETE'] as const;
const WANTS = ['page', 'none', null] as const;
const BOTH = [false, true];

type Session = Omit<SessionFacts, 'paymentId' | 'expiresAt'>;

/** All that can be said of one session. */
export const SESSIONS: readonly Session[] = OURS.flatMap((ours) =>
  THEIRS.flatMap((theirs) =>
    BOTH.flatMap((isOfCurrentContract) =>
      BOTH.map((hasPrice) => ({ ours, theirs, isOfCurrentContract, hasPrice })),
    ),
  ),
);

/** What the API may show; a request that does not wait for its payment keeps it, whatever it is. */
const SHOWN: readonly (Shown & { n: number })[] = [
  { paymentId: 'p0', isPage: true, n: 0 },
  { paymentId: 'p0', isPage: false, n: 0 },
  { paymentId: 'p1', isPage: true, n: 1 },
];

/** What does not depend on the sessions. */
const AROUND = STATUSES.flatMap((status) =>
  WANTS.flatMap((wants) =>
    BOTH.flatMap((isHeld) =>
      [null, ...(status === 'WAITING_PAYMENT' ? SHOWN : [])].map((shown) => ({
        status,
        wants,
        isHeld,
        shown,
      })),
    ),
  ),
);

export function* around(...sessions: readonly Session[]): Generator<PaymentFacts> {
  const named = sessions.map((one, n) => ({ ...one, paymentId: `p${n}`, expiresAt: String(n) }));
  for (const { shown, ...one } of AROUND) {
    if (shown === null) yield { ...one, shown, sessions: named };
    else if (sessions[shown.n]?.ours != null) {
      const { paymentId, isPage } = shown;
      yield { ...one, shown: { paymentId, isPage }, sessions: named };
    }
  }
}

/** Of up to two sessions. */
export function* combinations(): Generator<PaymentFacts> {
  yield* around();
  for (const one of SESSIONS) yield* around(one);
  for (const [n, one] of SESSIONS.entries())
    // Which of them is the older one says nothing but which of two pages is shown.
    for (const other of SESSIONS.slice(n)) yield* around(one, other);
}

/** The facts after the effects, when the provider has done what it was asked for. */
export function after(facts: PaymentFacts, { effects }: PaymentDecision): PaymentFacts {
  const sessions = new Map(facts.sessions.map((one) => [one.paymentId, { ...one }]));
  let { status, shown } = facts;
  for (const effect of effects) {
    const session =
      'paymentId' in effect && effect.paymentId !== null ? sessions.get(effect.paymentId) : undefined;
    if (effect.do === 'keep' && session) session.ours = effect.state;
    if (effect.do === 'complete') status = 'COMPLETE';
    if (effect.do === 'show') shown = effect.shown;
    if (effect.do === 'close' && session) session.theirs = 'over';
    if (effect.do === 'make') sessions.set('new', NEW);
  }
  return { ...facts, status, shown, sessions: [...sessions.values()] };
}

const NEW: SessionFacts = {
  paymentId: 'new',
  ours: null,
  theirs: 'open',
  isOfCurrentContract: true,
  hasPrice: true,
  expiresAt: '9',
};

const LOOKS_MAX = 6;

export interface Rest {
  facts: PaymentFacts;
  /** Without effects. */
  decision: PaymentDecision;
  /** The one at the beginning. */
  first: PaymentDecision;
}

/** Where it comes to rest; undefined: it does not. */
export function atRest(facts: PaymentFacts): Rest | undefined {
  const first = decidePayment(facts);
  let [now, decision] = [facts, first];
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if (decision.effects.length === 0) return { facts: now, decision, first };
    now = after(now, decision);
    decision = decidePayment(now);
  }
  return undefined;
}
