/** The widths of a table's columns: as wide as their texts, or as the terminal allows. */
import { displayWidth } from './text-width.js';

export interface Column {
  head: string;
  align?: 'left' | 'right';
  /** Shrinks first when the terminal is too narrow; its text is cut with `…`. */
  isWide?: boolean;
  /** Shrinks too, but its text is wrapped, not cut. */
  isWhole?: boolean;
  /** Never cut: half of it would be useless. */
  isFirm?: boolean;
  /** Left out, the first of them first, where another would have to be cut. */
  isSpare?: boolean;
  /** An address to copy: only in the last column, and where the terminal is too narrow alone below its row, uncut. */
  isLink?: boolean;
}

export const GAP = 2;
/** The least width of a shrunk column. */
const WIDE_MIN = 12;
const OTHER_MIN = 5;

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

/** Shrinks the columns marked so first, then other texts, widest first. Numbers are never cut. */
export function fit(columns: readonly Column[], rows: readonly string[][], width: number): number[] {
  const widths = wanted(columns, rows);
  const excess = () => sum(widths) - width;
  const narrow = (isNext: (column: Column) => boolean, min: number) => {
    const next = columns.flatMap((column, i) => (isNext(column) ? i : []));
    for (const i of next.toSorted((a, b) => (widths[b] as number) - (widths[a] as number))) {
      const now = widths[i] as number;
      widths[i] = Math.max(Math.min(now, min), now - Math.max(0, excess()));
    }
  };
  narrow(givesWay, WIDE_MIN);
  narrow((column) => !givesWay(column) && !isFirm(column), OTHER_MIN);
  return widths;
}

/** Whether only columns that are meant to shrink do. */
export function isUncut(columns: readonly Column[], rows: readonly string[][], width: number): boolean {
  const widths = fit(columns, rows, width);
  const asked = wanted(columns, rows);
  return sum(widths) <= width && columns.every((column, i) => givesWay(column) || widths[i] === asked[i]);
}

function isFirm({ align, isFirm = false }: Column): boolean {
  return isFirm || align === 'right';
}

function givesWay({ isWide = false, isWhole = false }: Column): boolean {
  return isWide || isWhole;
}
