import { findContract, findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import { notFound } from '../errors.js';

/** Throws `contract_not_found`. */
export function getContract(db: Db, id: number): ContractRow {
  const contract = findContract(db, { id });
  if (!contract) throw notFound('contract_not_found', `There is no contract ${id}.`);
  return contract;
}

/** That of the contract that counts; throws `contract_not_found`. */
export function currentContractId(db: Db, requestId: number): number {
  const contract = findCurrentContract(db, { requestId });
  if (!contract) throw notFound('contract_not_found', 'The request has no contract.');
  return contract.id;
}
