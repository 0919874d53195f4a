/** Contracts of which the provider was asked to send them, and never answered: only it knows whether they are out. */
import { isCurrentContract, listUnfinishedContracts } from '../../db/contracts.js';
import { findRequest } from '../../db/requests.js';
import type { RequestRow } from '../../db/schema.js';
import type { Context } from '../context.js';

export interface PerhapsSent {
  request: RequestRow;
  /** When the provider was asked. */
  since: string;
}

/** Few are looked at: more than a handful means that the provider is down, and one shows it as well. */
const LOOKED_AT = 200;
const SHOWN = 6;

/** The first of them. */
export function listPerhapsSent({ db }: Pick<Context, 'db'>): PerhapsSent[] {
  const asked = listUnfinishedContracts(db, { after: 0, limit: LOOKED_AT }).flatMap((contract) => {
    const request = findRequest(db, contract.requestId);
    const since = contract.activationAskedAt;
    return request && since !== null && isCurrentContract(db, contract) ? [{ request, since }] : [];
  });
  return asked.slice(0, SHOWN);
}
