/** What a signature needs before the provider is asked: a customer the provider will accept, and the contract's PDF. */
import { findUser } from '../../db/users.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { PDF_BYTES_MAX, saveDraftPdf } from '../contracts/contract-files.js';
import type { Terms } from '../contracts/terms.js';
import { AppError, invalid } from '../errors.js';
import { signerEmailFault, signerNameFault } from '../users/signer-fields.js';

/** The customer of a request; refused, with the fields, when the provider would refuse its name or address. */
export function getSigner(ctx: Context, request: RequestRow): UserRow {
  const customer = findUser(ctx.db, request.ownerId) as UserRow;
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

/** Undefined when nothing is wrong. */
function faults(found: Record<string, string | undefined>): Record<string, string> | undefined {
  const wrong = Object.entries(found).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return wrong.length > 0 ? Object.fromEntries(wrong) : undefined;
}

/** A PDF that somebody supplies instead of ours must at least be one. */
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
  await saveDraftPdf(ctx, contract.id, ownPdf ?? (await draw(contract, terms)));
}

async function draw(contract: ContractRow, { wording }: Terms): Promise<Buffer> {
  // Loaded when needed: the drawing library would be a third of the start-up of every command.
  const { renderContractPdf } = await import('../contracts/contract-pdf.js');
  const { id, amount, currency, createdAt, expiredAt } = contract;
  const own = { contractId: id, amount, currency, madeAt: createdAt, signBefore: expiredAt as string };
  return renderContractPdf({ ...wording, ...own });
}
