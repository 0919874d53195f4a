/** Lists: a table that fits the terminal, or tab-separated lines with a header line for other programs. */
import { createRequire } from 'node:module';
import type CliTableClass from 'cli-table3';
import { plainly } from '../../core/texts/plain.js';
import { cellLines, cut, displayWidth, hasLongAddress } from './text-width.js';
import { zoneAt } from '../../core/texts/format.js';
import { wallClock } from '../../core/zone.js';

/** A column is never cut or broken, unless it says so here. */
export interface Column {
  head: string;
  align?: 'left' | 'right';
  /** Free words: gives way where the terminal is too narrow, and is cut with `…`. */
  isWide?: boolean;
  /** Gives way too, but its text is wrapped, and an address in it is never broken. */
  isWhole?: boolean;
  /** Left out where the terminal is too narrow, the lowest first; the reader is told. */
  spare?: number;
  /** To copy: in a block alone on its line. */
  isLink?: boolean;
}

const GAP = 2;
/** In less, a column that gives way would tell too little. */
const FLEXIBLE_MIN = 20;

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

interface Look {
  width: number;
  /** How to mark a header. */
  head?: (text: string) => string;
}

interface Table {
  columns: readonly Column[];
  rows: readonly string[][];
}

interface Laid {
  lines: string[];
  /** The heads of the columns that were left out. */
  hidden: string[];
}

/** A table without borders, at most `width` wide; only an address or a command to copy may be wider. */
export function tableLines(columns: readonly Column[], rows: readonly string[][], look: Look): string[] {
  return laidOut(columns, rows, look).lines;
}

/** Side by side, with the widest columns that may give way narrowed if needed; else with fewer columns; else each row as a block of lines. */
export function laidOut(columns: readonly Column[], rows: readonly string[][], look: Look): Laid {
  const whole = zonesInHeads(columns, rows);
  for (const table of fewerAndFewer(whole)) {
    const widths = widthsOf(table, look.width);
    if (!widths) continue;
    const hidden = whole.columns.filter((column) => !table.columns.includes(column));
    return { lines: sideBySide(table, widths, look), hidden: hidden.map(({ head }) => head) };
  }
  return { lines: blocks(whole, look), hidden: [] };
}

function fewerAndFewer(table: Table): Table[] {
  const { columns, rows } = table;
  const lowest = Math.min(...columns.flatMap(({ spare = [] }) => spare));
  const at = columns.findIndex(({ spare }) => spare === lowest);
  if (at < 0) return [table];
  const fewer = { columns: columns.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) };
  return [table, ...fewerAndFewer(fewer)];
}

/** Undefined where it does not fit. */
function widthsOf({ columns, rows }: Table, width: number): number[] | undefined {
  const widths = columns.map(({ head }, i) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[i] ?? '')), Math.max(1, displayWidth(head))),
  );
  const gives = columns.map(({ isWide, isWhole }) => isWide || isWhole);
  const room = widths.reduce(
    (left, each, i) => (gives[i] ? left : left - each),
    width - GAP * (widths.length - 1),
  );
  const most = mostOf(
    widths.filter((_, i) => gives[i]),
    room,
  );
  const isBroken = columns.some(
    ({ isWhole }, i) => isWhole && rows.some((row) => hasLongAddress(row[i] ?? '', most)),
  );
  if (most < FLEXIBLE_MIN || isBroken) return undefined;
  return widths.map((each, i) => (gives[i] ? Math.min(each, most) : each));
}

/** How wide each may be at most, so that they have room together; the narrower ones stay as they are. */
function mostOf(widths: readonly number[], room: number): number {
  let left = room;
  for (const [i, each] of widths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (widths.length - i));
    if (each > share) return share;
    left -= each;
  }
  return left < 0 ? 0 : Number.POSITIVE_INFINITY;
}

/** Moves a time zone shared by a whole column into its header. */
function zonesInHeads(columns: readonly Column[], rows: readonly string[][]): Table {
  const zones = columns.map((_, i) => withoutZone(rows.flatMap((row) => row[i] || [])).zone);
  const without = (cell: string, zone: string | undefined) =>
    zone && cell ? cell.slice(0, -(zone.length + 1)) : cell;
  return {
    columns: columns.map((column, i) =>
      zones[i] ? { ...column, head: `${column.head} (${zones[i]})` } : column,
    ),
    rows: rows.map((row) => row.map((cell, i) => without(cell, zones[i]))),
  };
}

function sideBySide(
  { columns, rows }: Table,
  widths: readonly number[],
  { head = (text) => text }: Look,
): string[] {
  // Loaded here, because most commands print no table.
  const CliTable = createRequire(import.meta.url)('cli-table3') as typeof CliTableClass;
  const options = {
    colWidths: [...widths],
    colAligns: columns.map(({ align }) => align ?? 'left'),
    wordWrap: true,
    chars: NO_BORDERS,
    // Empty lists, or headers and borders would be coloured even in a pipe.
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  };
  const fitted = (cell: string, i: number) => {
    const width = widths[i] as number;
    return columns[i]?.isWhole ? cellLines(cell, width).join('\n') : cut(cell, width);
  };
  const heads = columns.map((column) => head(column.head));
  const cells = rows.map((row) => row.map((cell, i) => fitted(cell || '-', i)));
  // A table for each row: the time that one takes grows with the square of its rows.
  return [heads, ...cells].flatMap((row) => {
    const table = new CliTable(options);
    table.push(row);
    return table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd());
  });
}

/** Every cell on its own line after its header; an empty line between rows. */
function blocks({ columns, rows }: Table, { width, head = (text) => text }: Look): string[] {
  const headWidth = Math.min(Math.max(...columns.map((column) => displayWidth(column.head))), width >> 1);
  const room = Math.max(1, width - headWidth - GAP);
  const record = (row: readonly string[]) =>
    columns.flatMap((column, i) => {
      const cell = row[i] || '-';
      const name = cut(column.head, headWidth);
      if (hasLongAddress(cell, room) || (column.isLink && displayWidth(cell) > room))
        return [head(name), ...(column.isLink ? [cell] : cellLines(cell, width))];
      return cellLines(cell, room).map((line, at) => {
        const label = at === 0 ? head(name) : '';
        return `${label}${' '.repeat(headWidth + GAP - (at === 0 ? displayWidth(name) : 0))}${line}`.trimEnd();
      });
    });
  return rows.flatMap((row, at) => [...(at > 0 ? [''] : []), ...record(row)]);
}

/** A header line and one line per row; tabs and line ends in values become spaces. */
export function tsvLines(columns: readonly Column[], rows: readonly string[][]): string[] {
  return [columns.map(({ head }) => head), ...rows].map((cells) => cells.map(oneCell).join('\t'));
}

/** Removes control characters, which could move the cursor or break the row, and direction marks. */
export function oneCell(text: string): string {
  return plainly(text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim();
}

// Times for people: stored in UTC, shown in the settings' zone.

/** `2026-03-02 10:14:07 CET`. */
export function localTime(timeZone: string, iso: string): string {
  const { day, time } = wallClock(timeZone, iso);
  return `${day} ${time} ${zoneAt({ locale: 'en', timeZone }, iso)}`;
}

/**
 * Local times without their common zone, and that zone; with several zones, as across summer time, each keeps its
 * own.
 */
function withoutZone(times: readonly string[]): {
  zone: string | undefined;
  times: readonly string[];
} {
  const LOCAL = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) (\S+)$/;
  const parts = times.map((time) => LOCAL.exec(time));
  const zone = parts[0]?.[2];
  if (!zone || parts.some((part) => part?.[2] !== zone)) return { zone: undefined, times };
  return { zone, times: parts.map((part) => part?.[1] as string) };
}
