/** The last moment to sign: ours until the provider names one, then the provider's (rules 2). */
import { findContract, setLastMoment } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { isOver, isTooLate } from '../signature/decide.js';

/** What the provider said of a signature. */
interface Said {
  lastMoment: string | null;
}

/** The contract with the provider's last moment. */
export function asProviderSays(contract: ContractRow, { lastMoment }: Said): ContractRow {
  return lastMoment && contract.signedAt === null ? { ...contract, expiredAt: lastMoment } : contract;
}

/** True when the provider names another last moment than the stored one. */
function isToldOtherwise(contract: ContractRow, said: Said): boolean {
  return asProviderSays(contract, said).expiredAt !== contract.expiredAt;
}

/** Stores the provider's last moment; the history keeps both. */
export function believeLastMoment(tx: Change, { id: contractId }: Pick<ContractRow, 'id'>, said: Said): void {
  // Read again: it may have been stored meanwhile.
  const fresh = findContract(tx.db, { id: contractId });
  if (!fresh || !isToldOtherwise(fresh, said)) return;
  const { expiredAt: from } = fresh;
  const to = said.lastMoment as string;
  setLastMoment(tx.db, { id: contractId, expiredAt: to });
  tx.record('contract.last_moment_told', ofContract(fresh), { from, to });
}

/** The document was signed too late to count. */
export function isSignedTooLate(
  { clock }: Context,
  { status, expiredAt }: ContractRow,
  said: Said & { signedAt: string | null },
): boolean {
  const lastMoment = said.lastMoment ?? expiredAt;
  return isTooLate({ status, lastMoment }, said.signedAt, iso(clock.now()));
}

/** The contract can no longer be signed with effect. */
export function isClosed({ clock }: Context, { status, expiredAt: lastMoment }: ContractRow): boolean {
  return isOver({ status, lastMoment }, iso(clock.now()));
}
