/**
 * Signatures that a person must decide about (rules 2): one that came late, one on a contract that no longer counts, and a document
 * at the provider under our name or signId that is not ours (is-ours.ts). The office is told of each once.
 */
import { findCase } from '../../db/cases/cases.js';
import { findCurrentContract, setTold } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, ContractTold } from '../../db/schema.js';
import { decideCase, openCase, type CaseSubject } from '../cases/cases.js';
import type { Change } from '../change.js';
import { ofContract, type HistoryWord } from '../history/history.js';
import { mailJob, type MailOrder } from '../mail/mail-job.js';
import type { SignatureState } from './provider-answers.js';

/** The request's current contract if it was signed too late. */
export function findLateContract(db: Db, requestId: number): ContractRow | undefined {
  const contract = findCurrentContract(db, { requestId });
  return contract?.told === 'late' ? contract : undefined;
}

/** When the contract was signed too late; null when that is unknown. */
export function lateSignedAt(db: Db, { id }: Pick<ContractRow, 'id'>): string | null {
  const told = findCase(db, { kind: 'signed_late', subject: String(id) });
  return told ? (JSON.parse(told.detail) as { signedAt: string | null }).signedAt : null;
}

export function tellLate(tx: Change, contract: ContractRow, signedAt: string | null): void {
  tell(tx, contract, {
    case: { kind: 'signed_late', subject: String(contract.id) },
    told: 'late',
    what: 'contract.signed_late',
    detail: { signedAt },
    mail: { mail: 'signed-late', contractId: contract.id, signedAt },
  });
}

/**
 * The customer has signed a contract that does not count and believes that all is done: one that was replaced, or whose request was
 * canceled.
 */
export function tellElsewhere(tx: Change, contract: ContractRow, signedAt: string | null): void {
  const { id } = contract;
  const subject = String(id);
  const current = findCurrentContract(tx.db, contract);
  if (current === undefined || current.id === id) {
    tell(tx, contract, {
      case: { kind: 'canceled_signed', subject },
      told: 'elsewhere',
      what: 'contract.canceled_signed',
      detail: {},
      mail: { mail: 'canceled-signed', contractId: id },
    });
  } else {
    const by = current.id;
    tell(tx, contract, {
      case: { kind: 'replaced_signed', subject },
      told: 'elsewhere',
      what: 'contract.replaced_signed',
      detail: { by, signedAt },
      mail: { mail: 'replaced-signed', contractId: id, by },
    });
  }
}

/** It is not used. `isServed`: the contract goes out under another name, so nothing is missing for the customer. */
export function tellForeign(
  tx: Change,
  contract: ContractRow,
  { signId, externalId }: Pick<SignatureState, 'signId' | 'externalId'>,
  { isServed }: { isServed: boolean },
): void {
  tell(tx, contract, {
    case: { kind: 'foreign_signature', subject: signId },
    told: signId === contract.signId ? 'foreign' : contract.told,
    what: 'contract.foreign_signature',
    detail: { signId, externalId },
    mail: { mail: 'foreign-signature', contractId: contract.id, signId, externalId, isServed },
  });
  if (isServed) decideCase(tx, ['foreign_signature'], [signId], 'overtaken');
}

interface Telling {
  case: CaseSubject;
  told: ContractTold | null;
  what: HistoryWord;
  detail: Record<string, unknown>;
  mail: MailOrder;
}

function tell(tx: Change, contract: ContractRow, { case: subject, told, what, detail, mail }: Telling): void {
  const about = ofContract(contract);
  if (!openCase(tx, subject, about, detail)) return;
  setTold(tx.db, { id: contract.id, told });
  tx.record(what, about, detail);
  tx.enqueue(mailJob, mail, about);
}
