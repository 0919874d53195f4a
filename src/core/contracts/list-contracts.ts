/** The list of contracts, each beside its customer. */
import { listContracts, sumContracts, walkContracts } from '../../db/contracts/lists.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import type { GetOne } from '../calls/owned.js';
import { customerNames } from '../requests/requests.js';
import type { ContractReads } from '../resources/contracts.js';
import { getContractOf } from './contracts.js';

export interface ContractView extends ContractRow {
  customer: string;
}

export const page: ContractReads['page'] = (
  { db },
  { filter, order: { direction }, ownerId, limit, offset },
) => {
  const { total, rows } = listContracts(db, { filter: { ...filter, ownerId }, direction, limit, offset });
  return { total, rows: contractViews(db, rows) };
};

export const walk: ContractReads['walk'] = ({ db }, { filter, order: { direction }, ownerId, past, limit }) =>
  contractViews(db, walkContracts(db, { filter: { ...filter, ownerId }, direction, past, limit }));

export const sums: ContractReads['sums'] = ({ db }, { filter, ownerId }) =>
  sumContracts(db, { ...filter, ownerId });

function contractViews(db: Db, rows: readonly ContractRow[]): ContractView[] {
  const names = customerNames(db, rows);
  return rows.map((contract) => ({ ...contract, customer: names(contract) }));
}

/** Throws `not_found` also for somebody else's. */
export const showContractOf: GetOne<ContractView> = ({ db }, user, id) =>
  contractView(db, getContractOf({ db }, user, id));

export function contractView(db: Db, contract: ContractRow): ContractView {
  return { ...contract, customer: customerNames(db, [contract])(contract) };
}
