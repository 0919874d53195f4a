/** Makes the contract row of a request: price and last moment to sign come from the settings. */
import type { Db } from '../../db/db.js';
import { insertContract } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';

/** To be called in the transaction of the change that needs a contract. */
export function addContract(
  ctx: Context,
  db: Db,
  { requestId, ownPdf, actor }: { requestId: number; ownPdf: boolean; actor: Actor },
): ContractRow {
  const now = ctx.clock.now();
  const { contractAmount, currency, contractValidDays } = ctx.config;
  const contract = insertContract(db, {
    requestId,
    status: 'PENDING',
    amount: contractAmount,
    currency,
    ownPdf,
    createdAt: iso(now),
    expiredAt: iso(addDays(now, contractValidDays)),
  });
  record(db, { at: iso(now), actor, what: 'contract.created', requestId, contractId: contract.id });
  return contract;
}
