/** What a signature needs beforehand: a customer whom the provider accepts, and a PDF that can be signed (rules 1). */
import { setDraftDigest } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import type { Context } from '../context.js';
import { saveDraftPdf, sha256Of, type PdfFile } from '../contracts/contract-files.js';
import { printFault } from '../contracts/contract-pdf-words.js';
import { readPdf, type PdfFacts } from '../contracts/read-pdf.js';
import { readTerms, type Terms } from '../contracts/terms.js';
import { AppError, refused, invalid } from '../errors.js';
import { unpayable } from '../payment/price.js';
import { signerRefusal } from '../users/signer-fields.js';
import type { SignaturePlace } from './provider.js';

/** Refuses, before anything is made, what the providers would not take and what a generated contract could not show. */
export function mustBeSendable(
  ctx: Context,
  request: RequestRow,
  { isOwnPdf, ownAmount }: { isOwnPdf: boolean; ownAmount?: number | undefined },
): void {
  getSigner(ctx.db, request);
  const terms = readTerms(ctx, ctx.db, request.id, ownAmount);
  if (!isOwnPdf) checkPrintable(terms);
  checkPayable(terms);
}

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
  const { fields, fix } = refusal;
  throw new AppError('invalid', code, `The signature provider will not accept the customer's ${what}.`, {
    fields,
    hint: [`Correct the details of ${username}, then try again: \``, fix, '`'],
  });
}

/** Refuses, naming the fields, when a generated contract could not show every letter of them; of whom `getSigner` lets through, it can. */
function checkPrintable({ wording }: Terms): void {
  const { title, description, equipment, issuer, customer } = wording;
  const printed = { title, description, ...equipment, issuer, address: customer.address ?? '' };
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
function checkPayable({ wording }: Terms): void {
  const found = unpayable('en', wording);
  if (!found) return;
  const message = `The price of ${found.price} cannot be paid. ${found.fault}`;
  throw refused(
    'unpayable_price',
    message,
    'Give the request another price, or make another offer for it; then try again.',
  );
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
  const { id, amount, currency, vat, createdAt, expiredAt } = contract;
  const signBefore = expiredAt as string;
  return renderContractPdf({
    ...wording,
    contractId: id,
    amount,
    currency,
    vat,
    madeAt: createdAt,
    signBefore,
  });
}

/** The provider's least, which it also takes by default. */
const FIELD = { width: 85, height: 37 };
/** From the left and the bottom edge, where the page has room. */
const MARGIN = { left: 60, bottom: 105 };

/** Where it is signed if it has no anchor: at the bottom left of its last page. Refuses, naming `file`, what nobody could sign. */
export async function judgePdf(pdf: PdfFile): Promise<SignaturePlace> {
  const read = await readPdf(pdf);
  if (read === 'locked')
    throw invalid({ file: 'The file is protected by a password. Save it without protection.' });
  if (read === 'unreadable')
    throw invalid({ file: 'The file cannot be read as a PDF. Print it to a new PDF and use that one.' });
  const place = placeOn(read);
  if (!place) throw invalid({ file: 'The last page of the file is too small for a signature.' });
  return place;
}

function placeOn({ pages, lastPage }: PdfFacts): SignaturePlace | undefined {
  const right = lastPage.width - FIELD.width;
  const above = lastPage.height - FIELD.height;
  if (right < 0 || above < 0) return undefined;
  const x = Math.round(Math.min(MARGIN.left, right / 2));
  const y = Math.round(above - Math.min(MARGIN.bottom, above / 2));
  return { page: pages, x, y, ...FIELD };
}
