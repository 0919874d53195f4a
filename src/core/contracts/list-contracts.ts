/** The list of contracts, each beside its customer. */
import { listContracts, sumContracts, walkContracts } from '../../db/contracts/lists.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import type { GetOne } from '../calls/owned.js';
import { customerNames } from '../requests/requests.js';
import { readsOf } from '../resources/resource.js';
import { getContractOf } from './contracts.js';

export interface ContractView extends ContractRow {
  customer: string;
}

export const { page, walk } = readsOf(listContracts, walkContracts, contractViews, sumContracts);

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
