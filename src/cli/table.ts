/** Lists: a table that fits the terminal, or tab-separated lines with a header line for other programs. */
import { createRequire } from 'node:module';
import type CliTableClass from 'cli-table3';
import { fit, GAP, sum, wanted, type Column } from './column-widths.js';
import { cut } from './text-width.js';
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

/** A last column that would get less than this goes below its row instead, over the whole width. */
const BESIDE_MIN = 24;

interface Look {
  width: number;
  /** How a head is marked. */
  head?: (text: string) => string;
}

/** Lines of a table without borders, none longer than `width` unless its columns do not even fit at their narrowest. */
export function tableLines(columns: readonly Column[], rows: readonly string[][], look: Look): string[] {
  const named = zonesInHeads(columns, rows);
  const widths = wanted(named.columns, named.rows);
  return sum(widths) > look.width ? fitted(named, look) : grid(named.columns, named.rows, widths, look);
}

interface Table {
  columns: readonly Column[];
  rows: readonly string[][];
}

function fitted({ columns, rows }: Table, look: Look): string[] {
  const widths = fit(columns, rows, look.width);
  return goesBelow(columns, rows, widths)
    ? twoStoried(columns, rows, look)
    : grid(columns, rows, widths, look);
}

/** A zone that all times of a column share stands once, in its head. */
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
  // Loaded here: most commands print no table, and those in a pipe never do.
  const CliTable = createRequire(import.meta.url)('cli-table3') as typeof CliTableClass;
  const table = new CliTable({
    head: columns.map((column, i) => head(cut(column.head, widths[i] as number))),
    colWidths: widths,
    colAligns: columns.map(({ align }) => align ?? 'left'),
    wordWrap: true,
    chars: NO_BORDERS,
    // Empty lists: otherwise heads and borders are coloured, also in a pipe.
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const row of rows) {
    table.push(
      row.map((cell, i) => {
        const max = widths[i] as number;
        return columns[i]?.isWhole ? breakLongWords(cell || '-', max) : cut(cell || '-', max);
      }),
    );
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

function goesBelow(
  columns: readonly Column[],
  rows: readonly string[][],
  widths: readonly number[],
): boolean {
  const last = columns.length - 1;
  const isOneLineEach = columns.every(({ isWhole = false }) => !isWhole);
  if (last < 2 || !columns[last]?.isWide || !isOneLineEach) return false;
  const asked = wanted(columns, rows)[last] as number;
  return (widths[last] as number) < Math.min(asked, BESIDE_MIN);
}

/** The last column below the others, set in as far as the second. */
function twoStoried(columns: readonly Column[], rows: readonly string[][], look: Look): string[] {
  const last = columns.length - 1;
  const upper = columns.slice(0, last);
  const upperRows = rows.map((row) => row.slice(0, last));
  const widths = fit(upper, upperRows, look.width);
  const indent = (widths[0] as number) + GAP;
  const below = (text: string) => cut(text || '-', look.width - indent);
  const lowerLines = [
    (look.head ?? String)(below(columns[last]?.head ?? '')),
    ...rows.map((row) => below(row[last] ?? '')),
  ];
  return grid(upper, upperRows, widths, look).flatMap((line, i) => [
    line,
    ' '.repeat(indent) + lowerLines[i],
  ]);
}

/** A header line and one line a row; tabs and line ends inside a value become spaces. */
export function tsvLines(columns: readonly Column[], rows: readonly string[][]): string[] {
  return [columns.map(({ head }) => head), ...rows].map((cells) => cells.map(oneCell).join('\t'));
}

/** Control characters could move the cursor of whoever reads this, or break the row. */
export function oneCell(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function breakLongWords(text: string, width: number): string {
  return text.replaceAll(new RegExp(`\\S{${width}}(?=\\S)`, 'gu'), '$& ');
}
