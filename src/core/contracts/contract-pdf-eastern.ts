/**
 * A slice of a Chinese, Japanese or Korean font: compressed, and with its weight as a variable. Fontkit reads such
 * files, but applies no weight to them and cannot write them. These letters need no joining.
 */
import { brotliDecompressSync } from 'node:zlib';
import { create, type Font, type Glyph, type GlyphRun } from 'fontkit';
import { codePoint } from '../texts/plain.js';

/** What fontkit has besides its types. */
interface Inside {
  directory: { tables: Record<string, Table>; totalCompressedSize: number };
  stream: object;
  constructor: new (stream: object, weights: readonly [weight: number]) => Inside & Font;
  _dataPos: number;
  _decompressed: boolean;
  _transformedGlyphs?: { points?: Point[] }[];
  _transformGlyfTable: () => void;
  _variationProcessor: { transformPoints: (id: number, points: Point[]) => void };
  _decompress: () => void;
}

interface Table {
  offset: number;
  length: number;
  transformLength?: number;
}

interface Point {
  x: number;
  y: number;
  onCurve: boolean;
  endContour: boolean;
  copy: () => Point;
}

interface Subset {
  font: object;
  glyf: Uint8Array[];
  loca: { offsets: number[] };
  hmtx: { metrics: { advance: number; bearing: number }[] };
  offset: number;
  _addGlyph: (id: number) => number;
}

/** The font in one weight. Its letters stand side by side, from left to right. In a document its name is its own. */
export function openVariable(file: Buffer, { weight, name }: { weight: number; name: string }): Font {
  const { constructor: Variable, stream } = create(file) as unknown as Inside;
  const Stream = stream.constructor as new (bytes: Uint8Array) => object;
  const font = new Variable(new Stream(file), [weight]);
  // Node's own decompression takes a tenth of the time.
  font._decompress = () => {
    if (font._decompressed) return;
    font.stream = new Stream(decompressed(file, font));
    font._decompressed = true;
  };
  const layout = (words: string) => runOf(Array.from(words, (letter) => meaningOf(font, letter)));
  const createSubset = () => subsetOf(font);
  return Object.create(font, {
    postscriptName: { value: name },
    layout: { value: layout, writable: true },
    createSubset: { value: createSubset },
  }) as Font;
}

/** Places each table and gives the bytes of all. */
function decompressed(file: Buffer, { directory, _dataPos: start }: Inside): Uint8Array {
  let size = 0;
  for (const table of Object.values(directory.tables)) {
    table.offset = size;
    size += table.transformLength ?? table.length;
  }
  const bytes = brotliDecompressSync(file.subarray(start, start + directory.totalCompressedSize));
  // A copy, because fontkit reads from the beginning of the memory.
  return Uint8Array.from(bytes);
}

const known = new WeakMap<Font, Map<string, Glyph>>();

/** The glyph of one letter, always the same object, and only for this letter. */
function meaningOf(font: Font, letter: string): Glyph {
  const glyphs = known.get(font) ?? new Map<string, Glyph>();
  known.set(font, glyphs);
  const code = codePoint(letter);
  const { id, advanceWidth } = font.glyphForCodePoint(code);
  const glyph = glyphs.get(letter) ?? ({ id, advanceWidth, codePoints: [code] } as Glyph);
  glyphs.set(letter, glyph);
  return glyph;
}

/** Glyphs side by side. */
export function runOf(glyphs: Glyph[]): GlyphRun {
  const positions = glyphs.map(({ advanceWidth }) => ({
    xAdvance: advanceWidth,
    yAdvance: 0,
    xOffset: 0,
    yOffset: 0,
  }));
  const advanceWidth = glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0);
  return { glyphs, positions, advanceWidth } as unknown as GlyphRun;
}

function subsetOf(font: Inside & Font): Subset {
  const subset = font.createSubset() as unknown as Subset;
  subset.font = Object.create(font, { loca: { value: { version: 1 } } }) as object;
  subset._addGlyph = (id) => {
    const { advanceWidth } = font.getGlyph(id);
    const points = pointsOf(font, id);
    const outline = points.length > 0 ? outlineOf(points) : new Uint8Array();
    subset.glyf.push(outline);
    subset.loca.offsets.push(subset.offset);
    const bearing = points.length > 0 ? Math.min(...points.map(({ x }) => x)) : 0;
    subset.hmtx.metrics.push({ advance: advanceWidth, bearing });
    subset.offset += outline.length;
    return subset.glyf.length - 1;
  };
  return subset;
}

/** The points of a letter, moved to where the weight has them. */
function pointsOf(font: Inside, id: number): Point[] {
  if (!font._transformedGlyphs) font._transformGlyfTable();
  const points = (font._transformedGlyphs?.[id]?.points ?? []).map((point) => point.copy());
  const [first] = points;
  if (!first) return [];
  // Four more, each by itself, for the letter's place between others, which does not change.
  const place = Array.from({ length: 4 }, () => Object.assign(first.copy(), { endContour: true }));
  const all = [...points, ...place];
  font._variationProcessor.transformPoints(id, all);
  return all.slice(0, points.length).map((point) => Object.assign(point, rounded(point)));
}

function rounded({ x, y }: Point) {
  return { x: Math.round(x), y: Math.round(y) };
}

/** A letter's outline as a TrueType font keeps it. */
function outlineOf(points: readonly Point[]): Uint8Array {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const ends = points.flatMap(({ endContour }, i) => (endContour ? [i] : []));
  const steps = [xs, ys].flatMap((values) => values.map((value, i) => value - (values[i - 1] ?? 0)));
  // The zero is the length of the instructions, which are left out.
  const head = words(ends.length, ...box, ...ends, 0);
  const flags = Buffer.from(points.map(({ onCurve }) => Number(onCurve)));
  const outline = Buffer.concat([head, flags, words(...steps)]);
  // The next one begins at a multiple of four.
  return Buffer.concat([outline, Buffer.alloc(-outline.length & 3)]);
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeInt16BE(value, 2 * i);
  return bytes;
}
