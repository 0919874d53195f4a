/** The head of the contract: firm, title, parties and equipment. */
import { formatDay } from '../texts/format.js';
import type { Say, LabelKey } from '../texts/index.js';
import { ensureRoom, heightOf, INK, PAGE, rule, type Sheet, STYLES, write } from './contract-pdf-sheet.js';
import { printableLine } from './contract-pdf-words.js';

const COLUMN = { width: 222, second: PAGE.left + 249, heightMax: 250 };
const VALUES = { x: PAGE.left + 120, width: PAGE.right - PAGE.left - 120 };

export function writeOpening(sheet: Sheet): void {
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
  doc.y = Math.max(bottom, doc.y) + 14;
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
  const { firstName, lastName, username, phone } = terms.customer;
  return {
    label: say('pdf.customer'),
    name: printableLine(`${firstName} ${lastName}`),
    lines: contactLines(say, username, phone),
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
