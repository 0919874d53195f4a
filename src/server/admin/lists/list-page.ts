/** A list page of the back office, made from a declared noun: filters, table, order, its file, and the way to its other pages. */
import { html } from 'hono/html';
import type { Place } from '../../../core/calls/listing.js';
import { sumWords } from '../../../core/payment/price.js';
import type { Counted, Filters, Reads, Resource } from '../../../core/resources/resource.js';
import { csvLines, every, placeOf, sumsOfAll, inPortions } from '../../../core/resources/show.js';
import type { Price } from '../../../core/settings/currencies.js';
import { linkTo, figure, type Markup, type View } from '../frame/view.js';
import { card } from '../frame/components.js';
import { columnsOf } from './field-columns.js';
import { csvButton, paging, stepped } from './paging.js';
import { filterForm, wishOf, type Wish } from './filter-form.js';
import type { PageCall } from '../frame/page-call.js';
import type { Pages } from '../frame/pages.js';
import type { PageLabel } from '../texts.js';
import { sortLine, table, type Column } from './table.js';
import { wallClock } from '../../../core/zone.js';

export interface ListOptions<Row, F extends Filters, By extends string> {
  path: string;
  title: PageLabel;
  /** By default the title. */
  heading?: PageLabel | ((call: PageCall, found: Found<Row>) => string);
  none?: PageLabel;
  noneFits?: PageLabel;
  /** Rows on a page. The pages of a counted list have numbers; another is walked step by step. */
  perPage?: number;
  /** Buttons beside the title. */
  aside?: (call: PageCall) => Markup;
  above?: (call: PageCall, wish: Wish<F, By>) => Markup[];
  below?: (call: PageCall) => Markup[];
  /** A column of boxes before the others, which belong to the form below the table. */
  choice?: { column: (view: View) => Column<Row>; form: (view: View) => Markup };
  /** Filters that are chosen elsewhere than in the form. */
  apart?: readonly string[];
}

export interface Found<Row> {
  rows: readonly Row[];
  total?: number;
  /** What all of them amount to, a sum a currency. */
  sums?: readonly Price[];
  isCapped?: boolean;
}

export function listPage<Row, F extends Filters, By extends string>(
  pages: Pages,
  resource: Resource<Row, F, By>,
  options: ListOptions<Row, F, By>,
): Pages {
  const { path } = options;
  const withList = pages.get(path, async (call) => {
    const wish = wishOf(call, resource);
    const read = resource.isCounted ? readCounted : readSteps;
    const ended = (row: Row) => placeOf(resource, wish.order, row);
    const shown = read(call, wish, await resource.load(), { ...options, ended });
    return shown instanceof Promise ? shown : pageOf(call, resource, wish, { ...options, ...shown });
  });
  return listFile(withList, resource, path);
}

export function listFile<Row, F extends Filters, By extends string>(
  pages: Pages,
  resource: Resource<Row, F, By>,
  path: string,
): Pages {
  return pages.get(`${path}.csv`, async (call) => {
    const { filter, order } = wishOf(call, resource);
    const wanted = filter && { filter, order, ownerId: null };
    const rows = wanted ? every(resource, await resource.load(), call.ctx, wanted) : [];
    return sendList(call, path, csvLines(resource, rows, call.view));
  });
}

function pageOf<Row, F extends Filters, By extends string>(
  call: PageCall,
  resource: Resource<Row, F, By>,
  wish: Wish<F, By>,
  shown: ListOptions<Row, F, By> & Shown<Row>,
) {
  const { view } = call;
  const { t } = view;
  const {
    path,
    title,
    heading = title,
    none = 'admin.list.none',
    noneFits = 'admin.list.none_fits',
    aside,
    above,
    below,
    choice,
    apart = [],
    found,
    others,
  } = shown;
  const { order: _, ...filtered } = wish.words;
  const columns = columnsOf(view, resource, { ...resource, order: wish.order, path, words: wish.words });
  const choices = choice ? [choice.column(view)] : [];
  // The box on top of the page is where it was typed.
  const isSearch = apart.includes('search');
  const isEmpty = found.rows.length === 0;
  const body = [
    ...(above?.(call, wish) ?? []),
    filterForm(view, resource, { path, words: wish.words, apart }),
    card(
      [
        typeof heading === 'string' ? t(heading) : heading(call, found),
        sumWords(view.locale, found.sums ?? []),
      ]
        .filter(Boolean)
        .join(' · '),
      table(found.rows, t(Object.keys(filtered).length > 0 ? noneFits : none), [...choices, ...columns]),
      isEmpty ? '' : html`${sortLine(view, columns)} ${csvButton(view, path, wish.words)}`,
    ),
    ...(choice && !isEmpty ? [choice.form(view)] : []),
    others,
    ...(below?.(call) ?? []),
  ];
  return {
    title: t(title),
    ...(aside && { aside: aside(call) }),
    ...(isSearch && { search: wish.words['search'] ?? '' }),
    body,
  };
}

const PER_PAGE = 50;

interface Shown<Row> {
  found: Found<Row>;
  /** The way to the other rows. */
  others: Markup;
}

/** By its number; beyond the last page it leads to that. */
function readCounted<Row, F extends Filters, By extends string>(
  call: PageCall,
  { filter, order, words }: Wish<F, By>,
  reads: Reads<Row, F, By>,
  { path, perPage = PER_PAGE }: ListOptions<Row, F, By>,
): Shown<Row> | Promise<Response> {
  const { ctx, view, page: number } = call;
  const wanted = { order, ownerId: null, limit: perPage, offset: (number - 1) * perPage };
  const found: Counted<Row> =
    filter && reads.page ? reads.page(ctx, { filter, ...wanted }) : { rows: [], total: 0 };
  const last = Math.max(1, Math.ceil(found.total / perPage));
  if (number > last) {
    const message = view.t('admin.list.last_page', { page: figure(view, number) });
    return call.goTo(linkTo(path, { ...words, page: String(last) }), { type: 'info', message });
  }
  const others = paging(view, { path, words, page: number, perPage, total: found.total });
  return { found: { ...found, sums: sumsOfAll(found) }, others };
}

function readSteps<Row, F extends Filters, By extends string>(
  call: PageCall,
  { filter, order, words }: Wish<F, By>,
  { walk }: Reads<Row, F, By>,
  { path, perPage = PER_PAGE, ended }: ListOptions<Row, F, By> & { ended: (row: Row) => Place },
): Shown<Row> {
  const { rows, others } = stepped(call, {
    to: (cursor) => linkTo(path, { ...words, ...cursor }),
    perPage,
    read: (past, limit) => (filter ? walk(call.ctx, { filter, order, ownerId: null, past, limit }) : []),
    placeOf: ended,
  });
  return { found: { rows }, others };
}

// Sends a list as a file for spreadsheets, streamed while it is read.

const ENCODER = new TextEncoder();

/** An address with a filter that nobody knows gets the page, which says so, instead of more rows than were meant. */
export function sendList(call: PageCall, page: string, lines: Iterable<string>): Response {
  const { c, ctx, user } = call;
  const { search } = new URL(c.req.url);
  if (call.notices.length > 0) return c.redirect(page + search, 303);
  const name = page.split('/').at(-1);
  const { day } = wallClock(ctx.config.timeZone, ctx.clock.now());
  c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
  c.header('Content-Disposition', `attachment; filename="${name}-${day}.csv"`);
  c.header('Cache-Control', 'no-store, private');
  ctx.log.info({ userId: user.id, list: name }, 'list exported');
  const portions = inPortions(lines);
  const body = new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await portions.next();
      if (done) controller.close();
      else controller.enqueue(ENCODER.encode(value));
    },
    cancel: () => void portions.return(undefined),
  });
  return c.body(body);
}
