/** The sheet of our PDFs: size, fonts, and tagged text that flows from page to page. */
import PdfKitDocument from 'pdfkit';
import { sayBy, sayIn, type Locale, type Say, type TextParams } from '../texts/index.js';
import type { ContractTerms } from './contract-pdf.js';
import { fontOfOneDocument, FROM_RIGHT, plainFont, type Weight } from './contract-pdf-fonts.js';
import { isFromRight, isolated, type Line, linesOf, type Measure, oneLineOf } from './contract-pdf-lines.js';
import { printableLine } from './contract-pdf-words.js';

export interface Paper {
  doc: PDFKit.PDFDocument;
  /** The root of everything that a screen reader reads. */
  root: PDFKit.PDFStructureElement;
  /** A name in a sentence keeps its own direction. */
  say: Say;
  /** Fonts that this document has used. */
  fonts: Set<string>;
}

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
  font: Weight;
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

/** Lines of the regular font, which the others follow; in parts of the size. */
const LINE = { ascent: 1.069, height: 1.362 };
/** Of a paragraph that is divided between pages, on either of them. */
const LINES_TOGETHER = 2;

export function openSheet(terms: ContractTerms): Sheet {
  const { locale, issuer, reference, title, madeAt } = terms;
  const name = `${sayIn(locale)('pdf.title')} ${reference}`;
  return { ...openPaper({ locale, title: name, author: issuer, subject: title, madeAt }), terms };
}

/**
 * Opens an empty first page of a PDF/UA document, which screen readers can read. Dates and identifier come only from
 * the head, so that equal contents give equal bytes.
 */
export function openPaper({ locale, title, author, subject, madeAt }: PaperHead): Paper {
  const doc = new PdfKitDocument({
    size: 'A4',
    margins: { top: PAGE.top, bottom: 841.89 - PAGE.bottom, left: PAGE.left, right: 595.28 - PAGE.right },
    pdfVersion: '1.7',
    // The types lack it.
    subset: 'PDF/UA' as 'PDF/A-1',
    lang: locale,
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    // Or pdfkit would begin with a standard font, which is not embedded.
    font: '',
    info: {
      Title: printableLine(title),
      Author: printableLine(author),
      Subject: printableLine(subject),
      CreationDate: new Date(madeAt),
    },
  });
  const root = doc.struct('Document');
  doc.addStructure(root);
  const { find } = sayIn(locale);
  const say: Say = sayBy((key, params) => find(key, allIsolated(params)));
  return { doc, root, say, fonts: new Set() };
}

function allIsolated(params: TextParams = {}): TextParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolated(value) : value,
    ]),
  );
}

export interface Place {
  x?: number;
  y?: number;
  width?: number;
  align?: 'left' | 'right';
  /** Somebody else's words: they run in the direction of their first letter. */
  isOwn?: true;
  /** They also stand at the side where they begin. */
  isBlock?: true;
  isOneLine?: true;
  characterSpacing?: number;
}

/**
 * Writes words at the given place, by default at the pen, and moves the pen below them. They go on on the next page
 * when this one is full, never with a single line on one of the two.
 */
export function write(
  paper: Paper,
  tag: 'H1' | 'H2' | 'P',
  words: string,
  style: Style,
  place: Place = {},
): void {
  // An empty line would move the pen and leave an empty tag.
  if (words === '') return;
  const { doc, root } = paper;
  const lines = layout(words, style, place);
  const hasOrder = lines.some(({ pieces }) => pieces.some((piece) => piece.isFromRight));
  // What is drawn from the right is read in the order of the words.
  const options = hasOrder ? { actual: words.replaceAll(/[\u2068\u2069]/g, '') } : {};
  const draw = () =>
    flow(paper, lines, style, { ...place, ...(isRight(words, place) && { align: 'right' }) });
  root.add(doc.struct(tag, options, draw));
}

function isRight(words: string, { isBlock }: Place): boolean {
  return isBlock === true && isFromRight(words);
}

function layout(words: string, style: Style, place: Place): readonly Line[] {
  const measure = measureOf(style, place);
  return place.isOneLine ? [oneLineOf(words, measure)] : linesOf(words, measure);
}

function measureOf(style: Style, { x = PAGE.left, width = PAGE.right - x, isOwn, isBlock }: Place): Measure {
  return { weight: style.font, size: style.size, width, direction: isOwn || isBlock ? 'auto' : 'ltr' };
}

function flow(paper: Paper, lines: readonly Line[], style: Style, place: Place): void {
  const { doc } = paper;
  const height = lineHeight(style);
  doc.y = place.y ?? doc.y;
  let fits = linesThatFit(lines.length, Math.floor((PAGE.bottom - doc.y + 0.01) / height));
  for (const [index, line] of lines.entries()) {
    if (fits === 0) {
      // Unlike addPage, it goes on with the same tag.
      doc.continueOnNewPage();
      fits = linesThatFit(lines.length - index, Math.floor((PAGE.bottom - doc.y) / height));
    }
    drawLine(paper, line, style, { ...place, y: doc.y });
    doc.y += height;
    fits -= 1;
  }
}

/** How many of the lines stay on a page with room for so many: none may reach the foot of the page. */
function linesThatFit(lines: number, room: number): number {
  if (lines <= room) return lines;
  const stay = Math.min(room, lines - LINES_TOGETHER);
  return stay >= LINES_TOGETHER ? stay : 0;
}

function drawLine(
  { doc, fonts }: Paper,
  line: Line,
  style: Style,
  { x = PAGE.left, width: room = PAGE.right - x, y: top, align, characterSpacing }: Place & { y: number },
): void {
  const left = align === 'right' ? x + room - line.width : x;
  for (const { words, font, isFromRight: fromRight, x: from, width } of line.pieces) {
    const name = `${font}-${style.font}`;
    if (!fonts.has(name)) doc.registerFont(name, fontOfOneDocument(font, style.font));
    fonts.add(name);
    doc.font(name).fontSize(style.size).fillColor(style.colour);
    const options = {
      lineBreak: false,
      baseline: 'alphabetic',
      textWidth: width,
      ...(characterSpacing !== undefined && { characterSpacing }),
      ...(fromRight && { features: FROM_RIGHT }),
    } as const;
    const below = doc.y;
    doc.text(words, left + from, top + LINE.ascent * style.size, options);
    doc.y = below;
  }
}

function lineHeight({ size, lineGap }: Style): number {
  return size * LINE.height + lineGap;
}

export function heightOf(_: Paper, words: string, style: Style, width: number): number {
  return words === '' ? 0 : layout(words, style, { width }).length * lineHeight(style);
}

/** The height of as many of their first lines as never stand alone. */
export function heightOfStart(_: Paper, words: string, style: Style, width: number): number {
  const { length } = layout(words, style, { width });
  return Math.min(length, length < 2 * LINES_TOGETHER ? length : LINES_TOGETHER) * lineHeight(style);
}

/** Starts a new page unless `height` is left on this one. */
export function ensureRoom({ doc }: Paper, height: number): void {
  if (doc.y + height > PAGE.bottom) doc.addPage();
}

/** Draws what screen readers skip: lines, boxes, page numbers. */
export function decorate({ doc }: Paper, draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
  doc.markContent('Artifact', { type });
  doc.save();
  draw();
  doc.restore();
  doc.endMarkedContent();
}

/** One line of words that screen readers skip, wherever it stands. */
export function inscribe(
  paper: Paper,
  words: string,
  style: Style,
  place: Place & { x: number; y: number },
): void {
  drawLine(paper, oneLineOf(words, measureOf(style, place)), style, place);
}

/** White on white, as plain codes in one run that any reader finds. */
export function hide({ doc }: Paper, words: string, x: number, y: number): void {
  doc.registerFont('plain', plainFont());
  doc.font('plain').fontSize(6).fillColor('#ffffff');
  doc.text(words, x, y, { lineBreak: false });
}

/** A thin line across the page at `y`. */
export function rule(sheet: Paper, y: number, colour: string = HAIRLINE, thickness = 0.6): void {
  decorate(sheet, () => {
    sheet.doc.lineWidth(thickness).strokeColor(colour).moveTo(PAGE.left, y).lineTo(PAGE.right, y).stroke();
  });
}

/** Writes the line at the foot of every page. Last, because only now is the number of pages known. */
export function writeFooters(sheet: Paper, words: string): void {
  const { doc, say } = sheet;
  const { count } = doc.bufferedPageRange();
  const y = PAGE.bottom + 26;
  const style = { ...STYLES.small, size: 7.5 };
  for (let index = 0; index < count; index += 1) {
    doc.switchToPage(index);
    rule(sheet, y - 8, HAIRLINE);
    decorate(
      sheet,
      () => {
        inscribe(sheet, words, style, { x: PAGE.left, y, width: PAGE.width - 90 });
        const page = say('pdf.page', { page: index + 1, pages: count });
        inscribe(sheet, page, style, { x: PAGE.right - 90, y, width: 90, align: 'right' });
      },
      'Pagination',
    );
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
