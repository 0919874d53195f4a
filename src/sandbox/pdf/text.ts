/** Finds the runs of text on a page, and where each begins. Kerning inside a run is read over. */
import { Reader, Text, Word, type Value } from './values.js';

export type TextRun = { text: string; x: number; y: number; size: number };

/** [a b c d e f] as in the PDF language. */
type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** `first` applied before `second`. */
function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [A, B, C, D, E, F] = second;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

/** Places are in the page's own space: origin bottom left, as on paper, whatever the content did to the axes. */
export function textRuns(content: string): TextRun[] {
  const reader = new Reader(content);
  const runs: TextRun[] = [];
  const saved: Matrix[] = [];
  let space = IDENTITY;
  let line = IDENTITY;
  let size = 0;
  let leading = 0;
  let operands: Value[] = [];

  const numbers = (count: number): number[] =>
    operands.slice(-count).map((value) => (typeof value === 'number' ? value : 0));
  const matrix = (): Matrix => {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(6);
    return [a, b, c, d, e, f];
  };
  const moveLine = (x: number, y: number): void => {
    line = multiply([1, 0, 0, 1, x, y], line);
  };
  const show = (): void => {
    const last = operands.at(-1);
    const parts = Array.isArray(last) ? last : [last];
    const text = parts.map((part) => (part instanceof Text ? part.bytes : '')).join('');
    const at = multiply(line, space);
    if (text !== '') runs.push({ text, x: at[4], y: at[5], size: size * Math.hypot(at[2], at[3]) });
  };

  const operators: Record<string, () => void> = {
    q: () => void saved.push(space),
    Q: () => void (space = saved.pop() ?? space),
    cm: () => void (space = multiply(matrix(), space)),
    BT: () => void (line = IDENTITY),
    Tm: () => void (line = matrix()),
    Tf: () => void (size = numbers(1)[0] ?? 0),
    TL: () => void (leading = numbers(1)[0] ?? 0),
    Td: () => moveLine(...pair(numbers(2))),
    TD: () => {
      const [x, y] = pair(numbers(2));
      leading = -y;
      moveLine(x, y);
    },
    'T*': () => moveLine(0, -leading),
    Tj: show,
    TJ: show,
    "'": () => {
      moveLine(0, -leading);
      show();
    },
  };

  for (let value = reader.next(); value !== undefined; value = reader.next()) {
    if (!(value instanceof Word)) {
      operands.push(value);
      continue;
    }
    if (Object.hasOwn(operators, value.text)) operators[value.text]?.();
    operands = [];
  }
  return runs;
}

const pair = ([x = 0, y = 0]: number[]): [number, number] => [x, y];
