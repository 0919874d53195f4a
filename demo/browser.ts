/** A minimal browser for the customer: opens a page, presses a form's button, follows redirects. */
import { call, callFor } from './http.js';

export interface Page {
  url: string;
  html: string;
}

/** Follows a redirect, as links in mails may be one. */
export async function openPage(url: string, { signal }: { signal: AbortSignal }): Promise<Page> {
  const answer = await call(url, { signal });
  const next = answer.status === 303 ? answer.headers.get('location') : null;
  const last = next === null ? url : new URL(next, url).href;
  return { url: last, html: (await callFor(200, last, { signal })).text };
}

/** Submits the form with that button. Rejects when there is none, or when the next page is an error. */
export async function press(button: string, page: Page, { signal }: { signal: AbortSignal }): Promise<Page> {
  const forms = page.html.match(/<form\b[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find((one) => one.includes(`>${button}</button>`));
  const action = form && attribute(form, 'action');
  if (action === undefined) throw new Error(`the page has no button "${button}"`);
  const url = new URL(action, page.url).href;
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: new URL(page.url).origin,
  };
  const answer = await call(url, { method: 'POST', headers, body: '', signal });
  const next = answer.status === 303 ? answer.headers.get('location') : null;
  if (next) return openPage(new URL(next, url).href, { signal });
  if (answer.status !== 200) throw new Error(`"${button}" answered ${answer.status}`);
  return { url, html: answer.text };
}

/** The address of the document that a page shows in a frame. */
export function framedDocument(page: Page): string {
  const frame = /<iframe\b[\s\S]*?>/.exec(page.html)?.[0];
  const source = frame && attribute(frame, 'src');
  if (source === undefined) throw new Error('the page shows no document');
  return new URL(source, page.url).href;
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
