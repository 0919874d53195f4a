/** Where both parties sign, with the anchor for the customer's signature at the provider. */
import { formatDay } from '../texts/format.js';
import { heading, paragraphs } from './contract-pdf-articles.js';
import {
  decorate,
  ensureRoom,
  GREY,
  heightOf,
  hide,
  inscribe,
  PAGE,
  type Sheet,
  STYLES,
  write,
} from './contract-pdf-sheet.js';
import { printableLine } from './contract-pdf-words.js';

const BOX = { width: 227, height: 138, second: PAGE.left + 244, padding: 12 };
// Room for a signature of the anchor's size, with a margin.
const FIELD = { width: 203, height: 80, top: 46 };

/** The last article and both boxes, always together on one page. */
export function writeSignature(sheet: Sheet, anchor: string): void {
  const { doc, terms } = sheet;
  const words = sheet.say('pdf.signature.text');
  heading(sheet, 'pdf.signature', heightOf(sheet, words, STYLES.body, PAGE.width) + BOX.height + 16);
  paragraphs(sheet, [words]);
  doc.y += 6;
  ensureRoom(sheet, BOX.height);
  const top = doc.y;
  const { firstName, lastName } = terms.customer;
  writeBox(sheet, PAGE.left, top, sheet.say('pdf.signature.provider'), terms.issuer);
  const issued = sheet.say('pdf.signature.issued', { date: formatDay(terms, terms.madeAt) });
  write(sheet, 'P', issued, STYLES.small, inBox(PAGE.left, top + FIELD.top));
  writeBox(sheet, BOX.second, top, sheet.say('pdf.signature.customer'), `${firstName} ${lastName}`);
  drawField(sheet, BOX.second + BOX.padding, top + FIELD.top, anchor);
  doc.y = top + BOX.height;
}

function writeBox(sheet: Sheet, x: number, top: number, label: string, name: string): void {
  const { doc } = sheet;
  decorate(sheet, () => {
    doc.lineWidth(0.8).strokeColor(GREY).rect(x, top, BOX.width, BOX.height).stroke();
  });
  write(sheet, 'P', label.toUpperCase(), STYLES.label, { ...inBox(x, top + 10), characterSpacing: 0.6 });
  const place = { ...inBox(x, top + 24), isOwn: true, isOneLine: true } as const;
  write(sheet, 'P', printableLine(name), STYLES.name, place);
}

function inBox(x: number, y: number) {
  return { x: x + BOX.padding, y, width: BOX.width - 2 * BOX.padding };
}

function drawField(sheet: Sheet, x: number, y: number, anchor: string): void {
  const { doc } = sheet;
  decorate(sheet, () => {
    doc.lineWidth(0.6).dash(2, { space: 2 }).strokeColor(GREY).rect(x, y, FIELD.width, FIELD.height).stroke();
    const style = { ...STYLES.small, size: 7 };
    inscribe(sheet, sheet.say('pdf.signature.box'), style, { x: x + 5, y: y + FIELD.height - 12 });
    hide(sheet, anchor, x + 4, y + 4);
  });
}
