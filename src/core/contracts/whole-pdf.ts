/** Whether bytes are a whole PDF, judged as they pass (rules 3). What stands behind its end does not matter: padding, a proxy's text. */
export const PDF_BYTES_MAX = 50 * 1024 * 1024;

export type PdfFault = 'is empty' | 'is larger than 50 MB' | 'is not a PDF' | 'is cut short';

const HEADER = '%PDF-';
const END = '%%EOF';
/** What begins behind an end is the next version of the document, which must end too. */
const OBJECT = /\d\s+\d+\s+obj\b/;
/** Of what passed before, for a word that two blocks share. */
const KEPT = 32;

export class PdfCheck {
  size = 0;
  #last = '';
  #isPdf = false;
  #isWhole = false;

  add(block: Uint8Array): void {
    const isFirst = this.#last.length < HEADER.length;
    const text =
      this.#last + Buffer.from(block.buffer, block.byteOffset, block.byteLength).toString('latin1');
    if (isFirst) this.#isPdf = text.startsWith(HEADER);
    const end = text.lastIndexOf(END);
    if (end >= 0) this.#isWhole = true;
    if (this.#isWhole) this.#isWhole = !OBJECT.test(end >= 0 ? text.slice(end) : text);
    this.size += block.byteLength;
    this.#last = text.slice(-KEPT);
  }

  /** The first thing wrong with what has passed; undefined for a whole PDF. */
  fault(): PdfFault | undefined {
    if (this.size === 0) return 'is empty';
    if (this.size > PDF_BYTES_MAX) return 'is larger than 50 MB';
    if (!this.#isPdf) return 'is not a PDF';
    return this.#isWhole ? undefined : 'is cut short';
  }
}
