/** Makes the contract row of a request: its price comes from the newest offer, the last moment to sign from the settings. */
import type { Db } from '../../db/db.js';
import { insertContract } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import { newIdentity } from '../identity.js';
import { priceOf } from '../offers/offers.js';
import { lastSecondAfter } from '../zone.js';

/** To be called in the transaction of the change that needs a contract. */
export function addContract(
  ctx: Context,
  db: Db,
  { requestId, ownPdf, actor }: { requestId: number; ownPdf: boolean; actor: Actor },
): ContractRow {
  const now = ctx.clock.now();
  const { timeZone, contractValidDays } = ctx.config;
  const contract = insertContract(db, {
    requestId,
    status: 'PENDING',
    ...priceOf(ctx, db, requestId),
    ownPdf,
    createdAt: iso(now),
    expiredAt: iso(lastSecondAfter(timeZone, now, contractValidDays)),
    ...newIdentity(db),
  });
  record(db, { at: iso(now), actor, what: 'contract.created', requestId, contractId: contract.id });
  return contract;
}
