/** Pieces that pages share: a state with its colour, a card around a table, paging, a form of one button. */
import { html } from 'hono/html';
import type {
  ContractStatus,
  DeliveryState,
  InboxState,
  JobState,
  PaymentStatus,
  RequestStatus,
} from '../../db/schema.js';
import { csrfField } from './layout.js';
import { count, label, type Markup, type View } from './view.js';

type AnyState = RequestStatus | ContractStatus | DeliveryState | PaymentStatus | InboxState | JobState;

const TONES: Record<AnyState | 'enabled' | 'disabled', 'plain' | 'busy' | 'wait' | 'good' | 'bad'> = {
  new: 'plain',
  in_progress: 'busy',
  WAITING_SIGNATURE: 'wait',
  WAITING_PAYMENT: 'wait',
  COMPLETE: 'good',
  PENDING: 'wait',
  SIGNED: 'good',
  EXPIRED: 'bad',
  open: 'wait',
  paid: 'good',
  expired: 'bad',
  received: 'busy',
  done: 'good',
  refused: 'bad',
  ignored: 'plain',
  available: 'busy',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  pending: 'busy',
  delivered: 'good',
  enabled: 'good',
  disabled: 'bad',
};

/** A stored state in the reader's words; the stored word stands in its title. */
export function state(view: View, word: keyof typeof TONES): Markup {
  return html`<span class="state state-${TONES[word]}" title="${word}"
    >${label(view, 'admin.state', word)}</span
  >`;
}

export interface Column {
  head: string;
  /** Bootstrap's classes, for instance those that hide it on a phone. */
  class?: string;
  /** Only for those who do not see what stands below it. */
  isHidden?: boolean;
}

/** A table, or a sentence when there is nothing to show. */
export function table(columns: readonly Column[], rows: readonly Markup[], empty: string): Markup {
  if (rows.length === 0) return html`<p class="empty mb-0">${empty}</p>`;
  return html`<div class="table-responsive">
    <table class="table">
      <thead>
        <tr>
          ${columns.map(
            ({ head, class: classes = '', isHidden = false }) =>
              html`<th scope="col" class="${classes}">
                <span class="${isHidden ? 'visually-hidden' : ''}">${head}</span>
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

export function card(title: string, content: Markup | Markup[], aside: Markup | string = ''): Markup {
  return html`<section class="card">
    <div class="card-header">
      <h2>${title}</h2>
      ${aside}
    </div>
    ${content}
  </section>`;
}

export type Fact = readonly [label: string, value: Markup | string | null | undefined];

/** What is not there is not shown. */
export function facts(list: readonly Fact[]): Markup {
  const shown = list.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** JSON with line breaks; anything else as it came. The keyboard can scroll it. */
export function jsonBlock(text: string): Markup {
  return html`<pre tabindex="0">${readable(text)}</pre>`;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** A link only for what is an address of the web; else its words. */
export function outside(url: string | null): Markup | string | null {
  if (url === null || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return url;
  return html`<a href="${url}" rel="noopener noreferrer" target="_blank">${url}</a>`;
}

/** A form of one button, for what needs no confirmation. */
export function postButton(
  view: View,
  { action, words, fields = {} }: { action: string; words: Markup | string; fields?: Record<string, string> },
): Markup {
  return html`<form method="post" action="${action}">
    ${csrfField(view)}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="btn btn-sm btn-outline-secondary btn-icon">${words}</button>
  </form>`;
}

export interface Paging {
  path: string;
  query: URLSearchParams;
  page: number;
  perPage: number;
  total: number;
}

export function paging(view: View, { path, query, page, perPage, total }: Paging): Markup | string {
  const { t } = view;
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1) return '';
  const to = (number: number) => {
    const wanted = new URLSearchParams(query);
    wanted.set('page', String(number));
    return `${path}?${wanted.toString()}`;
  };
  const step = (number: number, words: string, isOpen: boolean) =>
    html`<li class="page-item ${isOpen ? '' : 'disabled'}">
      ${
        isOpen
          ? html`<a class="page-link" href="${to(number)}">${words}</a>`
          : html`<span class="page-link">${words}</span>`
      }
    </li>`;
  return html`<nav class="head" aria-label="${t('admin.paging')}">
    <span class="soft small num"
      >${t('admin.paging.shown', {
        from: count(view, (page - 1) * perPage + 1),
        to: count(view, Math.min(total, page * perPage)),
        total: count(view, total),
      })}</span
    >
    <ul class="pagination pagination-sm mb-0">
      ${step(1, t('admin.paging.first'), page > 1)} ${step(page - 1, t('admin.paging.previous'), page > 1)}
      ${step(page + 1, t('admin.paging.next'), page < last)}
      ${step(last, t('admin.paging.last'), page < last)}
    </ul>
  </nav>`;
}

/** A page number from an address; what makes no sense is the first page. */
export function pageNumber(word: string | undefined): number {
  const page = /^[1-9]\d{0,8}$/.test(word ?? '') ? Number(word) : 1;
  return page;
}
