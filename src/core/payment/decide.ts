/**
 * What becomes of a request's payment (rules 2; the tables there are made from these functions).
 * The first money of the contract's price completes the request, through whichever page of its current contract. All other money is a
 * case for a person. At most one page can be paid, and none while money is on its way or a case is open.
 */
import type { PaymentState, RequestStatus } from '../../db/schema.js';

export type PaymentEffect =
  | { do: 'keep'; paymentId: string; state: PaymentState; was: PaymentState | null }
  | { do: 'complete'; paymentId: string }
  | { do: 'show'; shown: Shown | null }
  /** At the provider, after the commit; then look again. */
  | { do: 'close'; paymentId: string }
  | { do: 'make' };

export function keptIn(effects: readonly PaymentEffect[]) {
  return effects.filter((each) => each.do === 'keep');
}

/** How the payment stands; the only source of what mails, pages, buttons, replies and findings say of it. */
export type PaymentStanding = 'not_due' | 'paid' | 'case' | 'on_its_way' | 'payable' | 'no_page';

export interface PaymentDecision {
  standing: PaymentStanding;
  effects: PaymentEffect[];
}

export function decidePayment(facts: PaymentFacts): PaymentDecision {
  const sessions = facts.sessions.map((session) => ({ ...session, now: stateNow(session) }));
  const isWaiting = facts.status === 'WAITING_PAYMENT';
  const counted = isWaiting ? sessions.find((one) => one.now === 'case' && counts(one)) : undefined;
  if (counted) counted.now = 'paid';

  const known = sessions.flatMap(({ now, ...session }) => (now === null ? [] : { ...session, state: now }));
  const standing = standingOf(counted ? 'COMPLETE' : facts.status, known);
  const open = known.filter(({ state, theirs }) => state === 'open' || theirs === 'open');
  const page = standing === 'payable' ? newestPage(open) : undefined;
  const shown = whatToShow(facts, page, known.findLast(isPending));
  return {
    standing,
    effects: [
      ...sessions.flatMap(({ paymentId, ours, now }): PaymentEffect[] =>
        now === ours || now === null ? [] : [{ do: 'keep', paymentId, state: now, was: ours }],
      ),
      ...(counted ? [{ do: 'complete', paymentId: counted.paymentId } as const] : []),
      ...(isWaiting && !counted && isOther(facts.shown, shown) ? [{ do: 'show', shown } as const] : []),
      ...(facts.isHeld ? [] : open.filter((one) => one !== page || facts.wants === 'none').map(close)),
      ...(standing === 'no_page' && facts.wants === 'page' && !facts.isHeld ? [{ do: 'make' } as const] : []),
    ],
  };
}

/** Where nobody shall pay, no other page is shown; one that cannot be closed stays. */
function whatToShow(
  { wants, shown }: PaymentFacts,
  page: SessionFacts | undefined,
  pending: SessionFacts | undefined,
): Shown | null {
  if (pending) return { paymentId: pending.paymentId, isPage: false };
  const isThere = shown?.isPage === true && shown.paymentId === page?.paymentId;
  return page && (wants !== 'none' || isThere) ? { paymentId: page.paymentId, isPage: true } : null;
}

function isPending({ state, isOfCurrentContract }: SessionFacts & { state: PaymentState }): boolean {
  return state === 'pending' && isOfCurrentContract;
}

function isOther(one: Shown | null, other: Shown | null): boolean {
  return one?.paymentId !== other?.paymentId || one?.isPage !== other?.isPage;
}

/** By our rows alone; after a check they say what the provider says. */
export function standingOf(
  status: PaymentFacts['status'],
  rows: readonly { state: PaymentState; isOfCurrentContract: boolean }[],
): PaymentStanding {
  if (status === 'COMPLETE') return 'paid';
  if (status !== 'WAITING_PAYMENT') return 'not_due';
  const states = rows.filter((row) => row.isOfCurrentContract).map(({ state }) => state);
  // A case beside it has to wait: the money may count.
  if (states.includes('pending')) return 'on_its_way';
  if (rows.some(({ state }) => state === 'case')) return 'case';
  return states.includes('open') ? 'payable' : 'no_page';
}

/** The page that the customer is led to, if one of these can be. */
export function newestPage<
  T extends { state: PaymentState; isOfCurrentContract: boolean; expiresAt: string | null },
>(rows: readonly T[]): T | undefined {
  return rows
    .filter((row) => row.state === 'open' && row.isOfCurrentContract)
    .toSorted((a, b) => ((a.expiresAt ?? '') < (b.expiresAt ?? '') ? -1 : 1))
    .at(-1);
}

/** Ours, moved on by what the provider says. Null: of no interest. */
function stateNow({ ours, theirs, hasPrice }: SessionFacts): PaymentState | null {
  const told = TOLD[theirs];
  // One of another price is of interest only once it is paid.
  if (ours === null) return told === null || (!hasPrice && told !== 'case') ? null : told;
  // The bank's refusal is not among the provider's states: a session that is over stays so until it is paid.
  if (told !== null && STATES.indexOf(told) > STATES.indexOf(ours)) return told;
  // Money on its way is not over because it is unknown there.
  return theirs === 'absent' && ours === 'open' ? 'over' : ours;
}

const TOLD: Readonly<Record<Theirs, PaymentState | null>> = {
  open: 'open',
  pending: 'pending',
  paid: 'case',
  over: 'over',
  refused: 'over',
  absent: null,
  silent: null,
};

function counts({ isOfCurrentContract, hasPrice }: SessionFacts): boolean {
  return isOfCurrentContract && hasPrice;
}

function close({ paymentId }: SessionFacts): PaymentEffect {
  return { do: 'close', paymentId };
}

// Everything that the decision about a request's payment may look at: one plain value (rules 2).

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
