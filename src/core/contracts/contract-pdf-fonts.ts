/**
 * The contract's fonts. Fontkit keeps one glyph per picture, with the letters it was first asked for, and pdfkit
 * notes one meaning per glyph. But the picture of "Z" is also a part of "Ž", and "fi" and "ﬁ" share one. Here a glyph
 * is a picture together with its letters, so that searching, copying and reading aloud give what was written.
 */
import { fileURLToPath } from 'node:url';
import { openSync, type Font, type Glyph, type GlyphRun } from 'fontkit';

const FILES = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
};

/** What pdfkit needs of a font besides its metrics. */
interface Subset {
  includeGlyph(id: number): number;
  encode(): Uint8Array;
}

// A few megabytes at most.
const KNOWN = { words: 2000, letters: 24 };

let opened: [string, Font][] | undefined;

/**
 * Regular and bold, for one document. The files are opened only once: reading their tables takes longer than the rest
 * of a contract.
 */
export function fontsOfOneDocument(): [string, PDFKit.Mixins.PDFFontSource][] {
  opened ??= Object.entries(FILES).map(([name, path]) => [
    name,
    withKnownWords(withOwnLetters(openFont(path))),
  ]);
  // pdfkit accepts fonts opened by fontkit, although its types do not say so.
  return opened.map(([name, font]) => [name, ofOneDocument(font) as unknown as PDFKit.Mixins.PDFFontSource]);
}

function openFont(path: string): Font {
  return openSync(fileURLToPath(import.meta.resolve(path))) as Font;
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

/** Caches the layout of words, because most are the same in every contract. */
function withKnownWords(font: Font): Font {
  const layoutOf = font.layout.bind(font);
  const known = new Map<string, GlyphRun>();
  font.layout = (word) => {
    if (word.length > KNOWN.letters) return layoutOf(word);
    if (known.size >= KNOWN.words) known.clear();
    const run = known.get(word) ?? layoutOf(word);
    known.set(word, run);
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
  const layout = (word: string): GlyphRun => {
    const run = font.layout(word);
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
