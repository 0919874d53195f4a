/** The last moment to sign: ours until the provider names one, then the provider's (rules 2). */
import { setLastMoment } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { ofContract } from '../history/history.js';

/** Stores the provider's last moment; the history keeps both. */
export function believeLastMoment(tx: Change, contract: ContractRow, to: string): void {
  setLastMoment(tx.db, { id: contract.id, expiredAt: to });
  tx.record('contract.last_moment_told', ofContract(contract), { from: contract.expiredAt, to });
}
