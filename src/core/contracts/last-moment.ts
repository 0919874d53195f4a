/** Until when a contract can be signed: ours until the provider names the moment, then the provider's (decisions 2). */
import { findContract, setLastMoment } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { record } from '../history.js';

/** What the provider said of a signature. */
interface Said {
  lastMoment: string | null;
}

/** The contract with the last moment that the provider names. */
export function asProviderSays(contract: ContractRow, { lastMoment }: Said): ContractRow {
  return lastMoment && contract.signedAt === null ? { ...contract, expiredAt: lastMoment } : contract;
}

/** Whether the provider names another last moment than the one that is stored. */
export function isToldOtherwise(contract: ContractRow, said: Said): boolean {
  return asProviderSays(contract, said).expiredAt !== contract.expiredAt;
}

/** Stores what the provider says; the history keeps both moments. */
export function believeLastMoment(
  db: Db,
  { id: contractId }: Pick<ContractRow, 'id'>,
  said: Said,
  { actor, now }: { actor: Actor; now: string },
): void {
  // Read again: somebody else may have stored it meanwhile.
  const fresh = findContract(db, contractId);
  if (!fresh || !isToldOtherwise(fresh, said)) return;
  const { requestId, expiredAt: from } = fresh;
  const to = said.lastMoment as string;
  setLastMoment(db, contractId, to);
  const detail = { from, to };
  record(db, { at: now, actor, what: 'contract.last_moment_told', requestId, contractId, detail });
}

/** Whether that moment is in time. Whole seconds are compared: the provider writes no smaller part. */
export function isInTime({ expiredAt }: Pick<ContractRow, 'expiredAt'>, time: string): boolean {
  return expiredAt === null || time.slice(0, SECONDS) <= expiredAt.slice(0, SECONDS);
}

const SECONDS = 'yyyy-mm-ddThh:mm:ss'.length;
