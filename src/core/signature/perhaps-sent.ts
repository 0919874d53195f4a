/** Contracts that may have been sent: the provider was asked and never answered. */
import { isCurrentContract, listUnfinishedContracts } from '../../db/contracts/contracts.js';
import { findRequest } from '../../db/requests/requests.js';
import type { RequestRow } from '../../db/schema.js';
import type { Context } from '../context.js';

export interface PerhapsSent {
  request: RequestRow;
  /** When the provider was asked. */
  since: string;
}

/** A few are enough: more than a handful means that the provider is down. */
const LOOKED_AT = 200;
const SHOWN = 6;

/** The first of them. */
export function listPerhapsSent({ db }: Pick<Context, 'db'>): PerhapsSent[] {
  const asked = listUnfinishedContracts(db, { after: 0, limit: LOOKED_AT }).flatMap((contract) => {
    const request = findRequest(db, { id: contract.requestId });
    const since = contract.activationAskedAt;
    return request && since !== null && isCurrentContract(db, contract) ? [{ request, since }] : [];
  });
  return asked.slice(0, SHOWN);
}
