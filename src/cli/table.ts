/** Lists: a table that fits the terminal, or tab-separated lines with a header line for other programs. */
import CliTable from 'cli-table3';

export interface Column {
  head: string;
  align?: 'left' | 'right';
  /** Gives way when the terminal is too narrow: its text is wrapped. */
  isWide?: boolean;
}

const GAP = 2;
const WIDE_MIN = 12;

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

/** Lines of a table without borders, none longer than `width` unless the columns that must stay whole are. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly string[][],
  { width, head = (text) => text }: { width: number; head?: (text: string) => string },
): string[] {
  const widths = fit(columns, rows, width);
  const table = new CliTable({
    head: columns.map((column) => head(column.head)),
    colWidths: widths,
    colAligns: columns.map(({ align }) => align ?? 'left'),
    wordWrap: true,
    chars: NO_BORDERS,
    // Empty lists: otherwise heads and borders are coloured, also in a pipe.
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const row of rows) table.push(row.map((cell, i) => breakLongWords(cell || '-', widths[i] ?? width)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** A header line and one line a row; tabs and line ends inside a value become spaces. */
export function tsvLines(columns: readonly Column[], rows: readonly string[][]): string[] {
  return [columns.map(({ head }) => head), ...rows].map((cells) => cells.map(oneCell).join('\t'));
}

/** Control characters could move the cursor of whoever reads this, or break the row. */
export function oneCell(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function fit(columns: readonly Column[], rows: readonly string[][], width: number): number[] {
  const natural = columns.map(({ head }, i) =>
    Math.max(head.length, ...rows.map((row) => [...(row[i] ?? '')].length), 1),
  );
  const total = natural.reduce((sum, each) => sum + each, 0) + GAP * (columns.length - 1);
  const wide = columns.findIndex(({ isWide }) => isWide);
  if (total <= width || wide < 0) return natural;
  const rest = total - (natural[wide] as number);
  return natural.with(wide, Math.max(WIDE_MIN, width - rest));
}

function breakLongWords(text: string, width: number): string {
  return text.replaceAll(new RegExp(`\\S{${width}}(?=\\S)`, 'gu'), '$& ');
}
