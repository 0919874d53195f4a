/** Pages for customers, without log-in: one message, styled like the mails, with nothing loaded from elsewhere. */
import { hash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { SlidingWindow } from '../../core/calls/sliding-window.js';
import { companyName } from '../../core/settings/company.js';
import type { Config } from '../../core/settings/config.js';
import { text, type TextKey } from '../../core/texts/index.js';
import { addressOf } from '../http/client-address.js';
import type { Call, Parts } from '../parts.js';

const STYLE = `
body { margin: 0; padding: 24px 12px; background: #f5f6f7; color: #1d2126;
  font: 16px/1.5 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 560px; margin: 8vh auto 0; padding: 28px 24px; background: #fff; border-radius: 8px; }
h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.2; }
footer { margin-top: 24px; padding-top: 16px; border-top: 1px solid #dfe3e8; color: #4b5055; }
label { display: block; margin: 16px 0 4px; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: 10px 12px; font: inherit; color: inherit; background: transparent;
  border: 1px solid #8a929c; border-radius: 6px; }
small { display: block; margin-top: 4px; color: #4b5055; }
.fault { color: #b3261e; }
button, .button { display: inline-block; margin-top: 20px; padding: 10px 20px; font: inherit; font-weight: 600;
  color: #fff; background: #0b5c56; border: 0; border-radius: 6px; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid #0b5c56; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { background: #14181d; color: #eceef1; }
  main { background: #1b2026; }
  footer { border-color: #3a3f47; color: #b9bec4; }
  small { color: #b9bec4; }
  .fault { color: #f2b8b5; }
  button, .button { background: #126159; }
  :focus-visible { outline-color: #6fcfc5; }
}`;
const STYLE_HASH = hash('sha256', STYLE, 'base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

type Name = TextKey extends infer Key ? (Key extends `page.${infer N}.title` ? N : never) : never;

export interface CustomerPage {
  /** Its words stand under `page.<name>`. */
  name: Name;
  status?: ContentfulStatusCode;
  /** Whose account it is, where the words say so. */
  username?: string;
  /** Below the words. */
  content?: ReturnType<typeof html>;
  /** Loads itself again after so many seconds. */
  againAfterS?: number;
}

/** Counts the calls of each address; one above the limit gets the page of this name. */
export function pageLimit(parts: Parts, name: Name, { most, windowMs }: { most: number; windowMs: number }) {
  const { config, clock } = parts.ctx;
  const calls = new SlidingWindow(clock, { windowMs });
  return (c: Call): Response | Promise<Response> | undefined => {
    const { isWithin, waitMs } = calls.take(addressOf(c, parts), most);
    if (isWithin) return undefined;
    c.header('Retry-After', String(Math.ceil(waitMs / 1000)));
    return sendCustomerPage(c, config, { name, status: 429 });
  };
}

export function sendCustomerPage(
  c: Call,
  config: Config,
  { name, status = 200, username = '', content, againAfterS }: CustomerPage,
): Response | Promise<Response> {
  const { locale } = config;
  const firm = companyName(config);
  const title = text(locale, `page.${name}.title`);
  c.header('Content-Security-Policy', POLICY);
  c.header('Referrer-Policy', 'no-referrer');
  if (againAfterS !== undefined) c.header('Retry-After', String(againAfterS));
  return c.html(
    html`<!doctype html>
      <html lang="${locale}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          ${againAfterS === undefined ? '' : html`<meta http-equiv="refresh" content="${againAfterS}" />`}
          <title>${title} – ${firm}</title>
          ${raw(`<style>${STYLE}</style>`)}
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            <p>${text(locale, `page.${name}.text`, { username })}</p>
            ${content ?? ''}
            <footer>${firm}</footer>
          </main>
        </body>
      </html>`,
    status,
  );
}
