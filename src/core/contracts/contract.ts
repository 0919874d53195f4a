import { findContract, findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
import { notFound, refused } from '../errors.js';

/** Throws `contract_not_found`. */
export function getContract(db: Db, id: number): ContractRow {
  const contract = findContract(db, { id });
  if (!contract) throw notFound('contract_not_found', `There is no contract ${id}.`);
  return contract;
}

/** Of the request's contract that was named, by default of the one that counts. Throws `contract_not_found`; refuses another request's with `already_reset`. */
export function contractIdOf(db: Db, requestId: number, named?: number): number {
  const contract = named === undefined ? findCurrentContract(db, { requestId }) : getContract(db, named);
  if (!contract) throw notFound('contract_not_found', 'The request has no contract.');
  if (contract.requestId !== requestId)
    throw refused('already_reset', `Contract ${contract.id} is not one of this request.`);
  return contract.id;
}
