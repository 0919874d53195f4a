/** Everything that a decision about a contract's signature may look at: one plain value (rules 2, 4). */
import type { ContractSending, ContractTold } from '../../db/schema.js';
import type { UnsignedEnd } from '../lifecycle.js';

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
