/**
 * Where the payment provider sends the customer back to. It proves nothing and changes nothing: that a payment was made
 * is known from the payment webhook alone.
 */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { text } from '../core/texts/index.js';
import { documented } from './docs/notes.js';
import type { Env, Parts } from './parts.js';

const PAID = documented({
  title: 'Thanks a customer who has paid',
  about: 'A page for people.',
  group: 'Service',
  returns: { status: 200, about: 'The page.', mediaTypes: ['text/html'] },
});

export function paidRoutes({ ctx }: Parts) {
  const { locale, mailFrom } = ctx.config;
  return new Hono<Env>().get('/paid', PAID, (c) => {
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
    c.header('Referrer-Policy', 'no-referrer');
    return c.html(
      html`<!doctype html>
        <html lang="${locale}">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width" />
            <meta name="color-scheme" content="light dark" />
            <title>${text(locale, 'page.paid.title')} – ${mailFrom.name}</title>
          </head>
          <body>
            <main>
              <h1>${text(locale, 'page.paid.title')}</h1>
              <p>${text(locale, 'page.paid.text')}</p>
              <p>${mailFrom.name}</p>
            </main>
          </body>
        </html>`,
    );
  });
}
