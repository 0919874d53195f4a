/**
 * Cases that are reported once and that a person must decide (rules 2), as recorded in the history: a late signature, a signature on
 * a replaced contract, and a record at the provider with one of our names or signIds that is not ours (is-ours.ts).
 */
import { findCurrentContract, isCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, HistoryRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { historyOf, ofContract, type HistoryWord } from '../history/history.js';
import type { EndReason } from '../lifecycle.js';
import { mailJob } from '../mail/mail-job.js';
import type { SignatureState } from './provider-answers.js';

type Told = Pick<HistoryRow, 'what' | 'contractId' | 'detail'>;
type Id = Pick<ContractRow, 'id' | 'requestId'>;

function toldOf(db: Db, { id, requestId }: Id, ...words: HistoryWord[]): HistoryRow[] {
  return historyOf(db, requestId, words).filter(({ contractId }) => contractId === id);
}

/** The provider has told that it failed while the customer signed. */
export function hasFailedSigning(db: Db, contract: Id): boolean {
  return toldOf(db, contract, 'contract.signer_error').length > 0;
}

export interface LateSignature {
  /** Null when unknown. */
  signedAt: string | null;
}

/** The contract's late signature, if recorded. */
export function findLateSignature(db: Db, contract: Id): LateSignature | undefined {
  const told = toldOf(db, contract, 'contract.signed_late').at(-1);
  return told && (JSON.parse(told.detail) as LateSignature);
}

/** Whether the contract waits for a person's decision: signed too late, or its record there is somebody else's. */
export function isCaseForAPerson(db: Db, contract: Id & Pick<ContractRow, 'signId'>): boolean {
  return toldOf(db, contract, 'contract.signed_late', 'contract.foreign_signature').some(
    (entry) => entry.what === 'contract.signed_late' || isForeignEntry(entry, contract),
  );
}

/** The request's current contract if it was signed too late. */
export function findLateContract(db: Db, requestId: number): ContractRow | undefined {
  const contract = findCurrentContract(db, { requestId });
  return contract && isLateSignature(db, contract) ? contract : undefined;
}

export function isLateSignature(db: Db, contract: Id): boolean {
  return findLateSignature(db, contract) !== undefined;
}

/**
 * The customer has signed a contract that does not count and believes that all is done. Reported once: one that was
 * replaced, or whose request was canceled.
 */
export function tellUncounted(tx: Change, contract: ContractRow): void {
  // A repeat of the signature that we know.
  if (contract.signedAt !== null) return;
  if (isCanceled(tx.db, contract)) tellCanceledSigned(tx, contract);
  else tellReplacedSigned(tx, contract);
}

/** Its request was canceled, so nothing brings it back. */
export function isCanceled(db: Db, contract: Id & Pick<ContractRow, 'status'>): boolean {
  if (contract.status !== 'EXPIRED' || !isCurrentContract(db, contract)) return false;
  return toldOf(db, contract, 'contract.ended').some(
    ({ detail }) => (JSON.parse(detail) as { reason?: EndReason }).reason === 'request_canceled',
  );
}

function tellCanceledSigned(tx: Change, contract: ContractRow): void {
  if (toldOf(tx.db, contract, 'contract.canceled_signed').length > 0) return;
  const about = ofContract(contract);
  tx.record('contract.canceled_signed', about);
  tx.enqueue(mailJob, { mail: 'canceled-signed', contractId: contract.id }, about);
}

/**
 * The customer has signed a replaced contract and believes that all is done, but it does not count. A late signature
 * was reported earlier, and replacing the contract was the decision.
 */
function tellReplacedSigned(tx: Change, contract: ContractRow): void {
  const { db } = tx;
  const { id: contractId, requestId } = contract;
  const current = findCurrentContract(db, { requestId });
  if (!current || current.id === contractId || isLateSignature(db, contract)) return;
  if (toldOf(db, contract, 'contract.replaced_signed').length > 0) return;
  const about = ofContract(contract);
  tx.record('contract.replaced_signed', about, { by: current.id });
  tx.enqueue(mailJob, { mail: 'replaced-signed', contractId, by: current.id }, about);
}

export function isReplacedSigned({ what }: Pick<HistoryRow, 'what'>): boolean {
  return what === 'contract.replaced_signed';
}

type Foreign = Pick<SignatureState, 'signId' | 'externalId'>;

/** It is not used. `isServed`: the contract goes out under another name, so nothing is missing for the customer. */
export function tellForeign(
  tx: Change,
  contract: ContractRow,
  { signId, externalId }: Foreign,
  { isServed }: { isServed: boolean },
): void {
  if (isForeignTold(tx.db, { ...contract, signId })) return;
  const about = ofContract(contract);
  tx.record('contract.foreign_signature', about, { signId, externalId });
  const order = { contractId: contract.id, signId, externalId, isServed };
  tx.enqueue(mailJob, { mail: 'foreign-signature', ...order }, about);
}

/** Whether this signature request, by default the contract's own, was reported as somebody else's. */
export function isForeignTold(db: Db, contract: Id & Pick<ContractRow, 'signId'>): boolean {
  return toldOf(db, contract, 'contract.foreign_signature').some((entry) => isForeignEntry(entry, contract));
}

/** True for the history entry that reports this signature request on this contract. */
export function isForeignEntry(
  { what, contractId, detail }: Told,
  { id, signId }: Pick<ContractRow, 'id' | 'signId'>,
): boolean {
  if (what !== 'contract.foreign_signature' || contractId !== id) return false;
  return (JSON.parse(detail) as Foreign).signId === signId;
}
