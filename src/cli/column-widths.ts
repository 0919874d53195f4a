/** How wide the columns of a table are: as wide as their texts, or as the terminal lets them. */
import { displayWidth } from './text-width.js';

export interface Column {
  head: string;
  align?: 'left' | 'right';
  /** Gives way first when the terminal is too narrow; what does not fit is cut and ends in `…`. */
  isWide?: boolean;
  /** Gives way too, but nothing of it may be lost: its text goes on below, broken between words. */
  isWhole?: boolean;
}

export const GAP = 2;
/** A column that gives way stays at least so wide. */
const WIDE_MIN = 12;
const OTHER_MIN = 5;

/** What every text asks for. */
export function wanted(columns: readonly Column[], rows: readonly string[][]): number[] {
  return columns.map(({ head }, i) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[i] ?? '')), Math.max(displayWidth(head), 1)),
  );
}

/** With the gaps between them. */
export function sum(widths: readonly number[]): number {
  return widths.reduce((all, each) => all + each, GAP * (widths.length - 1));
}

/** The columns that may give way do so first; then the other texts, the widest before the rest. Numbers stay whole. */
export function fit(columns: readonly Column[], rows: readonly string[][], width: number): number[] {
  const widths = wanted(columns, rows);
  const excess = () => sum(widths) - width;
  const narrow = (isNext: (column: Column) => boolean, min: number) => {
    const next = [...widths.keys()].filter((i) => isNext(columns[i] as Column));
    for (const i of next.toSorted((a, b) => (widths[b] as number) - (widths[a] as number))) {
      const now = widths[i] as number;
      widths[i] = Math.max(Math.min(now, min), now - Math.max(0, excess()));
    }
  };
  narrow(givesWay, WIDE_MIN);
  narrow((column) => !givesWay(column) && column.align !== 'right', OTHER_MIN);
  return widths;
}

function givesWay({ isWide = false, isWhole = false }: Column): boolean {
  return isWide || isWhole;
}
