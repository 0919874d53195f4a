/** Makes the contract row of a request, of the terms as they are then; the last moment to sign comes from the settings. */
import type { Db } from '../../db/db.js';
import { insertContract } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import { newIdentity } from '../identity.js';
import { lastSecondAfter } from '../zone.js';
import { clearDraft } from './contract-files.js';
import { digestOf, readTerms } from './terms.js';

/** To be called in the transaction of the change that needs a contract. */
export function addContract(
  ctx: Context,
  db: Db,
  { requestId, ownPdf, actor }: { requestId: number; ownPdf: boolean; actor: Actor },
): ContractRow {
  const now = ctx.clock.now();
  const { timeZone, contractValidDays } = ctx.config;
  const terms = readTerms(ctx, db, requestId);
  const { amount, currency } = terms.wording;
  const contract = insertContract(db, {
    requestId,
    status: 'PENDING',
    amount,
    currency,
    termsDigest: digestOf(terms),
    ownPdf,
    createdAt: iso(now),
    expiredAt: iso(lastSecondAfter(timeZone, now, contractValidDays)),
    ...newIdentity(db),
  });
  clearDraft(ctx, contract.id);
  record(db, { at: iso(now), actor, what: 'contract.created', requestId, contractId: contract.id });
  return contract;
}
