/** A page as a reader shows it: with what it inherits, cropped and turned. */
import type { PDF, PDFPage, PdfDict, PdfObject, PdfRef } from '@libpdf/core';

export type Box = { x: number; y: number; width: number; height: number };

export type Page = {
  /** What is shown of it, in its own coordinates. */
  view: Box;
  /** Clockwise. */
  turn: 0 | 90 | 180 | 270;
};

type Matrix = [number, number, number, number, number, number];

const TURNS: readonly number[] = [0, 90, 180, 270];
const LETTER: Box = { x: 0, y: 0, width: 612, height: 792 };
const ANCESTORS_MAX = 100;

export function pageOf(pdf: PDF, { dict }: PDFPage): Page {
  const media = boxOf(pdf, dict, 'MediaBox') ?? LETTER;
  const crop = boxOf(pdf, dict, 'CropBox');
  const turn = (((numberIn(inherited(pdf, dict, 'Rotate')) % 360) + 360) % 360) as Page['turn'];
  return { view: (crop && shared(crop, media)) ?? media, turn: TURNS.includes(turn) ? turn : 0 };
}

/** Of the page as it is shown. */
export function sizeOf({ view: { width, height }, turn }: Page): { width: number; height: number } {
  return turn === 90 || turn === 270 ? { width: height, height: width } : { width, height };
}

/** What turns places on the page as it is shown, counted from its bottom left corner, into its own coordinates. */
export function matrixOf({ view: { x, y, width, height }, turn }: Page): Matrix {
  const matrices: Record<Page['turn'], Matrix> = {
    0: [1, 0, 0, 1, x, y],
    90: [0, 1, -1, 0, x + width, y],
    180: [-1, 0, 0, -1, x + width, y + height],
    270: [0, -1, 1, 0, x, y + height],
  };
  return matrices[turn];
}

/** Of the page, or else of the nearest node above that has it. */
export function inherited(pdf: PDF, page: PdfDict, key: string): PdfObject | undefined {
  const resolve = (ref: PdfRef) => pdf.getObject(ref);
  let node: PdfDict | undefined = page;
  for (let above = 0; node && above < ANCESTORS_MAX; above += 1) {
    if (node.has(key)) return node.get(key, resolve);
    node = node.getDict('Parent', resolve);
  }
  return undefined;
}

function boxOf(pdf: PDF, page: PdfDict, key: string): Box | undefined {
  const box = inherited(pdf, page, key);
  if (box?.type !== 'array' || box.length !== 4) return undefined;
  const corner = (index: number) => numberIn(box.at(index, (ref) => pdf.getObject(ref)));
  return between(corner(0), corner(1), corner(2), corner(3));
}

function numberIn(value: PdfObject | undefined): number {
  return value?.type === 'number' ? value.value : NaN;
}

/** Undefined for one without an inside. Its corners may be any two opposite ones. */
function between(x1: number, y1: number, x2: number, y2: number): Box | undefined {
  const [x, y] = [Math.min(x1, x2), Math.min(y1, y2)];
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

function shared(one: Box, other: Box): Box | undefined {
  const left = Math.max(one.x, other.x);
  const bottom = Math.max(one.y, other.y);
  const right = Math.min(one.x + one.width, other.x + other.width);
  const top = Math.min(one.y + one.height, other.y + other.height);
  return right > left && top > bottom ? between(left, bottom, right, top) : undefined;
}
