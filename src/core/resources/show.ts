/** What the surfaces take from a declared noun: fields, documents, words, and the file for spreadsheets. */
import { setImmediate as turn } from 'node:timers/promises';
import { type Place, type Order, everyRow } from '../calls/listing.js';
import type { Data } from '../installation/data.js';
import { decimalsOf, type Price } from '../settings/currencies.js';
import { moneyWords, sumsOf } from '../payment/price.js';
import type { Reader } from '../texts/format.js';
import { label, sayIn, type Say } from '../texts/index.js';
import { wallClock } from '../zone.js';
import type { Counted, Field, Filters, Reads, Resource, State, Value, WalkWanted } from './resource.js';

type Named<Row> = [name: string, field: Field<Row>];

/** For people, who read some fields in one. */
export function shownFields<Row>({ fields }: Pick<Resource<Row>, 'fields'>): Named<Row>[] {
  return Object.entries(fields).filter(([, field]) => field.partOf === undefined && !field.forPrograms);
}

/** For programs, which get the parts. */
export function storedFields<Row>({ fields }: Pick<Resource<Row>, 'fields'>): Named<Row>[] {
  const wholes = new Set(Object.values(fields).map(({ partOf }) => partOf));
  return Object.entries(fields).filter(([name]) => !wholes.has(name));
}

export function documentOf<Row>(
  resource: Pick<Resource<Row>, 'fields'>,
  row: Row,
  reader: Reader,
): Record<string, unknown> {
  const say = sayIn(reader.locale);
  const members = storedFields(resource).map(([name, field]) => {
    const value = field.of(row);
    return [name, field.isSaid && value !== null ? wordsOf(field, row, reader, say) : value] as const;
  });
  return Object.fromEntries(members);
}

/** What people see: words, a time, or a state in its colour. */
export type Shown = string | { time: string } | { state: State };

export function shownOf<Row>(
  { kind, of, words, state, currency }: Field<Row>,
  row: Row,
  { locale }: Reader,
  say: Say,
): Shown {
  const value = of(row);
  const money = currency?.(row);
  if (money !== undefined) return moneyWords(locale, { amount: value as number | null, currency: money });
  // They may have something to say of a row whose value is null.
  if (words) return words(row, say);
  if (value === null) return '';
  if (state) return { state: state(row) };
  if (kind === 'state') return { state: plain(value) as State };
  return kind === 'time' ? { time: plain(value) } : plain(value);
}

/** The same where there is room for a text only. */
export function wordsOf<Row>(field: Field<Row>, row: Row, reader: Reader, say: Say): string {
  const shown = shownOf(field, row, reader, say);
  if (typeof shown === 'string') return shown;
  return 'time' in shown ? shown.time : label(say, `state.${shown.state}`, shown.state);
}

/** What programs read there. */
export function plain(value: Value): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Every row that is asked for, read a part at a time. */
export function every<Row, F extends Filters, By extends string>(
  resource: Resource<Row, F, By>,
  { walk }: Reads<Row, F, By>,
  data: Data,
  { past, ...wanted }: Omit<WalkWanted<F, By>, 'limit'>,
): Iterable<Row> {
  return everyRow<Row>((last, limit) =>
    walk(data, { ...wanted, limit, past: last ? placeOf(resource, wanted.order, last) : past }),
  );
}

/** More are not added up, so that a list is there at once. */
const SUMMED_MAX = 10_000;

/** What all that is found amounts to, a sum a currency; nothing of what has no amounts. */
export function sumsOfAll({ total, sums }: Pick<Counted<unknown>, 'total' | 'sums'>): Price[] {
  return sums && total <= SUMMED_MAX ? sums() : [];
}

export function sumsOfRows<Row>(
  { fields, isTariff = false }: Pick<Resource<Row>, 'fields' | 'isTariff'>,
  rows: readonly Row[],
): Price[] {
  if (isTariff) return [];
  return Object.values(fields).flatMap(({ of, currency }) =>
    currency
      ? sumsOf(rows.map((row) => ({ amount: of(row) as number | null, currency: currency(row) ?? null })))
      : [],
  );
}

/** Where a list ends that goes on behind this row. */
export function placeOf<Row>(
  { fields }: Pick<Resource<Row>, 'fields'>,
  { by }: Order<string>,
  row: Row,
): Place {
  return { id: fields['id']?.of(row) as number, key: plain(fields[by]?.of(row) ?? null) };
}

/** Spreadsheets take a file without it for one in an 8-bit code page. */
const BYTE_ORDER_MARK = '\ufeff';

/** A list as a file for spreadsheets: RFC 4180 in UTF-8; where the comma divides decimals, semicolons divide cells. */
export function* csvLines<Row>(
  resource: Pick<Resource<Row>, 'fields'>,
  rows: Iterable<Row>,
  reader: Reader,
): Generator<string> {
  const say = sayIn(reader.locale);
  const fields = storedFields(resource).map(([, field]) => field);
  const heads = fields.map(({ label, kind }) =>
    kind === 'time' ? `${say(label)} (${reader.timeZone})` : say(label),
  );
  yield BYTE_ORDER_MARK + csvLine(heads, reader);
  for (const row of rows) {
    yield csvLine(
      fields.map((field) => csvCell(field, row, reader, say)),
      reader,
    );
  }
}

type Cell = string | number;

function csvCell<Row>(field: Field<Row>, row: Row, reader: Reader, say: Say): Cell {
  const value = field.of(row);
  if (field.kind === 'time') return written(reader, value);
  const currency = field.currency?.(row);
  if (typeof value === 'number' && currency) return decimal(value, currency);
  return typeof value === 'number' && !field.words ? value : wordsOf(field, row, reader, say);
}

function decimal(amount: number, currency: string): number {
  return amount / 10 ** decimalsOf(currency.toLowerCase());
}

/** As spreadsheets read a time, in the zone that the heading names. */
function written({ timeZone }: Reader, at: unknown): string {
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return '';
  const { day, time } = wallClock(timeZone, at);
  return `${day} ${time}`;
}

export function csvLine(cells: readonly Cell[], { locale }: Pick<Reader, 'locale'>): string {
  const isFrench = locale === 'fr';
  const texts = cells.map((cell) =>
    typeof cell === 'string' ? quoted(cell) : isFrench ? String(cell).replace('.', ',') : String(cell),
  );
  return `${texts.join(isFrench ? ';' : ',')}\r\n`;
}

/** A spreadsheet computes what begins like this, also written wide; an apostrophe in front makes it text. A phone number is none. */
const FORMULA = /^\s*(?!\+\d+$)[=+\-@＝＋－＠]|^[\t\r\n]/;

function quoted(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** At most this many lines are made in one turn, so that a long list holds nobody up. */
const PORTION = 500;

export async function* inPortions(lines: Iterable<string>): AsyncGenerator<string> {
  let portion: string[] = [];
  for (const line of lines) {
    portion.push(line);
    if (portion.length < PORTION) continue;
    yield portion.join('');
    portion = [];
    await turn();
  }
  yield portion.join('');
}
