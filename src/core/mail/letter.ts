/** One letter, rendered twice from the same parts, so that the text version never says less than the HTML. */
import { text, type Locale } from '../texts/index.js';
import { oneLine, shorten } from '../texts/plain.js';
import { letterHtml } from './letter-html.js';
import { qrImage } from './qr-image.js';

/** A written mail; the sender adds who gets it, the message id and attachments. */
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
  /** Lines of the table: what it is, and its value. */
  facts: readonly (readonly [label: string, value: string])[];
  /** `code`: what to say of its QR code, where it has one. */
  action?: { label: string; url: string; code?: string | undefined };
  next: readonly string[];
  /** The command that does the same. */
  command?: string;
  footer: string;
  /** Who the sender is: name, address, registration, contact. */
  company?: string | undefined;
}

const SUBJECT_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 2000;

/** The letter as subject, text and HTML, without control characters. */
export function writeLetter(letter: Letter): MailContent {
  const clean = withoutControls(letter);
  const { action } = clean;
  const image = action?.code === undefined ? undefined : qrImage(action.url);
  const written = { subject: clean.subject, text: letterText(clean), html: letterHtml(clean, image) };
  return image ? { ...written, images: [image] } : written;
}

/** One line, without control or invisible direction characters, of at most 200 characters. */
export function subjectLine(words: string): string {
  return shorten(oneLine(words), SUBJECT_LENGTH_MAX);
}

// A newline in a title could fake a row of the table, and a direction mark could reverse a link's address.
function withoutControls(letter: Letter): Letter {
  return {
    ...letter,
    issuer: oneLine(letter.issuer),
    subject: subjectLine(letter.subject),
    greeting: oneLine(letter.greeting),
    intro: letter.intro.map(oneLine),
    facts: letter.facts.map(([label, value]) => [label, shorten(oneLine(value), VALUE_LENGTH_MAX)]),
    ...(letter.action && {
      action: {
        label: oneLine(letter.action.label),
        url: oneLine(letter.action.url),
        code: letter.action.code,
      },
    }),
    next: letter.next.map(oneLine),
    footer: oneLine(letter.footer),
    company: letter.company && oneLine(letter.company),
  };
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
