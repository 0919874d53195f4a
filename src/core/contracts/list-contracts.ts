/** The list of contracts. */
import { listContracts, walkContracts } from '../../db/contracts/lists.js';
import type { ContractReads } from '../resources/contracts.js';

export const page: ContractReads['page'] = (
  { db },
  { filter, order: { direction }, ownerId, limit, offset },
) => listContracts(db, { filter: { ...filter, ownerId }, direction, limit, offset });

export const walk: ContractReads['walk'] = ({ db }, { filter, order: { direction }, ownerId, past, limit }) =>
  walkContracts(db, { filter: { ...filter, ownerId }, direction, past, limit });
