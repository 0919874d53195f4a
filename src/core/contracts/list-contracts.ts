/** The list of contracts. */
import { findContract } from '../../db/contracts/contracts.js';
import { listContracts, walkContracts } from '../../db/contracts/lists.js';
import type { ContractReads } from '../resources/contracts.js';

export const page: ContractReads['page'] = (
  { db },
  { filter, order: { direction }, ownerId, limit, offset },
) => listContracts(db, { filter: { ...filter, ownerId }, direction, limit, offset });

export const walk: ContractReads['walk'] = (
  { db },
  { filter, order: { direction }, ownerId, pastId, limit },
) => {
  const past = pastId === undefined ? undefined : findContract(db, { id: pastId });
  return walkContracts(db, { filter: { ...filter, ownerId }, direction, past, limit });
};
