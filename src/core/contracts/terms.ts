/**
 * What a contract says and to whom it is sent: request, customer, equipment, price and settings, read at one moment.
 * Until the provider has sent it, it can be replaced by one with newer terms (rules 2, "Start").
 */
import { hash } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { requireEquipment } from '../../db/equipments/equipments.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { RequestRow, UserRow, ContractRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import type { Context } from '../context.js';
import { priceRequest, priceOf } from '../prices/request-price.js';
import { localeOf } from '../users/names.js';
import { companyDetails, companyName } from '../settings/company.js';
import type { ContractTerms } from './contract-pdf.js';
import { insertContract } from '../../db/contracts/contracts.js';
import { overtakenByContract } from '../cases/cases.js';
import type { Change } from '../change.js';
import { iso } from '../clock.js';
import { ofContract } from '../history/history.js';
import { newIdentity } from '../installation/identity.js';
import { lastSecondAfter } from '../zone.js';
import { clearDraft } from './contract-files.js';

/** The terms that can be equal for two contracts. */
type Wording = Omit<ContractTerms, 'contractId' | 'madeAt' | 'signBefore'>;

export interface Terms {
  request: RequestRow;
  customer: UserRow;
  wording: Wording;
}

/** The current terms of an existing request. `ownAmount`: as if it had that price. */
export function readTerms(ctx: Context, db: Db, requestId: number, ownAmount?: number): Terms {
  const request = requireRequest(db, { id: requestId });
  const customer = requireUser(db, { id: request.ownerId });
  const { name, model, serialNumber } = requireEquipment(db, { id: request.equipmentId });
  const { firstName, lastName, username, phone, address } = customer;
  const { contractTermDays, timeZone, vat } = ctx.config;
  const { amount, currency } = priceOf(ctx, db, requestId, ownAmount);
  const company = companyDetails(ctx.config);
  return {
    request,
    customer,
    wording: {
      reference: request.reference,
      title: request.title,
      description: request.description,
      customer: { firstName, lastName, username, phone, ...(address !== null && { address }) },
      equipment: { name, model, serialNumber },
      amount,
      currency,
      issuer: companyName(ctx.config),
      termDays: contractTermDays,
      locale: localeOf(ctx.config, customer),
      timeZone,
      // Last, and only when there is something: the digests of earlier contracts must stay the same.
      ...(company && { company }),
      ...(vat !== undefined && { vat }),
    },
  };
}

/** Equal for equal terms; stored with the contract, to compare with the next start's. */
export function digestOf({ wording }: Terms): string {
  return hash('sha256', JSON.stringify(wording));
}

// Makes a request's contract row from the current terms; the last moment to sign comes from the settings.

/** Call in the transaction of the change that needs a contract. `ownAmount`: the price that its request gets. */
export function addContract(
  ctx: Context,
  tx: Change,
  { requestId, ownPdf, ownAmount }: { requestId: number; ownPdf: boolean; ownAmount?: number | undefined },
): ContractRow {
  const { db, time } = tx;
  const { timeZone, contractValidDays } = ctx.config;
  const { currency: ownCurrency } = ctx.config;
  if (ownAmount !== undefined) priceRequest(tx, requestId, { amount: ownAmount, currency: ownCurrency });
  const terms = readTerms(ctx, db, requestId);
  const { amount, currency, vat = null } = terms.wording;
  const contract = insertContract(db, {
    requestId,
    status: 'PENDING',
    amount,
    currency,
    vat,
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
