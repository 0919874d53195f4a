/**
 * The PDF of the maintenance contract that the customer signs (rules 1). The words are in `texts`, the layout in
 * `contract-pdf-sheet`, the order of the parts here.
 */
import type { CompanyDetails } from '../settings/company.js';
import type { Reader } from '../texts/format.js';
import { writeArticles } from './contract-pdf-articles.js';
import { writeOpening } from './contract-pdf-opening.js';
import { collect, openSheet, writeFooters } from './contract-pdf-sheet.js';
import { writeSignature } from './contract-pdf-signature.js';
import { printableLine } from './contract-pdf-words.js';

export interface ContractTerms extends Reader {
  contractId: number;
  /** The request's, such as `REQ-2026-000123`. */
  reference: string;
  title: string;
  description: string;
  customer: { firstName: string; lastName: string; username: string; phone: string | null };
  equipment: { name: string; model: string; serialNumber: string };
  /** In minor units. */
  amount: number;
  /** Lower-case ISO code. */
  currency: string;
  /** The firm's name. */
  issuer: string;
  madeAt: string;
  signBefore: string;
  /** 0: the signed contract has no end. */
  termDays: number;
  /** What the settings say of the firm besides its name; absent when they say nothing. */
  company?: CompanyDetails;
}

/** The provider's anchor: first signer, a signature, its width and height. */
export const SIGNATURE_ANCHOR = '{{s1|signature|170|74}}';

/**
 * Renders the contract: A4, tagged, one or more pages, equal bytes for equal terms. It holds the anchor exactly once,
 * whatever the customer wrote, on the page with the signature box.
 */
export async function renderContractPdf(terms: ContractTerms): Promise<Buffer> {
  const sheet = openSheet(terms);
  const bytes = collect(sheet.doc);
  writeOpening(sheet);
  writeArticles(sheet);
  writeSignature(sheet, SIGNATURE_ANCHOR);
  sheet.root.end();
  writeFooters(sheet, `${terms.reference}   ·   ${printableLine(terms.issuer)}`);
  sheet.doc.end();
  return bytes;
}
