/** Signed after the last moment: a case that waits for a person (decisions 2). The history remembers it for good, a job for a while. */
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history.js';
import type { ContractRow } from '../../db/schema.js';

/** True once the late signature of this contract has been told. */
export function isLateSignature(db: Db, { id, requestId }: Pick<ContractRow, 'id' | 'requestId'>): boolean {
  return listHistory(db, requestId).some(
    ({ what, contractId }) => what === 'contract.signed_late' && contractId === id,
  );
}
