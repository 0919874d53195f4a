/**
 * What a contract says and whom it is sent to: request, customer, equipment, price and settings, read at one moment.
 * Until the provider has sent it a contract can be made again of newer ones (decisions 2, "A start is not a contract").
 */
import { createHash } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { findEquipment } from '../../db/equipments.js';
import { findRequest } from '../../db/requests.js';
import type { EquipmentRow, RequestRow, UserRow } from '../../db/schema.js';
import { findUser } from '../../db/users.js';
import type { Context } from '../context.js';
import { priceOf } from '../offers/offers.js';
import type { ContractTerms } from './contract-pdf.js';

/** The terms without what is each contract's own. */
type Wording = Omit<ContractTerms, 'contractId' | 'madeAt' | 'signBefore'>;

export interface Terms {
  request: RequestRow;
  customer: UserRow;
  wording: Wording;
}

/** As they are now; the request is there. */
export function readTerms(ctx: Context, db: Db, requestId: number): Terms {
  const request = findRequest(db, requestId) as RequestRow;
  const customer = findUser(db, request.ownerId) as UserRow;
  const { name, model, serialNumber } = findEquipment(db, request.equipmentId) as EquipmentRow;
  const { firstName, lastName, username, phone } = customer;
  const { mailFrom, contractTermDays, locale, timeZone } = ctx.config;
  return {
    request,
    customer,
    wording: {
      reference: request.reference,
      title: request.title,
      description: request.description,
      customer: { firstName, lastName, username, phone },
      equipment: { name, model, serialNumber },
      ...priceOf(ctx, db, requestId),
      issuer: mailFrom.name,
      termDays: contractTermDays,
      locale,
      timeZone,
    },
  };
}

/** Equal for equal terms; kept with the contract, to be compared with those of the next start. */
export function digestOf({ wording }: Terms): string {
  return createHash('sha256').update(JSON.stringify(wording)).digest('hex');
}
