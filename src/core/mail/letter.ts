/** One letter, rendered twice from the same parts, so that the text version never says less than the HTML. */
import { encodeQR } from 'qr';
import { text, type Locale } from '../texts/index.js';
import { oneLine, shorten } from '../texts/plain.js';
import { letterHtml } from './letter-html.js';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
  images?: readonly InlineImage[];
}

/** An image within the HTML, which names it as `cid:…`; square, `size` pixels wide. */
export interface InlineImage {
  cid: string;
  filename: string;
  contentType: string;
  content: Buffer;
  size: number;
}

export interface Letter {
  locale: Locale;
  issuer: string;
  subject: string;
  greeting: string;
  intro: readonly string[];
  facts: readonly (readonly [label: string, value: string])[];
  /** `code`: what to say of its QR code, where it has one. */
  action?: { label: string; url: string; code?: string | undefined };
  next: readonly string[];
  command?: string;
  footer: string;
  /** Who the sender is: name, address, registration, contact. */
  company?: string | undefined;
}

const SUBJECT_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 2000;

export function writeLetter(letter: Letter): MailContent {
  const subject = subjectLine(letter.subject);
  const facts = letter.facts.map(
    ([label, value]) => [label, shorten(oneLine(value), VALUE_LENGTH_MAX)] as const,
  );
  const clean = withoutControls({ ...letter, subject, facts });
  const { action } = clean;
  const image = action?.code === undefined ? undefined : qrImage(action.url);
  const written = { subject, text: letterText(clean), html: letterHtml(clean, image) };
  return image ? { ...written, images: [image] } : written;
}

/** One line, without control or invisible direction characters, of at most 200 characters. */
export function subjectLine(words: string): string {
  return shorten(oneLine(words), SUBJECT_LENGTH_MAX);
}

/** A newline in a title could fake a row of the table, and a direction mark could reverse a link's address. */
function withoutControls<Part>(part: Part): Part {
  if (typeof part === 'string') return oneLine(part) as Part;
  if (Array.isArray(part)) return part.map(withoutControls) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, each]) => [name, withoutControls(each)]),
  ) as Part;
}

function letterText(letter: Letter): string {
  const { locale, action, command, next } = letter;
  const paragraphs = [
    letter.greeting,
    ...letter.intro,
    letter.facts.map(([label, value]) => text(locale, 'mail.fact', { label, value })).join('\n'),
    ...(action ? [`${action.label}\n${action.url}`] : []),
    ...next,
    ...(command ? [`${text(locale, 'mail.command')}\n    ${command}`] : []),
    `${text(locale, 'mail.closing')}\n${letter.issuer}`,
    ['-- ', letter.footer, ...(letter.company ? [letter.company] : [])].join('\n'),
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

/** Pixels a module: about a millimetre on paper. */
const SCALE = 3;
/** Modules of white around it, without which it may not be found. */
const BORDER = 4;

/** A QR code, for whoever reads on paper or on another screen. GIF, because mail programs show no SVG. */
function qrImage(url: string): InlineImage {
  const content = Buffer.from(encodeQR(url, 'gif', { scale: SCALE, border: BORDER }));
  // The header of a GIF: width, then height.
  const size = content.readUInt16LE(6);
  return { cid: 'link@qr', filename: 'link.gif', contentType: 'image/gif', content, size };
}
