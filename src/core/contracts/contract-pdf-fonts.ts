/**
 * The letters of the contract. Fontkit keeps one glyph a picture, with the letters that it was asked for first, and
 * pdfkit notes one meaning a glyph. But the picture of "Z" is also a part of "Ž" without a meaning of its own, and "fi"
 * and "ﬁ" share one. Here a glyph is a picture and the letters that it stands for, so that what is searched, copied
 * and read aloud is what was written.
 */
import { fileURLToPath } from 'node:url';
import { openSync, type Font, type Glyph, type GlyphRun } from 'fontkit';

const FILES = {
  regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
};

/** What pdfkit asks of a font besides its measures, and gives ids of glyphs to. */
interface Subset {
  includeGlyph(id: number): number;
  encode(): Uint8Array;
}

// Some megabytes at most, whatever customers are called.
const KNOWN = { words: 2000, letters: 24 };

let opened: [string, Font][] | undefined;

/** Regular and bold, for one document. The files are opened once: reading their tables takes longer than all the rest of a contract. */
export function fontsOfOneDocument(): [string, PDFKit.Mixins.PDFFontSource][] {
  opened ??= Object.entries(FILES).map(([name, path]) => [
    name,
    withKnownWords(withOwnLetters(openFont(path))),
  ]);
  // pdfkit takes fonts that fontkit has opened; its types do not say so yet.
  return opened.map(([name, font]) => [name, ofOneDocument(font) as unknown as PDFKit.Mixins.PDFFontSource]);
}

function openFont(path: string): Font {
  return openSync(fileURLToPath(import.meta.resolve(path))) as Font;
}

/** Every glyph bears the letters that it is asked for, whoever asked for the same picture before. */
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

/** Most words of a contract stand in every contract: how their letters follow each other is found out once. */
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

/** The font with glyphs numbered anew: a picture that stands for several letters has a number for each. */
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
      // Its own includeGlyph would find the place that another meaning of the picture took.
      const place = places.get(id) ?? subset.glyphs.push(pictures[id] as number) - 1;
      places.set(id, place);
      return place;
    },
    encode: () => subset.encode(),
  };
}
