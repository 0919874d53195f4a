/** Statuses and the moves between them (rules 2). Queries take a move; nothing else changes a status. */
import type { ContractStatus, OfferStatus, RequestStatus, TroubleshootingStatus } from '../db/schema.js';

export const REQUEST_STATUSES = [
  'new',
  'in_progress',
  'WAITING_SIGNATURE',
  'WAITING_PAYMENT',
  'COMPLETE',
  'CANCELED',
] as const satisfies readonly RequestStatus[];

export const CONTRACT_STATUSES = [
  'PENDING',
  'SIGNED',
  'EXPIRED',
] as const satisfies readonly ContractStatus[];

export const OFFER_STATUSES = ['draft', 'sent', 'accepted', 'refused'] as const satisfies OfferStatus[];

/** Any move is allowed: solved trouble can come back. */
export const TROUBLESHOOTING_STATUSES = [
  'open',
  'in_progress',
  'solved',
] as const satisfies TroubleshootingStatus[];

export interface Move<Status> {
  from: readonly Status[];
  to: Status;
}

export const REQUEST_MOVES = {
  /** The only move a client may ask for (administrator). */
  begun: { from: ['new'], to: 'in_progress' },
  signatureStarted: { from: ['new', 'in_progress'], to: 'WAITING_SIGNATURE' },
  signed: { from: ['WAITING_SIGNATURE'], to: 'WAITING_PAYMENT' },
  paid: { from: ['WAITING_PAYMENT'], to: 'COMPLETE' },
  /** By an administrator; nobody pursues it any more. */
  canceled: { from: ['new', 'in_progress', 'WAITING_SIGNATURE', 'WAITING_PAYMENT'], to: 'CANCELED' },
  reopened: { from: ['CANCELED'], to: 'new' },
} as const satisfies Record<string, Move<RequestStatus>>;

export const CONTRACT_MOVES = {
  signed: { from: ['PENDING'], to: 'SIGNED' },
  /** The provider proved the signature, in time or accepted by a person, after we had closed the contract. */
  proved: { from: ['PENDING', 'EXPIRED'], to: 'SIGNED' },
  /** The provider ended it, or it was reset. */
  ended: { from: ['PENDING'], to: 'EXPIRED' },
  /** Its request was canceled, signed or not. */
  canceled: { from: ['PENDING', 'SIGNED'], to: 'EXPIRED' },
  /** Its date has passed: the last moment to sign, or the end of its term. */
  expired: { from: ['PENDING', 'SIGNED'], to: 'EXPIRED' },
} as const satisfies Record<string, Move<ContractStatus>>;

/** The signature can be started: as far as we know, no contract has been sent. */
export function isBeforeSending({ status }: { status: RequestStatus }): boolean {
  return REQUEST_MOVES.signatureStarted.from.some((from) => from === status);
}

/** Nothing more is awaited. */
export function isOver({ status }: { status: RequestStatus }): boolean {
  return status === 'COMPLETE' || status === 'CANCELED';
}

/** Why a contract was closed: `contracts.endReason`. */
export type EndReason = OwnEnd | UnsignedEnd | 'not_found';

/** We ended it. `replaced`: its start never finished and its terms are out of date. */
export type OwnEnd = 'reset' | 'replaced' | 'request_canceled' | 'date_passed';

/** The provider's states of a document that is closed unsigned. */
export const PROVIDER_ENDS = ['declined', 'canceled', 'rejected', 'deleted', 'expired'] as const;

export type ProviderEnd = (typeof PROVIDER_ENDS)[number];

/** `signer_error`: the provider failed while the customer signed, and has canceled it. */
export type UnsignedEnd = ProviderEnd | 'signer_error';

/** `hasFailed`: the provider has told of an error at signing, after which it cancels by itself. */
export function endAfter<End extends string>(end: End, hasFailed: boolean): End | 'signer_error' {
  return hasFailed && end === 'canceled' ? 'signer_error' : end;
}

/** The status that a word names in any letter case, or undefined. */
export function statusOf<Status extends string>(
  statuses: readonly Status[],
  word: string,
): Status | undefined {
  return statuses.find((status) => status.toLowerCase() === word.toLowerCase());
}
