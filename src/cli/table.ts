/** Lists: a table that fits the terminal, or tab-separated lines with a header line for other programs. */
import { createRequire } from 'node:module';
import type CliTableClass from 'cli-table3';
import { fit, GAP, givesWay, sum, wanted, type Column } from './column-widths.js';
import { plainly } from '../core/texts/plain.js';
import { cut, displayWidth, hasLongAddress, paragraphLines, withBreaks, wrapped } from './text-width.js';
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

/** Last columns narrower than this go below their row, at full width: words that are cut, and prose that is wrapped. */
const BESIDE_MIN = { cut: 24, wrapped: 36 };

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

/**
 * Side by side; else with its last columns below each row; else with fewer columns; else, when nothing fits, each row as a
 * block of lines.
 */
export function laidOut(columns: readonly Column[], rows: readonly string[][], look: Look): Laid {
  const whole = zonesInHeads(columns, rows);
  for (const table of fewerAndFewer(whole)) {
    const storeys = storeysOf(table, look.width);
    if (!storeys) continue;
    const hidden = whole.columns.filter((column) => !table.columns.includes(column));
    return { lines: stacked(storeys, look), hidden: hidden.map(({ head }) => head) };
  }
  return { lines: blocks(whole, look), hidden: [] };
}

function fewerAndFewer(table: Table): Table[] {
  const spare = table.columns.findIndex(({ isSpare = false }) => isSpare);
  if (spare < 0) return [table];
  const { columns, rows } = table;
  const fewer = { columns: columns.toSpliced(spare, 1), rows: rows.map((row) => row.toSpliced(spare, 1)) };
  return [table, ...fewerAndFewer(fewer)];
}

/** Columns that stand side by side. */
interface Storey extends Table {
  widths: number[];
  indent: number;
}

/** Undefined where it does not fit even with its last columns below. */
function storeysOf(table: Table, width: number): Storey[] | undefined {
  const { columns } = table;
  const lowest = columns.findLastIndex((column) => !mayBeBelow(column)) + 1;
  // Below a single column nothing would be clearer.
  for (let first = columns.length; first >= Math.max(2, lowest); first -= 1) {
    const isLastHere = first === columns.length;
    const lastMin =
      isLastHere && lowest < columns.length && first > 2 ? besideMin(columns.at(-1)) : undefined;
    const upper = storey(slice(table, 0, first), { width, indent: 0, lastMin });
    const indent = (upper?.widths[0] ?? 0) + GAP;
    const lower = upper && lowerStoreys(slice(table, first), { width, indent });
    if (upper && lower) return [upper, ...lower];
  }
  return columns.length < 2 ? storeysOfOne(table, width) : undefined;
}

function besideMin(column: Column | undefined): number {
  return column?.isWhole ? BESIDE_MIN.wrapped : BESIDE_MIN.cut;
}

function storeysOfOne(table: Table, width: number): Storey[] | undefined {
  const only = storey(table, { width, indent: 0 });
  return only && [only];
}

/** What is wrapped and what is copied has lines of its own; the others share one. */
function lowerStoreys(table: Table, { width, indent }: { width: number; indent: number }) {
  const storeys: Storey[] = [];
  let from = 0;
  for (let i = 0; i < table.columns.length; i += 1) {
    const isAlone = standsAlone(table.columns[i]) || standsAlone(table.columns[i + 1]);
    if (!isAlone && i + 1 < table.columns.length) continue;
    const made = storey(slice(table, from, i + 1), { width, indent });
    if (!made) return undefined;
    storeys.push(made);
    from = i + 1;
  }
  return storeys;
}

function storey(
  table: Table,
  { width, indent, lastMin }: { width: number; indent: number; lastMin?: number | undefined },
): Storey | undefined {
  const { columns, rows } = table;
  const [only, ...others] = columns;
  const isLinkAlone = indent > 0 && only?.isLink && others.length === 0;
  const room = { width: width - indent, ...(lastMin !== undefined && { lastMin }) };
  const widths = isLinkAlone ? wanted(columns, rows) : fit(columns, rows, room);
  return widths && { ...table, widths, indent };
}

function mayBeBelow({ isLow = false, isLink = false, ...column }: Column): boolean {
  return isLow || isLink || givesWay(column);
}

function standsAlone(column: Column | undefined): boolean {
  return column !== undefined && Boolean(column.isWhole || column.isLink);
}

function slice({ columns, rows }: Table, start: number, end?: number): Table {
  return { columns: columns.slice(start, end), rows: rows.map((row) => row.slice(start, end)) };
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

/** Each row's storeys above each other. */
function stacked(storeys: readonly Storey[], { head = (text) => text }: Look): string[] {
  const heads = storeys.flatMap(({ columns, widths, indent }) => {
    const cells = columns.map((column, i) => head(cut(column.head, widths[i] as number)));
    return sideBySide(columns, cells, { widths, indent });
  });
  const count = storeys[0]?.rows.length ?? 0;
  const rows = Array.from({ length: count }, (_, at) =>
    storeys.flatMap(({ columns, rows, ...place }) => rowLines(columns, rows[at] ?? [], place)),
  );
  return [...heads, ...rows.flat()];
}

type Place = Pick<Storey, 'widths' | 'indent'>;

/** One row. A text with an address too long for its column goes below the row, where nothing breaks it. */
function rowLines(columns: readonly Column[], row: readonly string[], place: Place): string[] {
  const { widths } = place;
  const isBelow = (i: number) => columns[i]?.isWhole && hasLongAddress(row[i] ?? '', widths[i] as number);
  const cells = row.map((cell, i) => {
    const max = widths[i] as number;
    if (isBelow(i)) return '';
    if (columns[i]?.isWhole) return paragraphLines(withBreaks(cell || '-', max), max).join('\n');
    return columns[i]?.isWide ? cut(cell || '-', max) : cell || '-';
  });
  const indent = place.indent + (columns.length > 1 ? GAP : 0);
  const below = row
    .filter((_, i) => isBelow(i))
    .flatMap((cell) => wrapped(cell, sum(widths) - indent).map((line) => ' '.repeat(indent) + line));
  const isAllBelow = columns.length === 1 && below.length > 0;
  return isAllBelow ? below : [...sideBySide(columns, cells, place), ...below];
}

function sideBySide(columns: readonly Column[], cells: string[], { widths, indent }: Place): string[] {
  // Loaded here, because most commands print no table.
  const CliTable = createRequire(import.meta.url)('cli-table3') as typeof CliTableClass;
  const table = new CliTable({
    colWidths: [...widths],
    colAligns: columns.map(({ align }) => align ?? 'left'),
    wordWrap: true,
    chars: NO_BORDERS,
    // Empty lists, or headers and borders would be coloured even in a pipe.
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  table.push(cells);
  return table
    .toString()
    .split('\n')
    .map((line) => (' '.repeat(indent) + line).trimEnd());
}

/** Every cell on its own line after its header; an empty line between rows. */
function blocks({ columns, rows }: Table, { width, head = (text) => text }: Look): string[] {
  const headWidth = Math.min(Math.max(...columns.map((column) => displayWidth(column.head))), width >> 1);
  const room = Math.max(1, width - headWidth - GAP);
  const label = (text: string) => `${head(text)}${' '.repeat(headWidth - displayWidth(text) + GAP)}`;
  return rows.flatMap((row, at) => [
    ...(at > 0 ? [''] : []),
    ...columns.flatMap((column, i) => {
      const cell = row[i] || '-';
      const isCopied = column.isLink || (column.isWhole && hasLongAddress(cell, room));
      if (isCopied && row[i])
        return [
          label(cut(column.head, headWidth)).trimEnd(),
          ...(column.isLink ? [cell] : wrapped(cell, width)),
        ];
      const [first, ...more] = wrapped(withBreaks(cell, room), room);
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
