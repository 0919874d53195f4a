/** The sheet of our PDFs: size, fonts, and tagged text that flows from page to page. */
import PdfKitDocument from 'pdfkit';
import { sayIn, type Locale, type Say } from '../texts/index.js';
import type { ContractTerms } from './contract-pdf.js';
import { fontsOfOneDocument } from './contract-pdf-fonts.js';
import { printableLine } from './contract-pdf-words.js';

export interface Paper {
  doc: PDFKit.PDFDocument;
  /** The root of everything that a screen reader reads. */
  root: PDFKit.PDFStructureElement;
  say: Say;
}

/** The paper of a contract. */
export interface Sheet extends Paper {
  terms: ContractTerms;
}

/** What a file manager and a screen reader say of a document. */
export interface PaperHead {
  locale: Locale;
  title: string;
  author: string;
  subject: string;
  madeAt: string;
}

export interface Style {
  font: 'regular' | 'bold';
  size: number;
  colour: string;
  lineGap: number;
}

export const PAGE = { left: 62, right: 533, top: 60, bottom: 764, width: 471 };
export const INK = '#000000';
export const GREY = '#4a4a4a';
export const HAIRLINE = '#9a9a9a';
export const STYLES = {
  body: { font: 'regular', size: 9.5, colour: INK, lineGap: 2.2 },
  strong: { font: 'bold', size: 9.5, colour: INK, lineGap: 2.2 },
  name: { font: 'bold', size: 11, colour: INK, lineGap: 1 },
  small: { font: 'regular', size: 8.5, colour: GREY, lineGap: 1.2 },
  label: { font: 'bold', size: 8, colour: GREY, lineGap: 1 },
  heading: { font: 'bold', size: 11, colour: INK, lineGap: 0 },
  title: { font: 'bold', size: 21, colour: INK, lineGap: 0 },
  price: { font: 'bold', size: 14, colour: INK, lineGap: 0 },
} as const satisfies Record<string, Style>;

export function openSheet(terms: ContractTerms): Sheet {
  const { locale, issuer, reference, title, madeAt } = terms;
  const name = `${sayIn(locale)('pdf.title')} ${reference}`;
  return { ...openPaper({ locale, title: name, author: issuer, subject: title, madeAt }), terms };
}

/** Opens an empty first page. Dates and identifier come only from the head, so that equal contents give equal bytes. */
export function openPaper({ locale, title, author, subject, madeAt }: PaperHead): Paper {
  const say = sayIn(locale);
  const doc = new PdfKitDocument({
    size: 'A4',
    margins: { top: PAGE.top, bottom: 841.89 - PAGE.bottom, left: PAGE.left, right: 595.28 - PAGE.right },
    pdfVersion: '1.7',
    lang: locale,
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: printableLine(title),
      Author: printableLine(author),
      Subject: printableLine(subject),
      CreationDate: new Date(madeAt),
    },
  });
  for (const [name, font] of fontsOfOneDocument()) doc.registerFont(name, font);
  const root = doc.struct('Document');
  doc.addStructure(root);
  return { doc, root, say };
}

/** Writes words at the given place, by default at the pen, and moves the pen below them. */
export function write(
  { doc, root }: Paper,
  tag: 'H1' | 'H2' | 'P',
  words: string,
  style: Style,
  options: PDFKit.Mixins.TextOptions & { x?: number; y?: number } = {},
): void {
  const { x = PAGE.left, y = doc.y, ...rest } = options;
  // An empty line would move the pen and leave an empty tag.
  if (words === '') return;
  const draw = () => {
    useStyle(doc, style);
    doc.text(words, x, y, { width: PAGE.right - x, lineGap: style.lineGap, ...rest });
  };
  root.add(doc.struct(tag, {}, draw));
}

/** The height of the words. */
export function heightOf({ doc }: Paper, words: string, style: Style, width: number): number {
  useStyle(doc, style);
  return words === '' ? 0 : doc.heightOfString(words, { width, lineGap: style.lineGap });
}

/** Starts a new page unless `height` is left on this one. */
export function ensureRoom({ doc }: Paper, height: number): void {
  if (doc.y + height > PAGE.bottom) doc.addPage();
}

/** Draws what screen readers skip: lines, boxes, page numbers. */
export function decorate({ doc }: Paper, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  doc.save();
  draw();
  doc.restore();
  doc.endMarkedContent();
}

/** A thin line across the page at `y`. */
export function rule(sheet: Paper, y: number, colour: string = HAIRLINE, thickness = 0.6): void {
  decorate(sheet, () => {
    sheet.doc.lineWidth(thickness).strokeColor(colour).moveTo(PAGE.left, y).lineTo(PAGE.right, y).stroke();
  });
}

export function useStyle(doc: PDFKit.PDFDocument, { font, size, colour }: Style): void {
  doc.font(font).fontSize(size).fillColor(colour);
}

/** Writes the line at the foot of every page. Last, because only now is the number of pages known. */
export function writeFooters(sheet: Paper, words: string): void {
  const { doc, say } = sheet;
  const { count } = doc.bufferedPageRange();
  const y = PAGE.bottom + 26;
  for (let index = 0; index < count; index += 1) {
    doc.switchToPage(index);
    // Or pdfkit would start a new page for every line below the margin.
    doc.page.margins.bottom = 0;
    rule(sheet, y - 8, HAIRLINE);
    decorate(sheet, () => {
      useStyle(doc, { ...STYLES.small, size: 7.5, colour: GREY });
      doc.text(words, PAGE.left, y, { width: PAGE.width - 90, height: 11, ellipsis: true });
      const page = say('pdf.page', { page: index + 1, pages: count });
      doc.text(page, PAGE.right - 90, y, { width: 90, align: 'right' });
    });
  }
}

export function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}
