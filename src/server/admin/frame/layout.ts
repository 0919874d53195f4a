/** The frame of all pages: navigation, user, sign-out and the message of the last action. */
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { NeedsCount } from '../../../core/needs/needs.js';
import type { Flash } from '../../../core/users/sessions.js';
import { withMoments } from '../../../core/texts/format.js';
import { assetFolder } from '../../http/assets.js';
import { icon, type IconName } from '../assets/icons.js';
import type { Markup, View } from './view.js';

type Everyday = 'dashboard' | 'requests' | 'users' | 'contracts' | 'payments';
/** Behind the payments. */
type Money = 'report';
/** Behind one entry of the menu: who runs the server looks there. */
type Technical = 'technical' | 'failed' | 'jobs' | 'inbox' | 'webhooks' | 'deliveries' | 'history';

export type Section = Everyday | Money | Technical | 'sessions';

export interface Page {
  title: string;
  /** What the search box on top has found. */
  search?: string;
  /** Buttons beside the title. */
  aside?: Markup;
  body: Markup | Markup[];
  status?: ContentfulStatusCode;
  /** A message for this page only. */
  flash?: Flash | undefined;
}

export interface Frame {
  firm: string;
  section: Section | undefined;
  /** Undefined: nobody is logged in. */
  username: string | undefined;
  /** Only staff get the menu. */
  isStaff: boolean;
  failedCount: number;
  /** When the backup was made from which the data was restored, while it is held. */
  heldSince: string | undefined;
  /** How many things need the office. */
  needs: NeedsCount;
  flash: Flash | undefined;
  /** About the address. */
  notices: readonly string[];
}

const SECTIONS: readonly [Everyday | 'technical', string, IconName][] = [
  ['dashboard', '/admin', 'speedometer2'],
  ['requests', '/admin/requests', 'list-check'],
  ['users', '/admin/users', 'people'],
  ['contracts', '/admin/contracts', 'pen'],
  ['payments', '/admin/payments', 'credit-card'],
  ['technical', '/admin/technical', 'tools'],
];

const TECHNICAL: readonly Technical[] = [
  'technical',
  'failed',
  'jobs',
  'inbox',
  'webhooks',
  'deliveries',
  'history',
];

function isTechnical(section: Section | undefined): section is Technical {
  return TECHNICAL.some((each) => each === section);
}

export const FILES = assetFolder('/admin/assets', {
  'bootstrap.css': 'bootstrap/dist/css/bootstrap.min.css',
  'admin.css': 'esign/admin.css',
  'admin.js': 'esign/admin.js',
  'icon.svg': 'esign/icon.svg',
});

export function layout(view: View, frame: Frame, page: Page): Markup {
  const { locale } = view;
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title} – ${frame.firm}</title>
        <link rel="icon" type="image/svg+xml" href="${FILES.url('icon.svg')}" />
        <link rel="stylesheet" href="${FILES.url('bootstrap.css')}" />
        <link rel="stylesheet" href="${FILES.url('admin.css')}" />
        <script src="${FILES.url('admin.js')}"></script>
      </head>
      <body>
        ${frame.isStaff ? framed(view, frame, page) : plain(view, frame, page)}
      </body>
    </html>`;
}

function framed(view: View, frame: Frame, page: Page): Markup {
  return html`<a class="skip visually-hidden-focusable" href="#main">${view.t('admin.skip')}</a>
    <div class="shell">
      <header class="side">
        <div class="top">
          <a class="brand" href="/admin">${icon('patch-check')} <span>${frame.firm}</span></a>
          ${frame.needs.count > 0 ? needsLink(view, frame) : ''}
        </div>
        ${searchBox(view, page.search)}
        <input class="visually-hidden" type="checkbox" id="menu" />
        <label class="menu btn btn-sm btn-outline-secondary" for="menu">${view.t('admin.menu')}</label>
        ${navigation(view, frame)} ${account(view, frame)}
      </header>
      <main id="main" tabindex="-1">
        <div class="page">
          <div class="head">
            <h1>${page.title}</h1>
            ${page.aside ?? ''}
          </div>
          ${isTechnical(frame.section) ? technicalTabs(view, frame) : ''} ${heldBanner(view, frame)}
          ${frame.flash ? alertOf(frame.flash) : ''}
          ${frame.notices.length > 0 ? noticesOf(frame.notices) : ''} ${page.body}
          <p class="foot">${view.t('admin.zone', { zone: view.timeZone })}</p>
        </div>
      </main>
    </div>`;
}

function heldBanner(view: View, { heldSince: madeAt }: Frame): Markup {
  if (madeAt === undefined) return html``;
  const words = view.t('admin.held', { madeAt });
  return html`<div class="alert alert-danger" role="alert">${withMoments(view, words)}</div>`;
}

/** Input here is at most as long as a title. */
export const SEARCH_LENGTH_MAX = 255;

function searchBox({ t }: View, search = ''): Markup {
  return html`<form
    class="find"
    method="get"
    action="/admin/find"
    role="search"
    aria-label="${t('admin.find')}"
  >
    <label class="visually-hidden" for="q">${t('admin.find')}</label>
    <input
      class="form-control form-control-sm"
      type="search"
      id="q"
      name="q"
      value="${search}"
      placeholder="${t('admin.find.placeholder')}"
      title="${t('admin.find.title')}"
      maxlength="${SEARCH_LENGTH_MAX}"
    />
    <button class="btn btn-sm btn-outline-secondary" aria-label="${t('admin.find')}">
      ${icon('search')}
    </button>
  </form>`;
}

/** A page for somebody who is not logged in or not an administrator. */
function plain(view: View, frame: Frame, page: Page): Markup {
  return html`<main id="main" class="p-3 pt-5">
    <div class="narrow stack">
      <p class="brand fs-5 mb-0">${icon('patch-check')} <span>${frame.firm}</span></p>
      <h1>${page.title}</h1>
      ${frame.flash ? alertOf(frame.flash) : ''} ${page.body}
      ${frame.username === undefined ? '' : html`<div class="d-flex justify-content-center">${signOut(view)}</div>`}
    </div>
  </main>`;
}

/** More are not counted. */
export const NEEDS_SHOWN_MAX = 9;
export const FAILED_SHOWN_MAX = 999;

/** Beside the firm's name, where a phone shows it without the menu being moved. */
function needsLink(view: View, { needs }: Frame): Markup {
  const number = `${needs.count}${needs.isMore ? '+' : ''}`;
  return html`<a class="needs" href="/admin/todo"
    ><span class="badge text-bg-danger">${number}</span
    ><span class="visually-hidden"> ${view.t('admin.todo')}</span></a
  >`;
}

function navigation(view: View, frame: Frame): Markup {
  const { t } = view;
  const active = entryOf(frame.section);
  const items = SECTIONS.map(
    ([section, path, name]) =>
      html`<li>
        <a href="${path}" ${section === active ? html`aria-current="${sameAs(section, frame)}"` : ''}
          >${icon(name)} ${t(`admin.nav.${section}`)} ${section === 'technical' ? failedBadge(frame) : ''}</a
        >
      </li>`,
  );
  return html`<nav aria-label="${t('admin.nav')}">
    <ul>
      ${items}
    </ul>
  </nav>`;
}

/** The entry of the menu behind which the page is. */
function entryOf(section: Section | undefined): Section | undefined {
  if (isTechnical(section)) return 'technical';
  return section === 'report' ? 'payments' : section;
}

/** One of the pages below an entry is not that of the entry. */
function sameAs(section: Section, frame: Frame): 'page' | 'true' {
  return section === frame.section ? 'page' : 'true';
}

function technicalTabs(view: View, frame: Frame): Markup {
  const { t } = view;
  return html`<nav aria-label="${t('admin.nav.technical')}">
    <ul class="tabs mb-0">
      ${TECHNICAL.map(
        (section) =>
          html`<li>
            <a href="/admin/${section}" ${section === frame.section ? html`aria-current="page"` : ''}
              >${t(section === 'technical' ? 'admin.technical.overview' : `admin.nav.${section}`)}
              ${section === 'failed' ? failedBadge(frame) : ''}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function failedBadge({ failedCount }: Frame): Markup {
  if (failedCount === 0) return html``;
  const number = failedCount > FAILED_SHOWN_MAX ? `${FAILED_SHOWN_MAX}+` : failedCount;
  return html`<span class="badge text-bg-danger">${number}</span>`;
}

function account(view: View, frame: Frame): Markup {
  const { t } = view;
  return html`<div class="account">
    <a class="who" href="/admin/sessions">
      ${icon('person-circle')}
      <span><span class="visually-hidden">${t('admin.nav.sessions')} – </span>${frame.username}</span>
    </a>
    ${signOut(view)}
  </div>`;
}

function signOut(view: View): Markup {
  return html`<form method="post" action="/admin/logout">
    ${csrfField(view)}
    <button class="btn btn-sm btn-outline-secondary btn-icon w-100 justify-content-center">
      ${icon('box-arrow-right')} <span class="words">${view.t('admin.sign_out')}</span>
    </button>
  </form>`;
}

export function csrfField({ csrf }: Pick<View, 'csrf'>): Markup {
  return html`<input type="hidden" name="csrf" value="${csrf}" />`;
}

export function alertOf({ type, message }: Flash): Markup {
  const role = type === 'danger' ? 'alert' : 'status';
  return html`<div class="alert alert-${type}" role="${role}">${message}</div>`;
}

function noticesOf(notices: readonly string[]): Markup {
  const [only = '', ...others] = notices;
  if (others.length === 0) return alertOf({ type: 'info', message: only });
  return html`<div class="alert alert-info" role="status">
    ${notices.map((each) => html`<div>${each}</div>`)}
  </div>`;
}
