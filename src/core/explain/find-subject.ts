/** The request that a key names: number, reference, `contract:<id>`, signId, paymentId or e-mail address. */
import { listNewestRequestsOfOwner } from '../../db/case-file.js';
import { findContract, findContractBySignId } from '../../db/contracts.js';
import { findPayment } from '../../db/payments.js';
import { findRequest } from '../../db/requests.js';
import type { RequestRow } from '../../db/schema.js';
import { findUserByUsername } from '../../db/users.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { normalUsername } from '../users/user-fields.js';

const KEYS =
  'Give a number, a reference such as REQ-2026-000123, contract:<id>, a signId, a paymentId or the customer’s e-mail address.';

/** More requests of one customer than this are not looked at. */
const OF_ONE_CUSTOMER_MAX = 50;

/** The requests that fit, the newest first: one, or for an e-mail address all of that customer. Throws `request_not_found`. */
export function findSubjects(ctx: Context, key: string): RequestRow[] {
  const found = candidates(ctx, key.trim());
  if (found.length === 0) throw notFound('request_not_found', `Nothing here is called ${key.trim()}.`, KEYS);
  return found;
}

function candidates({ db }: Context, key: string): RequestRow[] {
  const [, year, number] = /^REQ-(\d{4})-(\d{1,15})$/i.exec(key) ?? [];
  if (/^\d{1,15}$/.test(key)) return one(findRequest(db, Number(key)));
  if (number)
    return one(findRequest(db, Number(number))).filter((r) => r.reference.startsWith(`REQ-${year}-`));
  const [, contractId] = /^contract:(\d{1,15})$/i.exec(key) ?? [];
  if (contractId) return ofContract(findContract(db, Number(contractId)));
  if (key.includes('@')) {
    const owner = findUserByUsername(db, normalUsername(key));
    return owner ? listNewestRequestsOfOwner(db, owner.id, OF_ONE_CUSTOMER_MAX) : [];
  }
  const payment = findPayment(db, key);
  return ofContract(findContractBySignId(db, key) ?? (payment && findContract(db, payment.contractId)));

  function ofContract(contract: { requestId: number } | undefined): RequestRow[] {
    return contract ? one(findRequest(db, contract.requestId)) : [];
  }
}

function one(request: RequestRow | undefined): RequestRow[] {
  return request ? [request] : [];
}
