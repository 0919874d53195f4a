/**
 * Signatures that a person must decide about (rules 2): one that came late, one on a contract that no longer counts, and a document
 * at the provider under our name or signId that is not ours (is-ours.ts). The office is told of each once.
 */
import { findCase } from '../../db/cases/cases.js';
import { requireCurrentContract, setTold } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, ContractTold } from '../../db/schema.js';
import { decideCase, openCase } from '../cases/cases.js';
import type { Change } from '../change.js';
import { ofContract } from '../history/history.js';
import { mailJob, type MailOrder } from '../mail/mail-job.js';
import type { SignatureState } from './provider-answers.js';

/** When the contract was signed too late; null when that is unknown. */
export function lateSignedAt(db: Db, { id }: Pick<ContractRow, 'id'>): string | null {
  const told = findCase(db, { kind: 'signed_late', subject: String(id) });
  if (!told) return null;
  const { signedAt }: { signedAt: string | null } = JSON.parse(told.detail);
  return signedAt;
}

export function tellLate(tx: Change, contract: ContractRow, signedAt: string | null): void {
  const { id } = contract;
  const mail = { mail: 'signed-late', contractId: id, signedAt } as const;
  tell(tx, contract, { kind: 'signed_late', subject: String(id), told: 'late', detail: { signedAt }, mail });
}

/**
 * The customer has signed a contract that does not count and believes that all is done: one that was replaced, or whose request was
 * canceled.
 */
export function tellElsewhere(tx: Change, contract: ContractRow, signedAt: string | null): void {
  const { id } = contract;
  const about = { subject: String(id), told: 'elsewhere' } as const;
  const { id: by } = requireCurrentContract(tx.db, contract);
  if (by === id) {
    const mail = { mail: 'canceled-signed', contractId: id } as const;
    tell(tx, contract, { kind: 'canceled_signed', ...about, detail: {}, mail });
  } else {
    const mail = { mail: 'replaced-signed', contractId: id, by } as const;
    tell(tx, contract, { kind: 'replaced_signed', ...about, detail: { by, signedAt }, mail });
  }
}

/** It is not used. `isServed`: the contract goes out under another name, so nothing is missing for the customer. */
export function tellForeign(
  tx: Change,
  contract: ContractRow,
  { signId, externalId }: Pick<SignatureState, 'signId' | 'externalId'>,
  { isServed }: { isServed: boolean },
): void {
  const detail = { signId, externalId };
  tell(tx, contract, {
    kind: 'foreign_signature',
    subject: signId,
    told: signId === contract.signId ? 'foreign' : contract.told,
    detail,
    mail: { mail: 'foreign-signature', contractId: contract.id, ...detail, isServed },
  });
  if (isServed) decideCase(tx, ['foreign_signature'], [signId], 'overtaken');
}

interface Telling {
  kind: 'signed_late' | 'canceled_signed' | 'replaced_signed' | 'foreign_signature';
  subject: string;
  told: ContractTold | null;
  detail: Record<string, unknown>;
  mail: MailOrder;
}

function tell(tx: Change, contract: ContractRow, { kind, subject, told, detail, mail }: Telling): void {
  const about = ofContract(contract);
  if (!openCase(tx, { kind, subject }, about, detail)) return;
  setTold(tx.db, { id: contract.id, told });
  tx.record(`contract.${kind}`, about, detail);
  tx.enqueue(mailJob, mail, about);
}
