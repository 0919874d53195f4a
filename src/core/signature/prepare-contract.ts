/** What a signature needs before the provider is asked: a customer the provider will accept, and the contract's PDF. */
import { findUser } from '../../db/users.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { PDF_BYTES_MAX, saveDraftPdf } from '../contracts/contract-files.js';
import type { Terms } from '../contracts/terms.js';
import { AppError, invalid } from '../errors.js';

/** The provider's rule for names: letters, digits, apostrophe, parentheses, hyphen, inner spaces. */
const SIGNER_NAME = /^[\p{Script=Latin}\p{M}\d'’()-]+( [\p{Script=Latin}\p{M}\d'’()-]+)*$/u;

/** The customer of a request; refused when the provider would refuse the name. */
export function getSigner(ctx: Context, request: RequestRow): UserRow {
  const customer = findUser(ctx.db, request.ownerId) as UserRow;
  const bad = (['firstName', 'lastName'] as const).filter(
    (field) => !SIGNER_NAME.test(customer[field]) || customer[field].length > 255,
  );
  if (bad.length > 0) {
    throw new AppError(
      'invalid',
      'invalid_signer_name',
      `The signature provider will not accept the customer's name "${customer.firstName} ${customer.lastName}".`,
      {
        fields: Object.fromEntries(
          bad.map((field) => [
            field,
            'Only letters, digits, spaces, hyphens, apostrophes and parentheses; not empty.',
          ]),
        ),
        hint: `Correct first and last name of ${customer.username}, then try again.`,
      },
    );
  }
  return customer;
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
