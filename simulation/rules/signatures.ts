/** What our record says of a contract must be true at the signature provider, and the last moment to sign is by its clock, in whole seconds. */
import { lastSecondOf } from '../../sandbox/signature/last-day.js';
import type { ContractRow, Outside, Rows, Signature } from './facts.js';

const DAY = 86_400_000;

/** By the firm's settings, the last day to sign is so many calendar days after the day of the start, whatever summer time does. */
export function wrongLastDay(
  { expirationDate }: Signature,
  { id, createdAt }: ContractRow,
  { timeZone, validDays }: { timeZone: string; validDays: number },
): string[] {
  const today = new Date(createdAt).toLocaleDateString('sv-SE', { timeZone });
  const last = new Date(Date.parse(today) + validDays * DAY).toISOString().slice(0, 10);
  if (expirationDate === last) return [];
  return [`contract ${id}, made on ${today} in ${timeZone}, can be signed until ${expirationDate}`];
}

/** Signed at the provider, and too late. */
export function isLate(there: Signature): boolean {
  return there.status === 'done' && (there.completedAt ?? 0) >= lastSecondOf(there) + 1_000;
}

/** A contract counts as signed. */
export function countsTooLate(rows: Rows, contractId: number, there: Signature | undefined): string[] {
  if (!there || !isLate(there)) return [];
  const isAccepted = rows(
    "SELECT 1 FROM history WHERE contractId = ? AND what = 'contract.late_accepted'",
    contractId,
  );
  if (isAccepted.length > 0) return [];
  const [signedAt, until] = [there.completedAt ?? 0, lastSecondOf(there)].map((ms) =>
    new Date(ms).toISOString(),
  );
  return [`contract ${contractId} counts as signed, at ${signedAt}, and could be signed until ${until}`];
}

/** A signature is reported as too late: it does not count. */
export function calledLate(contractId: number, there: Signature | undefined): string[] {
  if (!there || isLate(there)) return [];
  const [signedAt, until] = [there.completedAt ?? 0, lastSecondOf(there)].map((ms) =>
    new Date(ms).toISOString(),
  );
  return [`contract ${contractId} was signed too late, at ${signedAt}, and could be signed until ${until}`];
}

/** Signed too late, and the office has been told. */
export function isKnownLate(rows: Rows, contractId: number, there: Signature | undefined): boolean {
  const sql = "SELECT 1 FROM history WHERE contractId = ? AND what = 'contract.signed_late'";
  return there !== undefined && isLate(there) && rows(sql, contractId).length > 0;
}

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
