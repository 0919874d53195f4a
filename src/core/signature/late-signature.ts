/** Signed after the last moment: a case that waits for a person (decisions 2). The history remembers it for good, a job for a while. */
import { findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history.js';
import type { ContractRow } from '../../db/schema.js';

export interface LateSignature {
  /** Null: nobody knows when. */
  signedAt: string | null;
}

/** The late signature of this contract, once it has been told. */
export function findLateSignature(
  db: Db,
  { id, requestId }: Pick<ContractRow, 'id' | 'requestId'>,
): LateSignature | undefined {
  const told = listHistory(db, requestId).findLast(
    ({ what, contractId }) => what === 'contract.signed_late' && contractId === id,
  );
  return told && (JSON.parse(told.detail) as LateSignature);
}

/** The contract that counts of a request when it was signed too late; undefined: it was not. */
export function findLateContract(db: Db, requestId: number): ContractRow | undefined {
  const contract = findCurrentContract(db, requestId);
  return contract && isLateSignature(db, contract) ? contract : undefined;
}

export function isLateSignature(db: Db, contract: Pick<ContractRow, 'id' | 'requestId'>): boolean {
  return findLateSignature(db, contract) !== undefined;
}
