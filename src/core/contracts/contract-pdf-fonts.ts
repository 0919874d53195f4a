/**
 * The contract's fonts. Fontkit keeps one glyph per picture, with the letters it was first asked for, and pdfkit
 * notes one meaning per glyph. But the picture of "Z" is also a part of "Ž", and "fi" and "ﬁ" share one. Here a glyph
 * is a picture together with its letters, so that searching, copying and reading aloud give what was written.
 */
import { create, type Font, type Glyph, type GlyphRun } from 'fontkit';
import { openVariable, runOf } from './contract-pdf-eastern.js';
import { order, fontFile, type FontName } from './contract-pdf-scripts.js';
import { codePoint } from '../texts/plain.js';

export type Weight = 'regular' | 'bold';

/** What pdfkit needs of a font besides its metrics. */
interface Subset {
  includeGlyph(id: number): number;
  encode(): Uint8Array;
}

export type DocumentFont = PDFKit.Mixins.PDFFontSource;

/** For pdfkit's `features`: from right to left. The words are still in the order in which they are read. */
export const FROM_RIGHT: [] = [];

const STYLES = {
  regular: { name: '400Regular', weight: 400 },
  bold: { name: '700Bold', weight: 700 },
};
// A few megabytes at most.
const KNOWN = { words: 2000, letters: 24, fonts: 40 };

/** Nothing to be seen or read. */
const ZERO_WIDTH_SPACE = 0x200b;

const opened = new Map<string, Font>();

/** For one document: each letter gets a number when it is first used. */
export function fontOfOneDocument(name: FontName, weight: Weight): DocumentFont {
  // pdfkit accepts fonts opened by fontkit, although its types do not say so.
  return ofOneDocument(openFont(name, weight)) as unknown as DocumentFont;
}

/** Letter by letter, as they come: a run of codes without gaps, in which any reader finds the words. */
export function plainFont(): DocumentFont {
  const font = openFont('sans', 'regular');
  const layout = (words: string) =>
    runOf(Array.from(words, (letter) => font.glyphForCodePoint(codePoint(letter))));
  const plain = { postscriptName: { value: 'NotoSans-Plain' }, layout: { value: layout } };
  return ofOneDocument(Object.create(font, plain) as Font) as unknown as DocumentFont;
}

/** The width of words in one font and direction, at size 1. */
export function widthIn(name: FontName, weight: Weight, words: string, isFromRight: boolean): number {
  const font = openFont(name, weight);
  if (isFromRight) return font.layout(words, FROM_RIGHT).advanceWidth / font.unitsPerEm;
  // Word by word, as pdfkit draws them.
  const widths = words.split(/(?<= )/).map((word) => font.layout(word).advanceWidth);
  return widths.reduce((sum, width) => sum + width, 0) / font.unitsPerEm;
}

/** Files are opened only once: reading their tables takes longer than the rest of a contract. */
function openFont(name: FontName, weight: Weight): Font {
  const key = `${name} ${weight}`;
  const known = opened.get(key);
  if (known) return known;
  // The oldest slice makes room; the others are few.
  const oldest = [...opened.keys()].find((each) => each.includes('-'));
  if (opened.size >= KNOWN.fonts && oldest !== undefined) opened.delete(oldest);
  const font = withKnownWords(readFont(name, weight));
  opened.set(key, font);
  return font;
}

function readFont(name: FontName, weight: Weight): Font {
  const style = STYLES[weight];
  const [family = '', slice] = name.split('-');
  if (slice !== undefined) {
    const path = `@fontsource-variable/noto-sans-${family}/files/noto-sans-${name}-wght-normal.woff2`;
    return openVariable(fontFile(path), { weight: style.weight, name: `NotoSans-${name}-${weight}` });
  }
  const [suffix, part] =
    family === 'sans' ? ['', ''] : [`-${family}`, family[0]?.toUpperCase() + family.slice(1)];
  const path = `@expo-google-fonts/noto-sans${suffix}/${style.name}/NotoSans${part}_${style.name}.ttf`;
  return shaped(withOwnLetters(withUnplacedMarks(create(fontFile(path)) as Font)));
}

/** Gives every glyph the letters it is asked for, even when the same picture was used for others before. */
function withOwnLetters(font: Font): Font {
  const pictureOf = font.getGlyph.bind(font);
  const known = new Map<string, Glyph>();
  font.getGlyph = (id, codePoints = []) => {
    const key = [id, ...codePoints].join(' ');
    const glyph: Glyph =
      known.get(key) ?? Object.create(pictureOf(id), { codePoints: { value: codePoints } });
    known.set(key, glyph);
    return glyph;
  };
  return font;
}

/** What fontkit has besides its types. Only a font that places marks has the processor. */
interface Inside {
  _layoutEngine: { engine: { GPOSProcessor: Marks | null } };
}

interface Marks {
  applyAnchor: (mark: { markAnchor: object | null }, base: object | null, index: number) => void;
}

/** A mark for which the font names no place, as a dot of "ڢ", stays where it is; fontkit fails on it. */
function withUnplacedMarks(font: Font): Font {
  const marks = (font as unknown as Inside)._layoutEngine.engine.GPOSProcessor;
  const place = marks?.applyAnchor.bind(marks);
  if (marks && place)
    marks.applyAnchor = (mark, base, index) => void (mark.markAnchor && base && place(mark, base, index));
  return font;
}

/** Joins letters in the given direction; a bracket read from the right looks the other way. */
function shaped(font: Font): Font {
  const layoutOf = font.layout.bind(font);
  const mirrored = (letter: string) => order().getMirroredCharacter(letter) ?? letter;
  font.layout = (words, features) => {
    const run =
      features === undefined
        ? layoutOf(words, [], undefined, undefined, 'ltr')
        : layoutOf(Array.from(words, mirrored).join(''), [], undefined, undefined, 'rtl');
    return withLettersOfParts(font, run);
  };
  return font;
}

/** Of a letter in several pictures, as "ị", each says its part: for a picture without letters, readers show its number. */
function withLettersOfParts(font: Font, run: GlyphRun): GlyphRun {
  for (const [index, { id, codePoints }] of run.glyphs.entries()) {
    if (codePoints.length > 0) continue;
    const before = run.glyphs[index - 1];
    const [first, ...rest] = before ? partsOf(before) : [];
    if (before && first !== undefined && rest.length > 0)
      run.glyphs[index - 1] = font.getGlyph(before.id, [first]);
    run.glyphs[index] = font.getGlyph(id, rest.length > 0 ? rest : [ZERO_WIDTH_SPACE]);
  }
  return run;
}

function partsOf({ codePoints }: Glyph): number[] {
  const parts = String.fromCodePoint(...codePoints).normalize('NFKD');
  return Array.from(parts, codePoint);
}

/** Caches the layout of words, because most are the same in every contract. */
function withKnownWords(font: Font): Font {
  const layoutOf = font.layout.bind(font);
  const known = new Map<string, GlyphRun>();
  font.layout = (words, features) => {
    if (words.length > KNOWN.letters) return layoutOf(words, features);
    if (known.size >= KNOWN.words) known.clear();
    const key = `${features === undefined ? '>' : '<'}${words}`;
    const run = known.get(key) ?? layoutOf(words, features);
    known.set(key, run);
    return run;
  };
  return font;
}

/** The font with renumbered glyphs: a picture gets a number for each meaning. */
function ofOneDocument(font: Font): Font {
  const numbers = new Map<Glyph, Glyph>();
  const pictures: number[] = [];
  const numbered = (glyph: Glyph): Glyph => {
    const { codePoints, advanceWidth } = glyph;
    const own =
      numbers.get(glyph) ?? ({ id: pictures.push(glyph.id) - 1, codePoints, advanceWidth } as Glyph);
    numbers.set(glyph, own);
    return own;
  };
  const layout = (words: string, features?: string[]): GlyphRun => {
    const run = font.layout(words, features);
    // Copies, because pdfkit changes the positions.
    const positions = run.positions.map((position) => ({ ...position }));
    return Object.create(run, {
      glyphs: { value: run.glyphs.map(numbered) },
      positions: { value: positions },
    });
  };
  const createSubset = () => subsetOf(font, pictures);
  return Object.create(font, { layout: { value: layout }, createSubset: { value: createSubset } });
}

function subsetOf(font: Font, pictures: readonly number[]): Subset {
  const subset = font.createSubset() as unknown as Subset & { glyphs: number[] };
  const places = new Map<number, number>();
  return {
    includeGlyph: (id) => {
      // Its own includeGlyph would return the number of another meaning.
      const place = places.get(id) ?? subset.glyphs.push(pictures[id] as number) - 1;
      places.set(id, place);
      return place;
    },
    encode: () => subset.encode(),
  };
}
