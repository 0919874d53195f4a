/** A list as a file for spreadsheets: RFC 4180 in UTF-8 with a byte order mark, streamed while it is read. */
import { setImmediate as turn } from 'node:timers/promises';
import { wallClock } from '../../core/zone.js';
import type { PageCall } from './page-call.js';
import type { View } from './view.js';

/** A heading, and what stands below it. */
export type CsvColumn<Row> = readonly [head: string, cell: (row: Row) => string | number | null];

/** So many lines are made in one turn, so that a long list holds nobody up. */
const PORTION = 500;
/** Spreadsheets take a file without it for one in an 8-bit code page. */
const BYTE_ORDER_MARK = '\ufeff';
const ENCODER = new TextEncoder();

/**
 * The rows that the list's filter finds, all of them. An address with a filter that nobody knows gets the page, which says so,
 * instead of more rows than were meant.
 */
export function sendCsv<Row>(
  call: PageCall,
  page: string,
  columns: readonly CsvColumn<Row>[],
  rows: Iterable<Row>,
): Response {
  const { c, ctx, user } = call;
  const { search } = new URL(c.req.url);
  if (call.notices.length > 0) return c.redirect(page + search, 303);
  const name = page.split('/').at(-1);
  const { day } = wallClock(ctx.config.timeZone, ctx.clock.now());
  c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
  c.header('Content-Disposition', `attachment; filename="${name}-${day}.csv"`);
  c.header('Cache-Control', 'no-store, private');
  ctx.log.info({ userId: user.id, list: name }, 'list exported');
  return c.body(streamOf(linesOf(columns, rows)));
}

/** When, as spreadsheets read it: in the zone that the heading names. */
export function csvTime<Row>(view: View, head: string, at: (row: Row) => string | null): CsvColumn<Row> {
  return [`${head} (${view.timeZone})`, (row) => written(view, at(row))];
}

function written({ timeZone }: View, at: string | null): string | null {
  if (at === null || Number.isNaN(Date.parse(at))) return null;
  const { day, time } = wallClock(timeZone, at);
  return `${day} ${time}`;
}

function* linesOf<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns.map(([head]) => head));
  for (const row of rows) yield csvLine(columns.map(([, cell]) => cell(row)));
}

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? cell : quoted(cell ?? ''))).join(',')}\r\n`;
}

/** A spreadsheet computes what begins like this, also written wide; an apostrophe in front makes it text. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

function quoted(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function* portionsOf(lines: Iterable<string>): Generator<string> {
  let portion: string[] = [];
  for (const line of lines) {
    portion.push(line);
    if (portion.length < PORTION) continue;
    yield portion.join('');
    portion = [];
  }
  yield portion.join('');
}

function streamOf(lines: Iterable<string>): ReadableStream<Uint8Array> {
  const portions = portionsOf(lines);
  return new ReadableStream({
    pull: async (controller) => {
      await turn();
      const { done, value } = portions.next();
      if (done) controller.close();
      else controller.enqueue(ENCODER.encode(value));
    },
    cancel: () => void portions.return(undefined),
  });
}
