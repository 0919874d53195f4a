/** The five articles of the contract. */
import { vatWords } from '../payment/price.js';
import { formatDays, formatMoment, formatMoney } from '../texts/format.js';
import type { LabelKey } from '../texts/index.js';
import {
  ensureRoom,
  heightOf,
  heightOfStart,
  INK,
  PAGE,
  rule,
  type Sheet,
  STYLES,
  write,
} from './contract-pdf-sheet.js';
import { printable, printableLine } from './contract-pdf-words.js';

const INDENT = PAGE.left + 14;

export function writeArticles(sheet: Sheet): void {
  writeSubject(sheet);
  article(sheet, 'pdf.obligations', [
    sheet.say('pdf.obligations.provider'),
    sheet.say('pdf.obligations.customer'),
  ]);
  writePrice(sheet);
  writeTerm(sheet);
}

/** A heading and its first lines stand on one page. */
function article(sheet: Sheet, key: LabelKey, texts: readonly string[]): void {
  heading(sheet, key, heightOfStart(sheet, texts[0] ?? '', STYLES.body, PAGE.width));
  paragraphs(sheet, texts);
}

/** An article's heading, on a page that also has room for what follows it. */
export function heading(sheet: Sheet, key: LabelKey, heightBelow: number): void {
  const { doc } = sheet;
  ensureRoom(sheet, 30 + heightBelow);
  if (doc.y > PAGE.top) doc.y += 11;
  write(sheet, 'H2', sheet.say(key), STYLES.heading);
  doc.y += 3;
}

export function paragraphs(sheet: Sheet, texts: readonly string[]): void {
  for (const words of texts) {
    write(sheet, 'P', words, STYLES.body);
    sheet.doc.y += 3.5;
  }
}

function writeSubject(sheet: Sheet): void {
  const { doc, terms } = sheet;
  article(sheet, 'pdf.subject', [sheet.say('pdf.subject.text')]);
  doc.y += 2;
  const title = printableLine(terms.title);
  const blocks = printable(terms.description).split('\n\n');
  const width = PAGE.right - INDENT;
  const below = heightOfStart(sheet, blocks[0] ?? '', STYLES.body, width);
  ensureRoom(sheet, heightOf(sheet, title, STYLES.strong, width) + 2 + below);
  write(sheet, 'P', title, STYLES.strong, { x: INDENT, isBlock: true });
  doc.y += 2;
  for (const block of blocks) {
    write(sheet, 'P', block, STYLES.body, { x: INDENT, isBlock: true });
    doc.y += 5;
  }
}

function writePrice(sheet: Sheet): void {
  const { doc, terms } = sheet;
  heading(sheet, 'pdf.price', 110);
  doc.y += 3;
  const top = doc.y;
  rule(sheet, top, INK, 0.8);
  write(sheet, 'P', sheet.say('pdf.price.label'), STYLES.strong, { y: top + 9 });
  const amount = formatMoney(terms.locale, terms.amount, terms.currency);
  write(sheet, 'P', amount, STYLES.price, { x: PAGE.left + 150, y: top + 5, align: 'right' });
  rule(sheet, top + 31, INK, 0.8);
  doc.y = top + 40;
  const { locale, vat, ...price } = terms;
  paragraphs(sheet, [
    ...(vat == null ? [] : [sheet.say('pdf.price.vat', vatWords(locale, { ...price, vat }))]),
    sheet.say('pdf.price.scope'),
    sheet.say('pdf.price.payment'),
  ]);
}

function writeTerm(sheet: Sheet): void {
  const { terms } = sheet;
  const { locale, signBefore, termDays } = terms;
  // Dates are not broken across lines.
  const deadline = formatMoment(terms, signBefore).replaceAll(' ', '\u00a0');
  article(sheet, 'pdf.term', [
    sheet.say('pdf.term.start', { deadline }),
    termDays > 0
      ? sheet.say('pdf.term.fixed', { term: formatDays(locale, termDays) })
      : sheet.say('pdf.term.open'),
    sheet.say('pdf.term.breach'),
  ]);
}
