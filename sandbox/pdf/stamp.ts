/** Shows signatures on a PDF by an incremental update, which keeps the existing bytes. */
import { createHash } from 'node:crypto';
import type { PDF, PDFPage } from '@libpdf/core';
import { inherited, matrixOf, pageOf, sizeOf, type Box } from './page.js';

export type Place = {
  /** A field counts from the top left corner of the page as it is shown, to that of its box; an anchor lies in the page's own coordinates. */
  from: 'top' | 'anchor';
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
};

/** Without a place it goes to the bottom of the last page. */
export type Stamp = { place: Place | undefined; lines: string[] };

const BOTTOM: Box = { x: 48, y: 24, width: 240, height: 40 };

/** Rejects when the PDF cannot be read. The same input gives the same bytes. */
export async function stampPdf(bytes: Buffer, stamps: Stamp[]): Promise<Buffer> {
  const { ops, PDF, rgb, Standard14Font } = await import('@libpdf/core');
  const helvetica = Standard14Font.of('Helvetica');
  const pdf = await PDF.load(bytes);
  const pages = pdf.getPages();

  function draw(page: PDFPage, { x, y, width, height }: Box, lines: string[]): void {
    // White, so that the anchor's text does not shine through.
    const frame = { color: rgb(1, 1, 1), borderColor: rgb(0.11, 0.31, 0.66), borderWidth: 0.75 };
    page.drawRectangle({ x, y, width, height, ...frame });
    const step = height / (lines.length + 0.5);
    for (const [index, line] of lines.entries()) {
      const text = writable(line);
      const size = Math.max(2, Math.min(9, step * 0.82, helvetica.sizeAtWidth(text, width - 6)));
      const baseline = y + height - step * (index + 0.95);
      page.drawText(text, { x: x + 3, y: baseline, size, font: 'Helvetica', color: rgb(0.07, 0.2, 0.45) });
    }
  }

  for (const { place, lines } of stamps) {
    const page = (place && pages[place.page - 1]) ?? pages.at(-1);
    if (!page) throw new Error('PDF: no pages');
    keepResources(pdf, page);
    page.drawOperators([ops.pushGraphicsState()]);
    if (place?.from !== 'anchor') page.drawOperators([ops.concatMatrix(...matrixOf(pageOf(pdf, page)))]);
    draw(page, boxOn(pdf, page, place), lines);
    page.drawOperators([ops.popGraphicsState()]);
  }
  return withSameId(Buffer.from(await pdf.save({ incremental: true })), bytes);
}

/** A PDF without an id gets a random one when it is saved: here one that follows from its content. */
function withSameId(saved: Buffer, original: Buffer): Buffer {
  if (original.includes('/ID')) return saved;
  const id = createHash('md5').update(original).digest('hex');
  const same = saved
    .toString('latin1')
    .replace(/\/ID \[<[\dA-F]{32}> <[\dA-F]{32}>\]/, `/ID [<${id}> <${id}>]`);
  return Buffer.from(same, 'latin1');
}

function boxOn(pdf: PDF, page: PDFPage, place: Place | undefined): Box {
  if (!place) return BOTTOM;
  const { from, x, y, width, height } = place;
  if (from === 'anchor') return { x, y, width, height };
  return { x, y: sizeOf(pageOf(pdf, page)).height - y - height, width, height };
}

/** Or drawing would hide those that the page inherits. */
function keepResources(pdf: PDF, { dict }: PDFPage): void {
  const resources = inherited(pdf, dict, 'Resources');
  if (!dict.has('Resources') && resources?.type === 'dict') dict.set('Resources', resources.clone());
}

const WIN_ANSI = /[ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;
const PLAIN: Record<string, string> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i' };

/** Letters that WinAnsi lacks lose their accent or become a question mark. */
function writable(text: string): string {
  const letters = Array.from(text.normalize('NFC'), (letter) => {
    const plain = PLAIN[letter] ?? letter.normalize('NFD').charAt(0);
    return [letter, plain].find((one) => WIN_ANSI.test(one)) ?? '?';
  });
  return letters.join('');
}
