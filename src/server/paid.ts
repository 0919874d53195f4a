/**
 * The page to which the payment provider returns the customer. It proves and changes nothing; payments become known
 * by webhook or check.
 */
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { text } from '../core/texts/index.js';
import { documented } from './docs/notes.js';
import type { Env, Parts } from './parts.js';

const PAID = documented({
  title: 'Thanks a customer who has paid',
  about: 'A page for people.',
  group: 'Service',
  returns: { status: 200, about: 'The page.', mediaTypes: ['text/html'] },
});

/** Styled like the mails. */
const STYLE = `
body { margin: 0; padding: 24px 12px; background: #f1f3f5; color: #1d2126;
  font: 16px/1.5 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 560px; margin: 8vh auto 0; padding: 28px 24px; background: #fff; border-radius: 8px; }
h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.2; }
footer { margin-top: 24px; padding-top: 16px; border-top: 1px solid #dfe3e8; color: #5b6470; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #eceef1; }
  main { background: #22252b; }
  footer { border-color: #3a3f47; color: #a9b0ba; }
}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'`;

export function paidRoutes({ ctx }: Parts) {
  const { locale, mailFrom } = ctx.config;
  return new Hono<Env>().get('/paid', PAID, (c) => {
    c.header('Content-Security-Policy', POLICY);
    c.header('Referrer-Policy', 'no-referrer');
    return c.html(
      html`<!doctype html>
        <html lang="${locale}">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width" />
            <meta name="color-scheme" content="light dark" />
            <title>${text(locale, 'page.paid.title')} – ${mailFrom.name}</title>
            ${raw(`<style>${STYLE}</style>`)}
          </head>
          <body>
            <main>
              <h1>${text(locale, 'page.paid.title')}</h1>
              <p>${text(locale, 'page.paid.text')}</p>
              <footer>${mailFrom.name}</footer>
            </main>
          </body>
        </html>`,
    );
  });
}
