/** One letter, written twice from the same parts, so that the text never says less than the HTML. */
import { text, type Locale } from '../texts/index.js';
import { oneLine, shorten } from '../texts/plain.js';
import { letterHtml } from './letter-html.js';
import type { MailContent } from './mail-types.js';

/** A line of the table: what it is, and its value. */
export type Fact = readonly [label: string, value: string];

export interface Letter {
  locale: Locale;
  issuer: string;
  subject: string;
  greeting: string;
  intro: readonly string[];
  facts: readonly Fact[];
  action?: { label: string; url: string };
  next: readonly string[];
  /** What somebody at a terminal types instead. */
  command?: string;
  footer: string;
}

const SUBJECT_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 2000;

/** The letter as subject, text and HTML; control characters of its parts are gone, whoever wrote them. */
export function writeLetter(letter: Letter): MailContent {
  const clean = withoutControls(letter);
  return { subject: clean.subject, text: letterText(clean), html: letterHtml(clean) };
}

/** One line, without control or invisible direction characters, of at most 200 characters. */
export function subjectLine(words: string): string {
  return shorten(oneLine(words), SUBJECT_LENGTH_MAX);
}

// A newline in a title could fake a line of the table, a direction mark could turn a link's address around.
function withoutControls(letter: Letter): Letter {
  return {
    ...letter,
    issuer: oneLine(letter.issuer),
    subject: subjectLine(letter.subject),
    greeting: oneLine(letter.greeting),
    intro: letter.intro.map(oneLine),
    facts: letter.facts.map(([label, value]) => [label, shorten(oneLine(value), VALUE_LENGTH_MAX)]),
    ...(letter.action && {
      action: { label: oneLine(letter.action.label), url: oneLine(letter.action.url) },
    }),
    next: letter.next.map(oneLine),
    footer: oneLine(letter.footer),
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
    `-- \n${letter.footer}`,
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}
