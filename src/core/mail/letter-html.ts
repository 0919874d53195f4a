/**
 * The HTML of a letter: one column, inline styles (mail programs drop the rest), nothing loaded from elsewhere. The
 * style sheet only adds colours for dark screens, which inline styles cannot express.
 */
import { html } from 'hono/html';
import { text } from '../texts/index.js';
import type { InlineImage, Letter } from './letter.js';

type Markup = ReturnType<typeof html>;

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #16181c !important; }
  .card { background: #22252b !important; color: #eceef1 !important; }
  .soft { color: #a9b0ba !important; }
  .line { border-color: #3a3f47 !important; }
  .link { color: #8ab4ff !important; }
  .code { background: #16181c !important; color: #eceef1 !important; }
}`;

/** A whole HTML document; every value is escaped, and only http(s) addresses become links. */
export function letterHtml(letter: Letter, image?: InlineImage): string {
  const { locale, subject, issuer, action, command } = letter;
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
      <body class="page" style="margin:0;padding:0;background:#f1f3f5">
        <div class="page" style="background:#f1f3f5;padding:24px 12px">
          <div
            class="card"
            style="max-width:560px;margin:0 auto;padding:28px 24px;background:#ffffff;color:#1d2126;border-radius:8px;${FONT};font-size:16px;line-height:1.5"
          >
            <p
              class="line"
              style="margin:0 0 20px;padding:0 0 16px;border-bottom:1px solid #dfe3e8;font-size:18px;font-weight:600"
            >
              ${issuer}
            </p>
            ${[letter.greeting, ...letter.intro].map(paragraph)} ${factTable(letter)}
            ${action ? button(letter, action) : ''} ${image ? code(letter, image) : ''}
            ${letter.next.map(paragraph)} ${command ? commandBox(letter, command) : ''}
            <p style="margin:24px 0 0">${text(locale, 'mail.closing')}<br />${issuer}</p>
            <p
              class="soft line"
              style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #dfe3e8;color:#5b6470;font-size:13px"
            >
              ${letter.footer}${letter.company ? html`<br />${letter.company}` : ''}
            </p>
          </div>
        </div>
      </body>
    </html> `;
  // It is a promise only if a value inside is one.
  if (page instanceof Promise) throw new TypeError('a letter holds no promises');
  return page.toString();
}

function paragraph(words: string): Markup {
  return html`<p style="margin:0 0 16px">${words}</p>`;
}

function factTable({ facts }: Letter): Markup {
  return html`<table
    role="presentation"
    cellpadding="0"
    cellspacing="0"
    style="width:100%;margin:0 0 20px;border-collapse:collapse;table-layout:fixed"
  >
    ${facts.map(
      ([label, value]) =>
        html`<tr>
          <td
            class="soft line"
            style="width:36%;padding:8px 12px 8px 0;border-bottom:1px solid #dfe3e8;color:#5b6470;font-size:14px;vertical-align:top"
          >
            ${label}
          </td>
          <td
            class="line"
            style="padding:8px 0;border-bottom:1px solid #dfe3e8;vertical-align:top;overflow-wrap:anywhere;word-break:break-word"
          >
            ${value}
          </td>
        </tr> `,
    )}
  </table>`;
}

function button({ locale }: Letter, { label, url }: { label: string; url: string }): Markup {
  const address = html`<span
    class="soft"
    style="color:#5b6470;font-size:13px;overflow-wrap:anywhere;word-break:break-all"
    >${url}</span
  >`;
  if (!isWebAddress(url)) return html`<p style="margin:0 0 20px">${label}<br />${address}</p>`;
  return html`<p style="margin:0 0 12px">
      <a
        href="${url}"
        style="display:inline-block;padding:12px 22px;background:#1a52a5;color:#ffffff;border-radius:6px;text-decoration:none;font-weight:600"
        >${label}</a
      >
    </p>
    <p class="soft" style="margin:0 0 20px;color:#5b6470;font-size:13px">
      ${text(locale, 'mail.link')}<br /><a
        class="link"
        href="${url}"
        style="color:#1a52a5;overflow-wrap:anywhere;word-break:break-all"
        >${url}</a
      >
    </p>`;
}

/** White around it also on a dark screen. */
function code({ action }: Letter, { cid, size }: InlineImage): Markup {
  return html`<p style="margin:0 0 20px">
    <img
      src="cid:${cid}"
      width="${size}"
      height="${size}"
      alt="${action?.code ?? ''}"
      style="display:block;background:#ffffff"
    />
  </p>`;
}

function commandBox({ locale }: Letter, command: string): Markup {
  return html`<p class="soft" style="margin:0 0 4px;color:#5b6470;font-size:14px">
      ${text(locale, 'mail.command')}
    </p>
    <p
      class="code"
      style="margin:0 0 16px;padding:10px 12px;background:#f1f3f5;color:#1d2126;border-radius:6px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;overflow-wrap:anywhere"
    >
      ${command}
    </p>`;
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
