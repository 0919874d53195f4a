/**
 * The PDF of the maintenance contract that the customer signs (rules 1). The words are in `texts`, the layout in
 * `contract-pdf-sheet`, the order of the parts here.
 */
import type { Reader } from '../texts/format.js';
import { writeArticles } from './contract-pdf-articles.js';
import { writeOpening } from './contract-pdf-opening.js';
import {
  GREY,
  HAIRLINE,
  openSheet,
  PAGE,
  rule,
  type Sheet,
  STYLES,
  useStyle,
  decorate,
} from './contract-pdf-sheet.js';
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
  writeFooters(sheet);
  sheet.doc.end();
  return bytes;
}

// Last, because only now is the number of pages known.
function writeFooters(sheet: Sheet): void {
  const { doc, terms, say } = sheet;
  const { count } = doc.bufferedPageRange();
  const y = PAGE.bottom + 26;
  for (let index = 0; index < count; index += 1) {
    doc.switchToPage(index);
    // Or pdfkit would start a new page for every line below the margin.
    doc.page.margins.bottom = 0;
    rule(sheet, y - 8, HAIRLINE);
    decorate(sheet, () => {
      useStyle(doc, { ...STYLES.small, size: 7.5, colour: GREY });
      const left = { width: PAGE.width - 90, height: 11, ellipsis: true };
      doc.text(`${terms.reference}   ·   ${printableLine(terms.issuer)}`, PAGE.left, y, left);
      const page = say('pdf.page', { page: index + 1, pages: count });
      doc.text(page, PAGE.right - 90, y, { width: 90, align: 'right' });
    });
  }
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}
