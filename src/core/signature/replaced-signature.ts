/**
 * The customer has signed a contract that another one has replaced: it does not count, and the customer believes that
 * all is done. A person is told once.
 */
import type { Db } from '../../db/db.js';
import { findCurrentContract } from '../../db/contracts.js';
import { listHistory } from '../../db/history.js';
import type { ContractRow, HistoryRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { record } from '../history.js';
import { enqueue } from '../jobs/queue.js';
import { isLateSignature } from './late-signature.js';

/** One that was signed too late was told then; replacing it was the decision. */
export function tellReplacedSigned(
  db: Db,
  contract: ContractRow,
  { actor, now }: { actor: Actor; now: string },
): void {
  const { id: contractId, requestId } = contract;
  const current = findCurrentContract(db, requestId);
  if (!current || current.id === contractId || isLateSignature(db, contract)) return;
  if (listHistory(db, requestId).some((entry) => isReplacedSigned(entry) && entry.contractId === contractId))
    return;
  const about = { requestId, contractId };
  record(db, { ...about, at: now, actor, what: 'contract.replaced_signed', detail: { by: current.id } });
  enqueue(db, {
    ...about,
    kind: 'send-mail',
    payload: { mail: 'replaced-signed', contractId, by: current.id },
    uniqueKey: `mail:replaced-signed:${contractId}`,
    now,
  });
}

export function isReplacedSigned({ what }: Pick<HistoryRow, 'what'>): boolean {
  return what === 'contract.replaced_signed';
}
