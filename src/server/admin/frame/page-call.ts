/** One call of the back office: who calls, what was sent, and the pages that answer it. */
import type { Actor } from '../../../core/actor.js';
import type { By } from '../../../core/change.js';
import { askedTime } from '../../../core/calls/asked-time.js';
import { reasonFault } from '../../../core/calls/reason.js';
import type { PdfFile } from '../../../core/contracts/contract-files.js';
import type { Context } from '../../../core/context.js';
import { invalid } from '../../../core/errors.js';
import { holdOf } from '../../../core/installation/hold.js';
import { countFailed } from '../../../core/jobs/failed.js';
import { countNeeds, forgetNeeds } from '../../../core/needs/needs.js';
import { companyName } from '../../../core/settings/company.js';
import type { PageLabel } from '../texts.js';
import { actorOf, isAdmin, type UserRow } from '../../../core/users/rights.js';
import { clearFlash, setFlash } from '../../../core/users/sessions.js';
import { wallClock } from '../../../core/zone.js';
import { agreedCoding, compressed } from '../../http/assets.js';
import { HttpError, judge } from '../../http/errors.js';
import { idParam } from '../../api/iri.js';
import type { Call, Parts, AdminSession } from '../../parts.js';
import { FAILED_SHOWN_MAX, layout, NEEDS_SHOWN_MAX, type Page, type Section } from './layout.js';
import { flashOf, type Done } from './pages.js';
import { loginCsrf } from './session.js';
import { createView, type View } from './view.js';
import { html } from 'hono/html';

/** Bootstrap's style sheet uses data: images for arrows. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export class PageCall {
  readonly c: Call;
  readonly ctx: Context;
  readonly view: View;
  /** What is said about the address: a filter that nobody knows, a page that is not there. */
  readonly notices: string[] = [];
  readonly #section: Section | undefined;

  constructor(c: Call, { ctx }: Parts, section?: Section) {
    this.c = c;
    this.ctx = ctx;
    this.view = createView(ctx.config, ctx.clock.now(), c.get('session')?.csrf ?? loginCsrf(c, ctx));
    this.#section = section;
  }

  /** Only behind `signedIn`. */
  get session(): AdminSession {
    const session = this.c.get('session');
    if (!session) throw new HttpError(401, 'Not logged in.');
    return session;
  }

  get user(): UserRow {
    return this.session.user;
  }

  get actor(): Actor {
    return actorOf(this.user);
  }

  get id(): number {
    return idParam(this.c);
  }

  /** A word of the query, shortened to `lengthMax`. */
  query(name: string, lengthMax = 200): string {
    return (this.c.req.query(name) ?? '').trim().slice(0, lengthMax);
  }

  /** The day of a time in the query, such as `2026-03-02` or `3d`; empty for what is no time, with a notice. */
  day(name: string, label: PageLabel): string {
    const asked = this.query(name);
    const time = askedTime(asked);
    if (time) return wallClock(this.ctx.config.timeZone, time(this.ctx)).day;
    if (asked !== '') this.ignored(label, asked);
    return '';
  }

  /** One of these words from the query, in any letter case; undefined for none of them, with a notice. */
  choice<Word extends string>(name: string, label: PageLabel, words: readonly Word[]): Word | undefined {
    const asked = this.query(name);
    const found = words.find((word) => word.toLowerCase() === asked.toLowerCase());
    if (asked !== '' && found === undefined) this.ignored(label, asked);
    return found;
  }

  /** The number of the page in the query; the first for what is none, with a notice. */
  get page(): number {
    const asked = this.query('page', 20);
    if (/^[1-9]\d{0,8}$/.test(asked)) return Number(asked);
    if (asked !== '') this.notices.push(this.view.t('admin.list.no_page', { page: asked }));
    return 1;
  }

  /** Says that a value of the address is not known. */
  ignored(label: PageLabel, value: string): void {
    const { t } = this.view;
    this.notices.push(t('admin.list.ignored', { name: t(label), value }));
  }

  /** The posted form; only behind `guardedForm`. */
  get form(): URLSearchParams {
    return this.c.get('form');
  }

  /** The PDF that came with the form. */
  get pdf(): PdfFile | undefined {
    return this.c.get('pdf');
  }

  /** A field of the form, without outer spaces. */
  field(name: string): string {
    return (this.form.get(name) ?? '').trim();
  }

  /** Why somebody does what the form is for; empty when they do not say. Throws `invalid` for one that breaks the rule. */
  get reason(): string {
    return this.field('reason') === '' ? '' : this.neededReason;
  }

  /** Who does it, and why if they say so. */
  get by(): By {
    return { actor: this.actor, reason: this.reason };
  }

  /** Throws also when there is none. */
  get neededReason(): string {
    const reason = this.field('reason');
    const fault = reasonFault(reason);
    if (fault !== undefined) throw invalid({ reason: fault });
    return reason;
  }

  /** Answers with a page: compressed, with its policy and the last action's message. */
  async send(page: Page): Promise<Response> {
    const { c, ctx } = this;
    const session = c.get('session');
    const isRead = c.req.method === 'GET';
    const left = session && isRead ? await clearFlash(ctx, session) : undefined;
    const isStaff = session !== undefined && isAdmin(session.user);
    const frame = {
      firm: companyName(ctx.config),
      section: this.#section,
      username: session?.user.username,
      isStaff,
      failedCount: isStaff ? countFailed(ctx, FAILED_SHOWN_MAX + 1) : 0,
      heldSince: isStaff ? holdOf(ctx)?.madeAt : undefined,
      needs: isStaff ? await countNeeds(ctx, NEEDS_SHOWN_MAX) : { count: 0, isMore: false },
      flash: page.flash ?? left,
      notices: this.notices,
    };
    const markup = await layout(this.view, frame, page);
    return sendHtml(c, withoutTurns(markup.toString()), page.status ?? 200);
  }

  /** Redirects to a page that shows once what was done. */
  async goTo(path: string, done: Done): Promise<Response> {
    forgetNeeds(this.ctx);
    await setFlash(this.ctx, this.session, flashOf(this.view, done));
    return this.c.redirect(path, 303);
  }
}

/** Removes direction marks: one title must not reverse the words after it. */
function withoutTurns(page: string): string {
  return page.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** Cross-site calls come without the cookie, so compressed sizes reveal nothing. */
async function sendHtml(c: Call, page: string, status: NonNullable<Page['status']>): Promise<Response> {
  c.header('Content-Type', 'text/html; charset=utf-8');
  c.header('Content-Security-Policy', POLICY);
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Cookie');
  const coding = agreedCoding(c);
  if (!coding) return c.body(page, status);
  c.header('Content-Encoding', coding);
  return c.body(await compressed(page, coding, 'fast'), status);
}

// Refusals as pages: one sentence and a way back.

export function answerWithPage(parts: Parts) {
  return (error: Error, c: Call): Promise<Response> => {
    const refusal = judge(error, c, parts);
    for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value);
    const call = new PageCall(c, parts);
    const { t } = call.view;
    const session = c.get('session');
    const body = html`<div class="card medium">
      <div class="card-body">
        <p>${sentence(call.view, refusal)}</p>
        <p class="soft small">${t('admin.error.id', { id: c.get('requestId') })}</p>
        ${session && isAdmin(session.user) ? html`<a class="btn btn-primary" href="/admin">${t('admin.error.back')}</a>` : ''}
      </div>
    </div>`;
    const { status } = refusal;
    return call.send({ title: t(`admin.error.${namedStatus(refusal)}`), body, status });
  };
}

/** Keys from core have texts; messages of unexpected errors are not shown. */
function sentence({ t }: View, error: HttpError): string {
  const { key } = error.members;
  const words = typeof key === 'string' ? t.find(key) : undefined;
  return words ?? t(`admin.error.${namedStatus(error)}.text`);
}

/** The statuses that have a text of their own. */
function namedStatus({ status }: HttpError): (typeof NAMED)[number] | 'other' {
  return NAMED.find((each) => each === status) ?? 'other';
}

const NAMED = [403, 404, 413, 429, 503] as const;
