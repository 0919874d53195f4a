/** The frame of every page. Texts reach it through `html`, which escapes them. */
import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { Price } from '../payment/session.js';

export type Html = ReturnType<typeof html>;
type Page = { title: string; narrow?: boolean; body: Html };

/** No scripts; forms may lead elsewhere, because a paid session leads back to the shop. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'";

export function pageHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (!c.res.headers.has('Content-Security-Policy')) c.res.headers.set('Content-Security-Policy', POLICY);
    c.res.headers.set('Cache-Control', 'no-store');
    c.res.headers.set('X-Content-Type-Options', 'nosniff');
    c.res.headers.set('Referrer-Policy', 'no-referrer');
  };
}

type Status = 200 | 404 | 409 | 410;

export function show(c: Context, { title, narrow = false, body }: Page, status: Status = 200) {
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} – sandbox</title>
          <link rel="stylesheet" href="/sandbox.css" />
        </head>
        <body>
          <header>
            <strong>Sandbox</strong>
            <a href="/">Console</a>
            <a href="/mail">Mail</a>
            <span class="soft">Nothing here is real: no signature binds, no money moves.</span>
          </header>
          <main class="${narrow ? 'narrow' : ''}">
            <h1>${title}</h1>
            ${body}
          </main>
        </body>
      </html>`,
    status,
  );
}

/** A page with a message only: good news with status 200, bad news with any other. */
export function say(c: Context, title: string, sentence: string, status: Status = 200) {
  const [tone, role] = status === 200 ? ['good', 'status'] : ['bad', 'alert'];
  return show(
    c,
    { title, narrow: true, body: html`<p class="note ${tone}" role="${role}">${sentence}</p>` },
    status,
  );
}

export const notFound = (c: Context, sentence: string) => say(c, 'Not found', sentence, 404);

/** A row is a `<tr>`. */
export function table(columns: string[], rows: Html[]): Html {
  const head = columns.map((column) => html`<th scope="col">${column}</th>`);
  return html`<table>
    <thead>
      <tr>
        ${head}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

const GOOD = ['done', 'complete', 'paid', 'delivered', 'signed'];
const BAD = ['declined', 'expired', 'canceled', 'rejected', 'deleted', 'given_up', 'lost'];

export function badge(word: string): Html {
  const tone = GOOD.includes(word) ? 'good' : BAD.includes(word) ? 'bad' : '';
  return html`<span class="badge ${tone}">${word}</span>`;
}

/** A button that acts by POST, so that no crawler or prefetch presses it. */
export function button(action: string, label: string, values: Record<string, string> = {}): Html {
  const inputs = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${action}">
    ${inputs}<button class="small quiet">${label}</button>
  </form>`;
}

export const shortTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Written with two decimals, although there are none. */
const TWO_DECIMALS = ['isk', 'ugx'];

export function money({ amount, currency }: Price): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = TWO_DECIMALS.includes(currency) ? 2 : format.resolvedOptions().maximumFractionDigits;
  return format.format(amount / 10 ** (digits ?? 2));
}
