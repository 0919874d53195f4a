/**
 * How a request's signature stands by our rows alone (rules 4): what is shown of it, and which buttons there are. After a check the
 * rows say what the provider says.
 */
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { isBeforeSending } from '../lifecycle.js';
import { isPast } from './decide.js';

/**
 * not_due: signed, or nobody waits for it. none: there is no contract. unsent: begun, and the customer has nothing. asked: begun, and the
 * customer may have it. foreign, late: the office was told, and decides. ended: its reason stands with the contract. past: its last moment
 * to sign is over. failed: the provider has failed while the customer signed. open: the customer can sign.
 */
export type SignatureStanding =
  | 'not_due'
  | 'none'
  | 'unsent'
  | 'asked'
  | 'foreign'
  | 'late'
  | 'ended'
  | 'past'
  | 'failed'
  | 'open';

export type StandingContract = Pick<
  ContractRow,
  'status' | 'sending' | 'told' | 'expiredAt' | 'failedSigningAt'
>;

/** Its start or reset is unfinished: the provider may have nothing, a draft, or a sent contract. */
export function isSendingUnfinished({ status, sending }: Pick<ContractRow, 'status' | 'sending'>): boolean {
  return status === 'PENDING' && sending !== 'sent';
}

/** `contract`: the one that counts. */
export function standingOf(
  { status }: Pick<RequestRow, 'status'>,
  contract: StandingContract | undefined,
  now: string,
): SignatureStanding {
  const isBefore = isBeforeSending({ status });
  if (!isBefore && status !== 'WAITING_SIGNATURE') return 'not_due';
  if (!contract) return 'none';
  const { sending, told, expiredAt, failedSigningAt } = contract;
  const isAlive = contract.status === 'PENDING';
  if (isAlive && sending !== 'sent') return sending;
  if (isBefore) return 'ended';
  if (told === 'foreign' || told === 'late') return told;
  if (!isAlive) return 'ended';
  if (isPast(expiredAt, now)) return 'past';
  return failedSigningAt === null ? 'open' : 'failed';
}
