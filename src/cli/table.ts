/** Lists: a table that fits the terminal, or tab-separated lines with a header line for other programs. */
import { createRequire } from 'node:module';
import type CliTableClass from 'cli-table3';
import { fit, GAP, sum, wanted, type Column } from './column-widths.js';
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

function fitted({ columns, rows }: Table, look: Look): string[] {
  const widths = fit(columns, rows, look.width);
  if (goesBelow(columns, rows, widths)) {
    const upper = upperOf({ columns, rows });
    if (sum(fit(upper.columns, upper.rows, look.width)) <= look.width) return twoStoried(columns, rows, look);
  } else if (sum(widths) <= look.width) return grid(columns, rows, widths, look);
  return blocks(columns, rows, look);
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

function upperOf({ columns, rows }: Table): Table {
  return { columns: columns.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) };
}

/** The last column below the others, indented to the second. */
function twoStoried(columns: readonly Column[], rows: readonly string[][], look: Look): string[] {
  const last = columns.length - 1;
  const upper = upperOf({ columns, rows });
  const widths = fit(upper.columns, upper.rows, look.width);
  const indent = (widths[0] as number) + GAP;
  const below = (text: string) => cut(text || '-', look.width - indent);
  const lowerLines = [
    (look.head ?? String)(below(columns[last]?.head ?? '')),
    ...rows.map((row) => below(row[last] ?? '')),
  ];
  return grid(upper.columns, upper.rows, widths, look).flatMap((line, i) => [
    line,
    ' '.repeat(indent) + lowerLines[i],
  ]);
}

/** Every cell on its own line after its header; an empty line between rows. */
function blocks(columns: readonly Column[], rows: readonly string[][], look: Look): string[] {
  const { width, head = (text) => text } = look;
  const headWidth = Math.min(Math.max(...columns.map((column) => displayWidth(column.head))), width >> 1);
  const room = Math.max(1, width - headWidth - GAP);
  const label = (text: string) => `${head(text)}${' '.repeat(headWidth - displayWidth(text) + GAP)}`;
  return rows.flatMap((row, at) => [
    ...(at > 0 ? [''] : []),
    ...columns.flatMap((column, i) => {
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
