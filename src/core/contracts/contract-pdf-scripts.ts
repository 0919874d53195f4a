/** Which font prints which letter. Known in advance, because asking the fonts would load the PDF library. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import bidi from 'bidi-js';
import { once } from '../once.js';
import { codePoint } from '../texts/plain.js';

/** The countries whose Chinese characters differ in shape. */
type Country = 'jp' | 'kr' | 'sc';
/** `jp-12`: each of these fonts comes in slices of a few hundred letters. */
export type FontName = 'sans' | 'hebrew' | 'arabic' | 'thai' | `${Country}-${number}`;

const LETTERS: readonly (readonly [FontName, RegExp])[] = [
  [
    'sans',
    letters(
      '\\u0020-\\u03e1\\u03f0-\\u052f', // Latin, marks, Greek, Cyrillic
      '\\u0900-\\u097f', // Devanagari
      '\\u1c80-\\u1c88\\u1d00-\\u1df9\\u1dfb-\\u1fff', // phonetic signs, more Latin, old Greek
      '\\u2000-\\u20c0\\u20f0-\\u215f\\u2183-\\u2184\\u2189\\u2212', // punctuation, currencies, fractions, minus
      '\\u2c60-\\u2c7f\\u2de0-\\u2e5d\\ua640-\\ua69f\\ua700-\\ua7ca', // rare Latin and Cyrillic
      '\\ufb00-\\ufb06\\ufe20-\\ufe2f\\ufffd',
    ),
  ],
  ['hebrew', letters('\\u0591-\\u05c7\\u05d0-\\u05ea\\u05ef-\\u05f4\\ufb1d-\\ufb4f')],
  [
    'arabic',
    letters('\\u0600-\\u06ff\\u0750-\\u077f\\u0870-\\u088e\\u08a0-\\u08ff\\ufb50-\\ufbb1\\ufe70-\\ufefc'),
  ],
  ['thai', letters('\\u0e01-\\u0e3a\\u0e3f-\\u0e5b')],
];
/** Chinese, Japanese and Korean. */
const EASTERN = letters(
  '\\u2e80-\\u2fd5\\u3001-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\uff01-\\uffee\\u{20000}-\\u{323af}',
);

/** Undefined: no font prints the letter. `words`, in which it stands, decide the shape of Chinese characters. */
export function fontOf(letter: string, words: string): FontName | undefined {
  const known = LETTERS.find(([, regular]) => regular.test(letter));
  if (known) return known[0];
  return EASTERN.test(letter) ? easternFont(letter, countryOf(words)) : undefined;
}

function easternFont(letter: string, country: Country): FontName | undefined {
  for (const each of new Set<Country>([country, 'sc', 'jp', 'kr'])) {
    const slice = slicesOf(each).get(codePoint(letter));
    if (slice !== undefined) return `${each}-${slice}`;
  }
  return undefined;
}

function countryOf(words: string): Country {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words)) return 'jp';
  return /\p{Script=Hangul}/u.test(words) ? 'kr' : 'sc';
}

const read = new Map<Country, Map<number, number>>();

/** Slices by code point. */
function slicesOf(country: Country): Map<number, number> {
  const known = read.get(country) ?? readSlices(country);
  read.set(country, known);
  return known;
}

/** By the path in its package; `npm run build` has copied it. */
export function fontFile(path: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`#assets/${path}`));
}

function readSlices(country: Country): Map<number, number> {
  const list = fontFile(`@fontsource-variable/noto-sans-${country}/unicode.json`);
  const listed = JSON.parse(list.toString()) as Record<string, string>;
  const slices = new Map<number, number>();
  for (const [name, ranges] of Object.entries(listed)) {
    const slice = /^\[(\d+)\]$/.exec(name)?.[1];
    // The others hold letters that the other fonts have too.
    if (slice === undefined) continue;
    for (const [, from = '', to = from] of ranges.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi)) {
      for (let code = parseInt(from, 16); code <= parseInt(to, 16); code += 1) {
        slices.set(code, Number(slice));
      }
    }
  }
  return slices;
}

function letters(...ranges: string[]): RegExp {
  return new RegExp(`[${ranges.join('')}]`, 'u');
}

// Unicode's bidirectional algorithm: in which order letters are seen, and which brackets look the other way.

// Its types describe another module than Node loads.
export const order = once(() => (bidi as unknown as typeof bidi.default)());
