/** Lists: a table that fits the terminal, or tab-separated lines with a header line for other programs. */
import { createRequire } from 'node:module';
import type CliTableClass from 'cli-table3';
import { fit, GAP, isUncut, sum, wanted, type Column } from './column-widths.js';
import { plainly } from '../core/texts/plain.js';
import { cut, displayWidth, withBreaks, wrapped } from './text-width.js';
import { withoutZone } from './shown-times.js';

export type { Column } from './column-widths.js';

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

/** A last column narrower than this goes below its row, at full width. */
const BESIDE_MIN = 24;

interface Look {
  width: number;
  /** How to mark a header. */
  head?: (text: string) => string;
}

/** A table without borders, at most `width` wide; when that does not fit, each row becomes a block. */
export function tableLines(columns: readonly Column[], rows: readonly string[][], look: Look): string[] {
  const named = zonesInHeads(columns, rows);
  const widths = wanted(named.columns, named.rows);
  return sum(widths) > look.width ? fitted(named, look) : grid(named.columns, named.rows, widths, look);
}

interface Table {
  columns: readonly Column[];
  rows: readonly string[][];
}

/** Spare columns are missing only where that saves the others. */
function fitted(table: Table, look: Look): string[] {
  return inColumns(withoutSpare(table, look.width), look) ?? blocks(table, look);
}

function withoutSpare(table: Table, width: number): Table {
  const shown = goesBelow(table, width) ? upperOf(table) : table;
  const spare = table.columns.findIndex(({ isSpare = false }) => isSpare);
  if (spare < 0 || isUncut(shown.columns, shown.rows, width)) return table;
  return withoutSpare(without(table, spare), width);
}

function without({ columns, rows }: Table, at: number): Table {
  return { columns: columns.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) };
}

/** Undefined where that does not fit. */
function inColumns(table: Table, look: Look): string[] | undefined {
  const { columns, rows } = table;
  const widths = fit(columns, rows, look.width);
  if (!goesBelow(table, look.width)) {
    return sum(widths) > look.width ? undefined : grid(columns, rows, widths, look);
  }
  const upper = upperOf(table);
  const isFitting = sum(fit(upper.columns, upper.rows, look.width)) <= look.width;
  return isFitting ? twoStoried(table, look) : undefined;
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

function grid(
  columns: readonly Column[],
  rows: readonly string[][],
  widths: number[],
  { head = (text) => text }: Look,
): string[] {
  // Loaded here, because most commands print no table.
  const CliTable = createRequire(import.meta.url)('cli-table3') as typeof CliTableClass;
  const table = new CliTable({
    head: columns.map((column, i) => head(cut(column.head, widths[i] as number))),
    colWidths: widths,
    colAligns: columns.map(({ align }) => align ?? 'left'),
    wordWrap: true,
    chars: NO_BORDERS,
    // Empty lists, or headers and borders would be coloured even in a pipe.
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const row of rows) {
    table.push(
      row.map((cell, i) => {
        const max = widths[i] as number;
        return columns[i]?.isWhole ? withBreaks(cell || '-', max) : cut(cell || '-', max);
      }),
    );
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

function goesBelow({ columns, rows }: Table, width: number): boolean {
  const last = columns.length - 1;
  const { isWide = false, isLink = false } = columns[last] ?? {};
  const isOneLineEach = columns.every(({ isWhole = false }) => !isWhole);
  if (last < 2 || !(isWide || isLink) || !isOneLineEach) return false;
  const asked = wanted(columns, rows)[last] as number;
  return isLink || (fit(columns, rows, width)[last] as number) < Math.min(asked, BESIDE_MIN);
}

function upperOf(table: Table): Table {
  return without(table, table.columns.length - 1);
}

/** The last column below the others, indented to the second. */
function twoStoried(table: Table, look: Look): string[] {
  const column = table.columns.at(-1);
  const upper = upperOf(table);
  const widths = fit(upper.columns, upper.rows, look.width);
  const indent = (widths[0] as number) + GAP;
  const below = (text: string) => (column?.isLink ? text : cut(text || '-', look.width - indent));
  const lowerLines = [
    (look.head ?? String)(below(column?.head ?? '')),
    ...table.rows.map((row) => below(row.at(-1) ?? '')),
  ];
  return grid(upper.columns, upper.rows, widths, look).flatMap((line, i) => [
    line,
    ' '.repeat(indent) + lowerLines[i],
  ]);
}

/** Every cell on its own line after its header; an empty line between rows. */
function blocks({ columns, rows }: Table, { width, head = (text) => text }: Look): string[] {
  const headWidth = Math.min(Math.max(...columns.map((column) => displayWidth(column.head))), width >> 1);
  const room = Math.max(1, width - headWidth - GAP);
  const label = (text: string) => `${head(text)}${' '.repeat(headWidth - displayWidth(text) + GAP)}`;
  return rows.flatMap((row, at) => [
    ...(at > 0 ? [''] : []),
    ...columns.flatMap((column, i) => {
      if (column.isLink && row[i]) return [label(cut(column.head, headWidth)).trimEnd(), row[i]];
      const [first, ...more] = wrapped(withBreaks(row[i] || '-', room), room);
      const below = more.map((line) => ' '.repeat(headWidth + GAP) + line);
      return [label(cut(column.head, headWidth)) + first, ...below].map((line) => line.trimEnd());
    }),
  ]);
}

/** A header line and one line per row; tabs and line ends in values become spaces. */
export function tsvLines(columns: readonly Column[], rows: readonly string[][]): string[] {
  return [columns.map(({ head }) => head), ...rows].map((cells) => cells.map(oneCell).join('\t'));
}

/** Removes control characters, which could move the cursor or break the row, and direction marks. */
export function oneCell(text: string): string {
  return plainly(text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim();
}
