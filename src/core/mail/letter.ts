/** One letter, rendered twice from the same parts, so that the text version never says less than the HTML. */
import { encodeQR } from 'qr';
import { text, type Locale } from '../texts/index.js';
import { oneLine, shorten } from '../texts/plain.js';
import { html } from 'hono/html';

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

interface Letter {
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
  /** Before the sender's name; the office's own mails have neither. */
  closing?: string | undefined;
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
function withoutControls(letter: Letter): Letter {
  const clean = (_: string, part: unknown) => (typeof part === 'string' ? oneLine(part) : part);
  return JSON.parse(JSON.stringify(letter, clean));
}

function letterText(letter: Letter): string {
  const { locale, action, command, closing, next } = letter;
  const paragraphs = [
    letter.greeting,
    ...letter.intro,
    letter.facts.map(([label, value]) => text(locale, 'mail.fact', { label, value })).join('\n'),
    ...(action ? [`${action.label}\n${action.url}`] : []),
    ...next,
    ...(command ? [`${text(locale, 'mail.command')}\n    ${command}`] : []),
    ...(closing ? [`${closing}\n${letter.issuer}`] : []),
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

// The HTML of a letter, in the colours of the back office: one column, inline styles (mail programs drop the rest), nothing loaded from elsewhere. The
// style sheet only adds colours for dark screens, which inline styles cannot express.

type Markup = ReturnType<typeof html>;

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CARD = `max-width:560px;margin:0 auto;padding:28px 24px;background:#ffffff;color:#1d2126;border-radius:8px;${FONT};font-size:16px;line-height:1.5`;
const BUTTON =
  'display:inline-block;padding:12px 22px;background:#0b5c56;color:#ffffff;border-radius:6px;text-decoration:none;font-weight:600';
const COMMAND =
  'margin:0 0 16px;padding:10px 12px;background:#f5f6f7;color:#1d2126;border-radius:6px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;overflow-wrap:anywhere';
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #14181d !important; }
  .card { background: #1b2026 !important; color: #eceef1 !important; }
  .soft { color: #b9bec4 !important; }
  .line { border-color: #3a3f47 !important; }
  .button { background: #126159 !important; }
  .link { color: #6fcfc5 !important; }
  .code { background: #14181d !important; color: #eceef1 !important; }
}`;

const SOFT = 'color:#4b5055';
const SMALL = `${SOFT};font-size:13px`;
const LINE = '1px solid #dfe3e8';
const BREAKS = 'overflow-wrap:anywhere;word-break:break-all';

function p(style: string, words: string | Markup, classes = ''): Markup {
  return html`<p class="${classes}" style="${style}">${words}</p> `;
}

/** A whole HTML document; every value is escaped, and only http(s) addresses become links. */
function letterHtml(letter: Letter, image?: InlineImage): string {
  const { locale, subject, issuer, action, command, closing, footer, company } = letter;
  const page = html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        <style>
          ${DARK}
        </style>
      </head>
      <body class="page" style="margin:0;padding:0;background:#f5f6f7">
        <div class="page" style="background:#f5f6f7;padding:24px 12px">
          <div class="card" style="${CARD}">
            ${p(`margin:0 0 20px;padding:0 0 16px;border-bottom:${LINE};font-size:18px;font-weight:600`, issuer, 'line')}
            ${[letter.greeting, ...letter.intro].map(paragraph)} ${factTable(letter)}
            ${action ? button(letter, action) : ''} ${image ? code(letter, image) : ''}
            ${letter.next.map(paragraph)} ${command ? commandBox(letter, command) : ''}
            ${closing ? p('margin:24px 0 0', html`${closing}<br />${issuer}`) : ''}
            ${p(`margin:24px 0 0;padding:16px 0 0;border-top:${LINE};${SMALL}`, html`${footer}${company ? html`<br />${company}` : ''}`, 'soft line')}
          </div>
        </div>
      </body>
    </html> `;
  // It is a promise only if a value inside is one.
  if (page instanceof Promise) throw new TypeError('a letter holds no promises');
  return page.toString();
}

function paragraph(words: string): Markup {
  return p('margin:0 0 16px', words);
}

function factTable({ facts }: Letter): Markup {
  const cell = (style: string, words: string, classes: string) =>
    html`<td class="${classes}" style="${style};border-bottom:${LINE};vertical-align:top">${words}</td> `;
  const row = ([label, value]: Letter['facts'][number]) =>
    html`<tr>
      ${cell(`width:36%;padding:8px 12px 8px 0;${SOFT};font-size:14px`, label, 'soft line')}
      ${cell('padding:8px 0;overflow-wrap:anywhere;word-break:break-word', value, 'line')}
    </tr> `;
  const style = 'width:100%;margin:0 0 20px;border-collapse:collapse;table-layout:fixed';
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="${style}">
    ${facts.map(row)}
  </table>`;
}

function button({ locale }: Letter, { label, url }: { label: string; url: string }): Markup {
  if (!isWebAddress(url)) {
    const address = html`<span class="soft" style="${SMALL};${BREAKS}">${url}</span>`;
    return p('margin:0 0 20px', html`${label}<br />${address}`);
  }
  const link = html`<a class="link" href="${url}" style="color:#0b5c56;${BREAKS}">${url}</a>`;
  return html`${p('margin:0 0 12px', html`<a class="button" href="${url}" style="${BUTTON}">${label}</a>`)}
  ${p(`margin:0 0 20px;${SMALL}`, html`${text(locale, 'mail.link')}<br />${link}`, 'soft')}`;
}

/** White around it also on a dark screen. */
function code({ action }: Letter, { cid, size }: InlineImage): Markup {
  const style = 'display:block;background:#ffffff;color:#1d2126';
  const alt = action?.code ?? '';
  const image = html`<img src="cid:${cid}" width="${size}" height="${size}" alt="${alt}" style="${style}" />`;
  return p('margin:0 0 20px', image);
}

function commandBox({ locale }: Letter, command: string): Markup {
  return html`${p(`margin:0 0 4px;${SOFT};font-size:14px`, text(locale, 'mail.command'), 'soft')}
  ${p(COMMAND, command, 'code')}`;
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
