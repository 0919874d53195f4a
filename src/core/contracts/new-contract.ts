/** Makes a request's contract row from the current terms; the last moment to sign comes from the settings. */
import { insertContract } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import { overtakenByContract } from '../cases/cases.js';
import type { Change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { newIdentity } from '../installation/identity.js';
import { lastSecondAfter } from '../zone.js';
import { clearDraft } from './contract-files.js';
import { digestOf, readTerms } from './terms.js';

/** Call in the transaction of the change that needs a contract. */
export function addContract(
  ctx: Context,
  tx: Change,
  { requestId, ownPdf }: { requestId: number; ownPdf: boolean },
): ContractRow {
  const { db, time } = tx;
  const { timeZone, contractValidDays } = ctx.config;
  const terms = readTerms(ctx, db, requestId);
  const { amount, currency } = terms.wording;
  const contract = insertContract(db, {
    requestId,
    status: 'PENDING',
    amount,
    currency,
    termsDigest: digestOf(terms),
    ownPdf: ownPdf ? 1 : 0,
    createdAt: tx.now,
    expiredAt: iso(lastSecondAfter(timeZone, time, contractValidDays)),
    ...newIdentity(db),
  });
  clearDraft(ctx, contract.id);
  overtakenByContract(tx, requestId);
  tx.record('contract.created', ofContract(contract));
  return contract;
}
