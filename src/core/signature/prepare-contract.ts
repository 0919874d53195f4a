/** What a signature needs beforehand: a customer whom the provider accepts, and the contract's PDF. */
import type { Db } from '../../db/db.js';
import { setDraftDigest } from '../../db/contracts/contracts.js';
import { requireUser } from '../../db/users/users.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { PDF_BYTES_MAX, saveDraftPdf, sha256Of } from '../contracts/contract-files.js';
import { printFault } from '../contracts/contract-pdf-words.js';
import type { Terms } from '../contracts/terms.js';
import { AppError, invalid } from '../errors.js';
import { signerEmailFault, signerNameFault } from '../users/signer-fields.js';

/** The request's customer. Refuses, naming the fields, when the provider would not accept name or address. */
export function getSigner(db: Db, request: RequestRow): UserRow {
  const customer = requireUser(db, { id: request.ownerId });
  const { firstName, lastName, username } = customer;
  const wrong = faults({ firstName: signerNameFault(firstName), lastName: signerNameFault(lastName) });
  if (wrong) {
    throw new AppError(
      'invalid',
      'invalid_signer_name',
      `The signature provider will not accept the customer's name "${firstName} ${lastName}".`,
      { fields: wrong, hint: `Correct first and last name of ${username}, then try again.` },
    );
  }
  const unreachable = faults({ username: signerEmailFault(username) });
  if (unreachable) {
    throw new AppError(
      'invalid',
      'invalid_signer_email',
      `The signature provider will not accept the customer's e-mail address "${username}".`,
      { fields: unreachable, hint: 'Give the customer another address, then try again.' },
    );
  }
  return customer;
}

/** Refuses, naming the fields, when a generated contract could not show every letter of them. */
export function checkPrintable({ wording }: Terms): void {
  const { title, description, equipment, customer, issuer } = wording;
  const { firstName, lastName, username } = customer;
  const printed = { title, description, ...equipment, firstName, lastName, username, issuer };
  const wrong = faults(
    Object.fromEntries(Object.entries(printed).map(([field, words]) => [field, printFault(words)])),
  );
  const [fault] = Object.values(wrong ?? {});
  if (!wrong || fault === undefined) return;
  throw new AppError('invalid', 'unprintable_words', fault, {
    fields: wrong,
    hint: `Write it in other letters (${Object.keys(wrong).join(', ')}), or start with a PDF of your own.`,
  });
}

/** Undefined when nothing is wrong. */
function faults(found: Record<string, string | undefined>): Record<string, string> | undefined {
  const wrong = Object.entries(found).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return wrong.length > 0 ? Object.fromEntries(wrong) : undefined;
}

/** A supplied file must at least be a PDF. */
export function checkOwnPdf(pdf: Buffer): void {
  if (pdf.length === 0) throw invalid({ file: 'The file is empty.' });
  if (pdf.length > PDF_BYTES_MAX) throw invalid({ file: 'The file is larger than 50 MB.' });
  if (pdf.subarray(0, 5).toString('latin1') !== '%PDF-') throw invalid({ file: 'The file is not a PDF.' });
}

/** Stores the PDF to be signed: the supplied one, or one generated from the terms. */
export async function storeDraft(
  ctx: Context,
  { contract, terms }: { contract: ContractRow; terms: Terms },
  ownPdf?: Buffer,
): Promise<void> {
  const { id } = contract;
  const pdf = ownPdf ?? (await draw(contract, terms));
  // The digest is stored before the file, so that a crash never leaves a file of unknown origin.
  await ctx.writer.write((db) => setDraftDigest(db, { id, draftSha256: sha256Of(pdf) }));
  await saveDraftPdf(ctx, id, pdf);
}

async function draw(contract: ContractRow, { wording }: Terms): Promise<Buffer> {
  // Loaded on demand: the PDF library would take a third of every command's start-up.
  const { renderContractPdf } = await import('../contracts/contract-pdf.js');
  const { id, amount, currency, createdAt, expiredAt } = contract;
  const own = { contractId: id, amount, currency, madeAt: createdAt, signBefore: expiredAt as string };
  return renderContractPdf({ ...wording, ...own });
}
