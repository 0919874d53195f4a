/**
 * The PDF of the maintenance contract that the customer signs (rules 1). The words are in `texts`, the layout in
 * `contract-pdf-sheet`, the order of the parts here.
 */
import type { CompanyDetails } from '../settings/company.js';
import { type Reader, formatDay } from '../texts/format.js';
import { writeArticles, heading, paragraphs } from './contract-pdf-articles.js';
import {
  collect,
  openSheet,
  writeFooters,
  ensureRoom,
  heightOf,
  INK,
  PAGE,
  rule,
  type Sheet,
  STYLES,
  write,
  decorate,
  GREY,
  hide,
  inscribe,
} from './contract-pdf-sheet.js';
import { printableLine } from './contract-pdf-words.js';
import type { Say, LabelKey } from '../texts/index.js';

export interface ContractTerms extends Reader {
  contractId: number;
  /** The request's, such as `REQ-2026-000123`. */
  reference: string;
  title: string;
  description: string;
  customer: {
    firstName: string;
    lastName: string;
    username: string;
    phone: string | null;
    address?: string | null;
  };
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
  /** The percentage of value added tax in the amount; absent or null when nothing is said of it. */
  vat?: number | null;
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

// The head of the contract: firm, title, parties and equipment.

const COLUMN = { width: 222, second: PAGE.left + 249, heightMax: 250 };
const VALUES = { x: PAGE.left + 120, width: PAGE.right - PAGE.left - 120 };

function writeOpening(sheet: Sheet): void {
  const { doc, terms } = sheet;
  write(sheet, 'P', printableLine(terms.issuer), STYLES.name, { isOwn: true });
  doc.y += 6;
  rule(sheet, doc.y, INK, 1.2);
  doc.y += 20;
  write(sheet, 'H1', sheet.say('pdf.title'), STYLES.title);
  doc.y += 2;
  const made = `${sheet.say('pdf.made')} ${formatDay(terms, terms.madeAt)}`;
  write(sheet, 'P', `${sheet.say('list.reference')} ${terms.reference}   ·   ${made}`, STYLES.small);
  doc.y += 16;
  writeParties(sheet);
  writeEquipment(sheet);
}

interface Party {
  label: string;
  name: string;
  lines: readonly string[];
}

// Side by side. Long names get the full width, because a column broken across pages cannot be read.
function writeParties(sheet: Sheet): void {
  const { doc } = sheet;
  const [provider, customer] = [providerOf(sheet), customerOf(sheet)];
  const top = doc.y;
  const isNarrow = [provider, customer].every((party) => partyHeight(sheet, party) <= COLUMN.heightMax);
  writeParty(sheet, provider, { x: PAGE.left, y: top, width: isNarrow ? COLUMN.width : PAGE.width });
  const bottom = doc.y;
  if (isNarrow) writeParty(sheet, customer, { x: COLUMN.second, y: top, width: COLUMN.width });
  else writeParty(sheet, customer, { x: PAGE.left, y: bottom + 12, width: PAGE.width });
  doc.y = (isNarrow ? Math.max(bottom, doc.y) : doc.y) + 14;
}

function providerOf({ terms, say }: Sheet): Party {
  const { address, registration, email, phone } = terms.company ?? {};
  return {
    label: say('pdf.provider'),
    name: printableLine(terms.issuer),
    lines: [
      ...[address, registration].filter((words) => words !== undefined).map(printableLine),
      ...contactLines(say, email, phone),
      say('pdf.provider.role'),
    ],
  };
}

function customerOf({ terms, say }: Sheet): Party {
  const { firstName, lastName, username, phone, address } = terms.customer;
  return {
    label: say('pdf.customer'),
    name: printableLine(`${firstName} ${lastName}`),
    lines: [
      ...(address ? address.split('\n').map(printableLine) : []),
      ...contactLines(say, username, phone),
    ],
  };
}

function contactLines(say: Say, email?: string | null, phone?: string | null): string[] {
  return [
    ...(email ? [say('pdf.email', { value: printableLine(email) })] : []),
    ...(phone ? [say('pdf.phone', { value: printableLine(phone) })] : []),
  ];
}

function partyHeight(sheet: Sheet, { name, lines }: Party): number {
  return (
    heightOf(sheet, name, STYLES.name, COLUMN.width) +
    heightOf(sheet, lines.join('\n'), STYLES.body, COLUMN.width)
  );
}

function writeParty(sheet: Sheet, party: Party, place: { x: number; y: number; width: number }): void {
  const { x, width } = place;
  write(sheet, 'P', party.label.toUpperCase(), STYLES.label, { ...place, characterSpacing: 0.6 });
  sheet.doc.y += 2;
  write(sheet, 'P', party.name, STYLES.name, { x, width, isOwn: true });
  for (const line of party.lines) write(sheet, 'P', line, STYLES.body, { x, width });
}

function writeEquipment(sheet: Sheet): void {
  const { doc, terms } = sheet;
  const { equipment } = terms;
  ensureRoom(sheet, 60);
  write(sheet, 'P', sheet.say('pdf.equipment').toUpperCase(), STYLES.label, { characterSpacing: 0.6 });
  doc.y += 4;
  rule(sheet, doc.y);
  writeRow(sheet, 'pdf.equipment.name', equipment.name);
  writeRow(sheet, 'pdf.equipment.model', equipment.model);
  writeRow(sheet, 'pdf.equipment.serial', equipment.serialNumber);
  doc.y += 2;
}

// Keeps label and value on the same page.
function writeRow(sheet: Sheet, label: LabelKey, value: string): void {
  const { doc } = sheet;
  const words = printableLine(value);
  const height = Math.max(14, heightOf(sheet, words, STYLES.body, VALUES.width));
  ensureRoom(sheet, height + 8);
  const top = doc.y + 4;
  write(sheet, 'P', sheet.say(label), STYLES.small, { y: top + 0.8, width: 110 });
  write(sheet, 'P', words, STYLES.body, { x: VALUES.x, y: top, isOwn: true });
  doc.y = top + height + 2;
  rule(sheet, doc.y);
}

// Where both parties sign, with the anchor for the customer's signature at the provider.

const BOX = { width: 227, height: 138, second: PAGE.left + 244, padding: 12 };
// Room for a signature of the anchor's size, with a margin.
const FIELD = { width: 203, height: 80, top: 46 };

/** The last article and both boxes, always together on one page. */
function writeSignature(sheet: Sheet, anchor: string): void {
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
