/**
 * What becomes of a contract's signature (rules 2, 4): pure and total. The rules stand in the order of the table there; the first that
 * applies decides. `unavailable`: only the provider can tell.
 */
import type { ContractTold, ContractSending } from '../../db/schema.js';
import { endAfter, type UnsignedEnd } from '../lifecycle.js';

export type SignatureEffect =
  | { do: 'believe_last_moment'; lastMoment: string }
  /** To whom it was sent, and under which signId. */
  | { do: 'remember_signer' }
  /** The second copy becomes the contract's document. The other can no longer be signed. */
  | { do: 'take_second' }
  /** A start or reset whose end was lost had sent it. */
  | { do: 'record_sent' }
  /** The PDF has been fetched before. */
  | { do: 'sign'; signedAt: string | null; isLate: boolean }
  | { do: 'end'; reason: UnsignedEnd | 'not_found' }
  /** Once: a case for a person, with a mail. */
  | { do: 'tell'; what: ContractTold; signedAt: string | null };

export type SignatureAnswer =
  | 'repeat'
  | 'not_waiting'
  | 'unavailable'
  | 'not_sent'
  | 'foreign'
  | 'not_found'
  | 'signed'
  | 'late'
  | 'ongoing'
  | 'ongoing_but_closed'
  | 'unconfirmed'
  | 'other'
  | UnsignedEnd;

export interface SignatureDecision {
  answer: SignatureAnswer;
  effects: SignatureEffect[];
}

export function decideSignature(facts: SignatureFacts): SignatureDecision {
  const { request, ours, theirs, heard } = facts;
  if (ours.status === 'SIGNED') return { answer: 'repeat', effects: [] };
  if (ours.place !== 'current' || request === 'CANCELED') return givenUp(facts);
  if (request === 'after') return { answer: 'repeat', effects: [] };
  // Only an interrupted start may have got through.
  if (request === 'before' && (ours.status !== 'PENDING' || ours.sending === 'sent'))
    return { answer: 'not_waiting', effects: [] };
  const isUnsent = ours.sending !== 'sent';
  switch (theirs.is) {
    case 'silent':
      return { answer: 'unavailable', effects: [] };
    case 'foreign':
      // The start or reset that goes on tells of it, and sends the contract under another name.
      return isUnsent ? NOT_SENT : { answer: 'foreign', effects: tell(facts, 'foreign', null) };
    case 'absent':
      return isUnsent ? NOT_SENT : { answer: 'not_found', effects: end(facts, 'not_found') };
    case 'draft':
      return isUnsent ? NOT_SENT : stillOpen(facts);
    case 'ongoing':
    case 'other':
      return stillOpen(facts);
    case 'done':
      return done(facts, theirs.signedAt ?? heard?.signedAt ?? null);
    case 'declined':
    case 'canceled':
    case 'rejected':
    case 'deleted':
    case 'expired':
    case 'signer_error': {
      const reason = endAfter(theirs.is, ours.hasFailed);
      return { answer: reason, effects: [...remember(facts), ...end(facts, reason)] };
    }
  }
}

const NOT_SENT: SignatureDecision = { answer: 'not_sent', effects: [] };

/** Nobody waits for this contract any more, whatever becomes of it. */
function givenUp(facts: SignatureFacts): SignatureDecision {
  const { request, ours, theirs, heard } = facts;
  const isSigned = theirs.is === 'done' || heard !== null;
  const signedAt = (theirs.is === 'done' ? theirs.signedAt : null) ?? heard?.signedAt ?? null;
  // Replacing one that was signed too late was the decision about it.
  const isTold = ours.place === 'replaced' && ours.told === 'late';
  return {
    answer: request === 'after' ? 'repeat' : 'not_waiting',
    effects: isSigned && !isTold ? tell(facts, 'elsewhere', signedAt) : [],
  };
}

function done(facts: SignatureFacts, signedAt: string | null): SignatureDecision {
  const isLate = isTooLate(asTheySay(facts), signedAt, facts.now);
  const known = [...second(facts), ...believe(facts), ...sent(facts)];
  return isLate && facts.accepted === null
    ? { answer: 'late', effects: [...known, ...tell(facts, 'late', signedAt)] }
    : { answer: 'signed', effects: [...known, { do: 'sign', signedAt, isLate }] };
}

/** A webhook that says "signed" may be ahead of the provider's answers, but proves nothing. */
function stillOpen(facts: SignatureFacts): SignatureDecision {
  const { theirs, heard, now } = facts;
  const isOngoing = theirs.is === 'ongoing';
  const known = isOngoing ? [...believe(facts), ...sent(facts)] : [];
  const isClosed = isOver(asTheySay(facts), now);
  const isSent = isOngoing || facts.ours.sending === 'sent';
  if (heard && isClosed && isSent)
    return { answer: 'late', effects: [...known, ...tell(facts, 'late', null)] };
  if (heard) return { answer: 'unconfirmed', effects: known };
  if (!isOngoing) return { answer: 'other', effects: [] };
  return { answer: isClosed ? 'ongoing_but_closed' : 'ongoing', effects: known };
}

function end({ ours }: SignatureFacts, reason: UnsignedEnd | 'not_found'): SignatureEffect[] {
  return ours.status === 'PENDING' && !isOurDoing(ours.isBusy, reason) ? [{ do: 'end', reason }] : [];
}

/** A start, reset or cancellation of ours that is at work there withdraws the document, and records the end itself. */
export function isOurDoing(isBusy: boolean, reason: SignatureAnswer): boolean {
  return isBusy && (reason === 'canceled' || reason === 'deleted');
}

function tell({ ours }: SignatureFacts, what: ContractTold, signedAt: string | null): SignatureEffect[] {
  return ours.told === what ? [] : [{ do: 'tell', what, signedAt }];
}

function second({ accepted }: SignatureFacts): SignatureEffect[] {
  return accepted === 'second' ? [{ do: 'take_second' }] : [];
}

function believe(facts: SignatureFacts): SignatureEffect[] {
  const { lastMoment } = asTheySay(facts);
  return lastMoment === null || lastMoment === facts.ours.lastMoment
    ? []
    : [{ do: 'believe_last_moment', lastMoment }];
}

function sent(facts: SignatureFacts): SignatureEffect[] {
  return facts.ours.sending === 'sent' ? remember(facts) : [...remember(facts), { do: 'record_sent' }];
}

function remember({ ours }: SignatureFacts): SignatureEffect[] {
  return ours.hasSigner ? [] : [{ do: 'remember_signer' }];
}

function asTheySay({ ours, theirs }: SignatureFacts): Timed {
  const told = 'lastMoment' in theirs ? theirs.lastMoment : null;
  return { status: ours.status, lastMoment: told ?? ours.lastMoment };
}

type Timed = Pick<Ours, 'status' | 'lastMoment'>;

/** Signed after the last moment, or nobody can prove when and the contract is over. The provider's clock decides; ours only if it names no time. */
export function isTooLate(contract: Timed, signedAt: string | null, now: string): boolean {
  return signedAt === null ? isOver(contract, now) : isPast(contract.lastMoment, signedAt);
}

/** We closed the contract, or its last moment has passed. */
function isOver({ status, lastMoment }: Timed, now: string): boolean {
  return status === 'EXPIRED' || isPast(lastMoment, now);
}

/** A second counts to its end: that is the provider's precision. */
export function isPast(lastMoment: string | null, time: string): boolean {
  return lastMoment !== null && time.slice(0, SECONDS) > lastMoment;
}

const SECONDS = 'yyyy-mm-ddThh:mm:ss'.length;

// Everything that a decision about a contract's signature may look at: one plain value (rules 2, 4).

/** What the signature provider says of the contract's document, proved to be its own. */
export type Theirs =
  /** Not asked, or no answer. */
  | { is: 'silent' }
  /** Unknown there, by its own words and by its list. */
  | { is: 'absent' }
  /** Under the contract's name or signId, but somebody else's. */
  | { is: 'foreign' }
  /** other: a word that is unknown here. */
  | { is: 'draft' | 'other' }
  | { is: 'ongoing'; lastMoment: string | null }
  | { is: 'done'; signedAt: string | null; lastMoment: string | null }
  | { is: UnsignedEnd };

export interface Ours {
  /** SIGNED: also when its term is over since. */
  status: 'PENDING' | 'SIGNED' | 'EXPIRED';
  sending: ContractSending;
  /** replaced: the request has a newer contract. canceled: it ended with its request. */
  place: 'current' | 'replaced' | 'canceled';
  /** To whom it was sent is known here; a restore may have forgotten it. */
  hasSigner: boolean;
  lastMoment: string | null;
  /** What the office was told last. */
  told: ContractTold | null;
  /** The provider has told that it failed while the customer signed. */
  hasFailed: boolean;
  /** A start, a reset or a cancellation of ours is at work there, and records what it does itself. */
  isBusy: boolean;
}

export interface SignatureFacts {
  request: 'before' | 'WAITING_SIGNATURE' | 'after' | 'CANCELED';
  ours: Ours;
  theirs: Theirs;
  /** A genuine webhook says that the customer has signed, perhaps when. */
  heard: { signedAt: string | null } | null;
  /** What a person lets count: a signature that came late, or one on a second copy of the contract. */
  accepted: 'late' | 'second' | null;
  now: string;
}
