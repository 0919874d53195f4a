/**
 * A record that bears a name of ours at the provider, or whose signId stands on a contract of ours, and that did not
 * pass the door (is-ours.ts). It is somebody else's: nothing of it is used, and a person is told once.
 */
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history.js';
import type { ContractRow, HistoryRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { record } from '../history.js';
import { enqueue } from '../jobs/queue.js';
import type { SignatureState } from './provider.js';

export type Foreign = Pick<SignatureState, 'signId' | 'externalId'>;

export interface Telling {
  actor: Actor;
  now: string;
  /** True: the contract goes out under another name, and the customer lacks nothing. */
  isServed: boolean;
}

/** False: this one was told before. */
export function tellForeign(
  db: Db,
  { id: contractId, requestId }: ContractRow,
  { signId, externalId }: Foreign,
  { actor, now, isServed }: Telling,
): boolean {
  if (isForeignTold(db, { id: contractId, requestId, signId })) return false;
  const about = { requestId, contractId };
  record(db, {
    ...about,
    at: now,
    actor,
    what: 'contract.foreign_signature',
    detail: { signId, externalId },
  });
  enqueue(db, {
    ...about,
    kind: 'send-mail',
    payload: { mail: 'foreign-signature', contractId, signId, externalId, isServed },
    uniqueKey: `mail:foreign-signature:${contractId}:${signId}`,
    now,
  });
  return true;
}

/** Whether it was told that this signature request, or the one that stands on the contract, is somebody else's. */
export function isForeignTold(db: Db, contract: Pick<ContractRow, 'id' | 'requestId' | 'signId'>): boolean {
  return listHistory(db, contract.requestId).some((entry) => isForeignEntry(entry, contract));
}

/** True for the line of the history that tells of this signature request on this contract. */
export function isForeignEntry(
  { what, contractId, detail }: Pick<HistoryRow, 'what' | 'contractId' | 'detail'>,
  { id, signId }: Pick<ContractRow, 'id' | 'signId'>,
): boolean {
  if (what !== 'contract.foreign_signature' || contractId !== id) return false;
  return (JSON.parse(detail) as Foreign).signId === signId;
}
