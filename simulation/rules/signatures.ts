/** What our record says of a contract must be true at the signature provider. */
import { isLate } from './last-moment.js';
import type { ContractRow, Outside, Rows, Signature } from './facts.js';

/** A contract counts as signed. */
export function signedWrongly({ id, externalId }: ContractRow, there: Signature | undefined): string[] {
  if (there?.status !== 'done')
    return [`contract ${id} counts as signed and is ${there?.status} at the provider`];
  return there.externalId === externalId ? [] : [`contract ${id} took the signature of ${there.externalId}`];
}

/** It counts as ended, for this reason. */
export function endedWrongly(
  { id, signedAt }: ContractRow,
  reason: string,
  there: Signature | undefined,
): string[] {
  const is = there?.status;
  // A draft that was deleted is gone.
  if (reason === 'deleted' && !there) return [];
  if (['declined', 'canceled', 'rejected', 'deleted', 'expired'].includes(reason) && is !== reason)
    return [`contract ${id} ended as ${reason} and is ${is} at the provider`];
  if (reason === 'not_found' && there) return [`contract ${id} was not found and is ${is} at the provider`];
  const isOurs = reason === 'reset' || (reason === 'request_canceled' && signedAt === null);
  return isOurs && there && (is === 'ongoing' || (is === 'done' && !isLate(there)))
    ? [`contract ${id} was ended (${reason}) and is ${is}`]
    : [];
}

/** The contract that counts, not yet signed here, of a signature that was made in time. */
export function awaitedBy(rows: Rows, { signatures }: Outside, signId: string): ContractRow[] {
  const completedAt = signatures.get(signId)?.completedAt ?? Infinity;
  return rows<ContractRow>(
    `SELECT c.* FROM contracts c JOIN requests r ON r.id = c.requestId
     WHERE c.signId = ? AND c.signedAt IS NULL AND r.status IN ('new', 'in_progress', 'WAITING_SIGNATURE')
       AND c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)
       AND NOT EXISTS (SELECT 1 FROM history WHERE contractId = c.id AND what = 'contract.foreign_signature')`,
    signId,
  ).filter(
    ({ expiredAt }) => Math.floor(completedAt / 1000) <= Math.floor(Date.parse(expiredAt ?? '') / 1000),
  );
}

/** Of the contracts of a request only one can be signed. */
export function signableTwice(rows: Rows, { signatures }: Outside, requestId: number): string[] {
  const names = new Set(
    rows<ContractRow>('SELECT externalId FROM contracts WHERE requestId = ?', requestId).map(
      ({ externalId }) => externalId,
    ),
  );
  const alive = [...signatures.values()].filter(
    ({ externalId, status }) => status === 'ongoing' && names.has(externalId ?? ''),
  );
  return alive.length > 1 ? [`request ${requestId} has ${alive.length} contracts to sign at once`] : [];
}
