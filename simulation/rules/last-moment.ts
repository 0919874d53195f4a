/** The last moment to sign, by the provider's clock in whole seconds; what was signed later counts only if a person accepts it. */
import { lastSecondOf } from '../../sandbox/signature/last-day.js';
import type { ContractRow, Rows, Signature } from './facts.js';

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
