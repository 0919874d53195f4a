import { findContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import { notFound } from '../errors.js';

/** Throws `contract_not_found`. */
export function getContract(db: Db, id: number): ContractRow {
  const contract = findContract(db, { id });
  if (!contract) throw notFound('contract_not_found', `There is no contract ${id}.`);
  return contract;
}
