/**
 * Breaks words into lines and each line into pieces that one font draws in one direction. Hebrew and Arabic go the other way, whatever stands around them (Unicode's bidirectional algorithm).
 */
import LineBreaker from 'linebreak';
import { widthIn, type Weight } from './contract-pdf-fonts.js';
import { order, fontOf, type FontName } from './contract-pdf-scripts.js';

export interface Piece {
  /** In the order in which they are read. */
  words: string;
  font: FontName;
  isFromRight: boolean;
  /** From the left of the line. */
  x: number;
  width: number;
}

export interface Line {
  /** In the order in which they are read. */
  pieces: readonly Piece[];
  width: number;
}

export interface Measure {
  weight: Weight;
  size: number;
  width: number;
  /** Our own sentences are read from the left; what others wrote, in the direction of its first letter. */
  direction: 'ltr' | 'auto';
}

/** A paragraph, by UTF-16 units. */
interface Paragraph extends Measure {
  words: string;
  /** Undefined: not drawn. */
  fonts: readonly (FontName | undefined)[];
  levels?: ReturnType<ReturnType<typeof order>['getEmbeddingLevels']>;
}

const FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
const UNDRAWN = /[\u00ad\u200b\u2066-\u2069]/;
/** The beginning and end of a value whose direction is its own. */
const ISOLATE = ['\u2068', '\u2069'] as const;

/** True: the words begin at the right. */
export function isFromRight(words: string): boolean {
  return (
    FROM_RIGHT.test(words) && (order().getEmbeddingLevels(words, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1
  );
}

/** A value for one of our sentences; it keeps its direction to itself. */
export function isolated(value: string): string {
  return FROM_RIGHT.test(value) ? ISOLATE.join(value) : value;
}

const known = new Map<string, readonly Line[]>();
const KNOWN = { paragraphs: 200, letters: 2000 };

/** Every line of the words; line breaks in them stay. Cached, because most paragraphs are the same in every contract. */
export function linesOf(words: string, measure: Measure): readonly Line[] {
  const { weight, size, width, direction } = measure;
  const key = [weight, size, width, direction, words].join(' ');
  let lines = known.get(key);
  if (lines) return lines;
  lines = words.split('\n').flatMap((paragraph) => linesOfOne(paragraph, measure));
  if (known.size >= KNOWN.paragraphs) known.clear();
  if (words.length <= KNOWN.letters) known.set(key, lines);
  return lines;
}

/** The words in one line, with an ellipsis when they are cut. */
export function oneLineOf(words: string, measure: Measure): Line {
  const [first, second] = linesOf(words, measure);
  if (first && !second) return first;
  const letters = Array.from(graphemes.segment(words), ({ segment }) => segment);
  const cut = (count: number) => linesOf(`${letters.slice(0, count).join('').trimEnd()}…`, measure);
  // The longest beginning that fits.
  let [fits, tooMany] = [0, letters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (cut(middle).length === 1) fits = middle;
    else tooMany = middle;
  }
  return cut(fits)[0] as Line;
}

function linesOfOne(typed: string, measure: Measure): Line[] {
  const words = withThaiBreaks(typed);
  const paragraph: Paragraph = { ...measure, words, fonts: fontsOf(words) };
  if (FROM_RIGHT.test(words)) paragraph.levels = order().getEmbeddingLevels(words, measure.direction);
  return breaksOf(paragraph).map(([start, end]) => lineOf(paragraph, start, end));
}

const thaiWords = new Intl.Segmenter('th', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Thai has no spaces between words. */
function withThaiBreaks(words: string): string {
  return words.replaceAll(/[\u0e00-\u0e7f]{4,}/g, (thai) =>
    Array.from(thaiWords.segment(thai), ({ segment }) => segment).join('\u200b'),
  );
}

/** Joiners belong to the letter before them. */
function fontsOf(words: string): (FontName | undefined)[] {
  const fonts: (FontName | undefined)[] = [];
  for (const letter of words) {
    const font = /[\u200c\u200d]/.test(letter) ? fonts.at(-1) : fontOf(letter, words);
    for (let unit = 0; unit < letter.length; unit += 1) fonts.push(UNDRAWN.test(letter) ? undefined : font);
  }
  return fonts;
}

/** Where each line begins and ends. */
function breaksOf(paragraph: Paragraph): [start: number, end: number][] {
  const { words, width } = paragraph;
  const lines: [number, number][] = [];
  let start = 0;
  let end = 0;
  let used = 0;
  for (const [from, to] of unitsOf(paragraph)) {
    const room = widthOf(paragraph, from, withoutSpaces(words, from, to));
    if (used > 0 && used + room > width) {
      lines.push([start, end]);
      start = from;
      used = 0;
    }
    used += widthOf(paragraph, from, to);
    end = to;
  }
  return [...lines, [start, end]];
}

/** What must stay together: up to the next possible break, or one letter after the other where that is too wide. */
function* unitsOf(paragraph: Paragraph): Generator<[from: number, to: number]> {
  const { words, width } = paragraph;
  const breaker = new LineBreaker(words);
  let from = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const to = next.position;
    if (widthOf(paragraph, from, withoutSpaces(words, from, to)) <= width) yield [from, to];
    else {
      for (const { segment, index } of graphemes.segment(words.slice(from, to))) {
        yield [from + index, from + index + segment.length];
      }
    }
    from = to;
  }
}

function withoutSpaces(words: string, from: number, to: number): number {
  return from + words.slice(from, to).trimEnd().length;
}

function widthOf(paragraph: Paragraph, from: number, to: number): number {
  const { words, fonts, weight, size } = paragraph;
  let width = 0;
  for (let start = from; start < to;) {
    const font = fonts[start];
    let end = start + 1;
    while (end < to && fonts[end] === font) end += 1;
    if (font) width += widthIn(font, weight, words.slice(start, end), false) * size;
    start = end;
  }
  return width;
}

function lineOf(paragraph: Paragraph, start: number, end: number): Line {
  const { words, levels, fonts, weight, size } = paragraph;
  const last = withoutSpaces(words, start, end) - 1;
  const places = Array.from({ length: Math.max(0, last + 1 - start) }, (_, i) => start + i);
  const seen = levels && places.length > 0 ? order().getReorderedIndices(words, levels, start, last) : places;
  // From left to right.
  const groups: { font: FontName; level: number; places: number[] }[] = [];
  for (const place of seen) {
    const font = fonts[place];
    const level = levels?.levels[place] ?? 0;
    const group = groups.at(-1);
    if (!font) continue;
    if (group?.font === font && group.level === level) group.places.push(place);
    else groups.push({ font, level, places: [place] });
  }
  let x = 0;
  const placed = groups.map(({ font, level, places: units }) => {
    const read = units.toSorted((a, b) => a - b);
    const [piece, isFromRight] = [read.map((place) => words[place]).join(''), level % 2 === 1];
    const width = widthIn(font, weight, piece, isFromRight) * size;
    x += width;
    return { words: piece, font, isFromRight, x: x - width, width, first: read[0] as number };
  });
  return { pieces: placed.toSorted((a, b) => a.first - b.first), width: x };
}
