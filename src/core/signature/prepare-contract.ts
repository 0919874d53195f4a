/** What a signature needs beforehand: a customer whom the provider accepts, and the contract's PDF. */
import type { Db } from '../../db/db.js';
import { setDraftDigest } from '../../db/contracts/contracts.js';
import { requireUser } from '../../db/users/users.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { saveDraftPdf, sha256Of, type PdfFile } from '../contracts/contract-files.js';
import { printFault } from '../contracts/contract-pdf-words.js';
import type { Terms } from '../contracts/terms.js';
import { AppError, refused } from '../errors.js';
import { unpayable } from '../payment/price.js';
import { signerRefusal } from '../users/signer-fields.js';

/** The request's customer. Refuses, naming the fields, when the provider would not accept name or address. */
export function getSigner(db: Db, request: RequestRow): UserRow {
  const customer = requireUser(db, { id: request.ownerId });
  const refusal = signerRefusal(customer);
  if (!refusal) return customer;
  const { firstName, lastName, username } = customer;
  const [code, what] =
    'username' in refusal.fields
      ? (['invalid_signer_email', `e-mail address "${username}"`] as const)
      : (['invalid_signer_name', `name "${firstName} ${lastName}"`] as const);
  const { fields, mend } = refusal;
  throw new AppError('invalid', code, `The signature provider will not accept the customer's ${what}.`, {
    fields,
    hint: [`Correct the details of ${username}, then try again: \``, mend, '`'],
  });
}

/** Refuses, naming the fields, when a generated contract could not show every letter of them; of whom `getSigner` lets through, it can. */
export function checkPrintable({ wording }: Terms): void {
  const { title, description, equipment, issuer } = wording;
  const printed = { title, description, ...equipment, issuer };
  const wrong = Object.entries(printed).flatMap(([field, words]) => {
    const fault = printFault(words);
    return fault === undefined ? [] : [[field, fault] as const];
  });
  const [first] = wrong;
  if (!first) return;
  throw new AppError('invalid', 'unprintable_words', first[1], {
    fields: Object.fromEntries(wrong),
    hint: `Write it in other letters (${wrong.map(([field]) => field).join(', ')}), or supply a PDF of your own.`,
  });
}

/** Refuses when nobody could pay the price: its contract would be signed, and no payment page ever made. */
export function checkPayable({ wording }: Terms): void {
  const found = unpayable('en', wording);
  if (!found) return;
  const message = `The price of ${found.price} cannot be paid. ${found.fault}`;
  throw refused('unpayable_price', message, 'Make another offer for the request, then try again.');
}

/** Stores the PDF to be signed: the supplied one, or one generated from the terms. */
export async function storeDraft(
  ctx: Context,
  { contract, terms }: { contract: ContractRow; terms: Terms },
  ownPdf?: PdfFile,
): Promise<void> {
  const { id } = contract;
  const pdf = ownPdf ?? (await draw(contract, terms));
  // The digest is stored before the file, so that a crash never leaves a file of unknown origin.
  const draftSha256 = Buffer.isBuffer(pdf) ? sha256Of(pdf) : pdf.sha256;
  await ctx.writer.write((db) => setDraftDigest(db, { id, draftSha256 }));
  await saveDraftPdf(ctx, id, pdf);
}

async function draw(contract: ContractRow, { wording }: Terms): Promise<Buffer> {
  // Loaded on demand: the PDF library would take a third of every command's start-up.
  const { renderContractPdf } = await import('../contracts/contract-pdf.js');
  const { id, amount, currency, createdAt, expiredAt } = contract;
  const own = { contractId: id, amount, currency, madeAt: createdAt, signBefore: expiredAt as string };
  return renderContractPdf({ ...wording, ...own });
}
