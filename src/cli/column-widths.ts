/** The widths of a table's columns: as wide as their texts, or as the terminal allows. */
import { displayWidth } from './text-width.js';

/** A column is never cut or broken, unless it says so here. */
export interface Column {
  head: string;
  align?: 'left' | 'right';
  /** Free words: shrinks where the terminal is too narrow, and is cut with `…`. */
  isWide?: boolean;
  /** Shrinks too, but its text is wrapped, and an address in it is never broken. */
  isWhole?: boolean;
  /** May stand below its row with the columns after it; free words and addresses always may. */
  isLow?: boolean;
  /** Left out where the terminal is too narrow, the first of them first; the reader is told. */
  isSpare?: boolean;
  /** To copy: on its own line where it does not fit, never cut. */
  isLink?: boolean;
}

export const GAP = 2;
/** The least width of a column that shrinks. */
const WIDE_MIN = 12;

/** The widths without limits. */
export function wanted(columns: readonly Column[], rows: readonly string[][]): number[] {
  return columns.map(({ head }, i) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[i] ?? '')), Math.max(displayWidth(head), 1)),
  );
}

/** Including the gaps. */
export function sum(widths: readonly number[]): number {
  return widths.reduce((all, each) => all + each, GAP * (widths.length - 1));
}

/** Shrinks what may, widest first; undefined where it does not fit. The last column keeps `lastMin`, if it wants as much. */
export function fit(
  columns: readonly Column[],
  rows: readonly string[][],
  { width, lastMin = WIDE_MIN }: { width: number; lastMin?: number },
): number[] | undefined {
  const widths = wanted(columns, rows);
  const last = columns.length - 1;
  const shrinking = columns.flatMap((column, i) => (givesWay(column) ? i : []));
  for (const i of shrinking.toSorted((a, b) => (widths[b] as number) - (widths[a] as number))) {
    const now = widths[i] as number;
    const min = i === last ? lastMin : WIDE_MIN;
    widths[i] = Math.max(Math.min(now, min), now - Math.max(0, sum(widths) - width));
  }
  return sum(widths) <= width ? widths : undefined;
}

export function givesWay({ isWide = false, isWhole = false }: Column): boolean {
  return isWide || isWhole;
}
