/** The last moment to sign, by the provider's clock in whole seconds; what was signed later counts only if a person accepts it. */
import { lastSecondOf } from '../src/sandbox/signature/last-day.js';
import type { SignatureRequest } from '../src/sandbox/signature/types.js';
import type { Rows } from './answers.js';

/** Signed at the provider, and too late. */
export function isLate(there: SignatureRequest): boolean {
  return there.status === 'done' && (there.completedAt ?? 0) >= lastSecondOf(there) + 1_000;
}

/** A contract that counts as signed; undefined when it may. */
export function countsTooLate(
  rows: Rows,
  contractId: number,
  there: SignatureRequest | undefined,
): string | undefined {
  if (!there || !isLate(there)) return undefined;
  const isAccepted = rows(
    "SELECT 1 FROM history WHERE contractId = ? AND what = 'contract.late_accepted'",
    contractId,
  );
  if (isAccepted.length > 0) return undefined;
  const [signedAt, until] = [there.completedAt ?? 0, lastSecondOf(there)].map((ms) =>
    new Date(ms).toISOString(),
  );
  return `contract ${contractId} counts as signed, at ${signedAt}, and could be signed until ${until}`;
}

/** Whether the office has been told of a late signature. */
export function isLateKnown(rows: Rows, contractId: number): boolean {
  const sql = "SELECT 1 FROM history WHERE contractId = ? AND what = 'contract.signed_late'";
  return rows(sql, contractId).length > 0;
}
