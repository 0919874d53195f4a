/** The five articles of the contract. */
import { formatDays, formatMoment, formatMoney } from '../texts/format.js';
import type { TextKey } from '../texts/index.js';
import { ensureRoom, heightOf, INK, PAGE, rule, type Sheet, STYLES, write } from './contract-pdf-sheet.js';
import { printable, printableLine } from './contract-pdf-words.js';

const INDENT = PAGE.left + 14;

export function writeArticles(sheet: Sheet): void {
  writeSubject(sheet);
  heading(sheet, 'pdf.obligations');
  paragraphs(sheet, [sheet.say('pdf.obligations.provider'), sheet.say('pdf.obligations.customer')]);
  writePrice(sheet);
  writeTerm(sheet);
}

/** An article's heading; never alone at the foot of a page. */
export function heading(sheet: Sheet, key: TextKey, heightBelow = 48): void {
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
  heading(sheet, 'pdf.subject');
  paragraphs(sheet, [sheet.say('pdf.subject.text')]);
  doc.y += 2;
  const title = printableLine(terms.title);
  ensureRoom(sheet, heightOf(sheet, title, STYLES.strong, PAGE.right - INDENT) + 16);
  write(sheet, 'P', title, STYLES.strong, { x: INDENT });
  doc.y += 2;
  for (const block of printable(terms.description).split('\n\n')) {
    write(sheet, 'P', block, STYLES.body, { x: INDENT });
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
  paragraphs(sheet, [sheet.say('pdf.price.scope'), sheet.say('pdf.price.payment')]);
}

function writeTerm(sheet: Sheet): void {
  const { terms } = sheet;
  const { locale, signBefore, termDays } = terms;
  // Dates are not broken across lines.
  const deadline = formatMoment(terms, signBefore).replaceAll(' ', '\u00a0');
  heading(sheet, 'pdf.term');
  paragraphs(sheet, [
    sheet.say('pdf.term.start', { deadline }),
    termDays > 0
      ? sheet.say('pdf.term.fixed', { term: formatDays(locale, termDays) })
      : sheet.say('pdf.term.open'),
    sheet.say('pdf.term.breach'),
  ]);
}
