/** A PDF that is supplied to be signed is judged whole before anything is made, and the judgement says where it is signed (rules 1). */
import type { PdfFile } from '../contracts/contract-files.js';
import { readPdf, type PdfFacts } from '../contracts/read-pdf.js';
import { invalid } from '../errors.js';
import type { SignaturePlace } from './provider.js';

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
