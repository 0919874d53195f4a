/** Names and words in every script that the contract prints: all letters, in the right order, on pages well divided. */
import { fileURLToPath } from 'node:url';
import { openSync, type Font } from 'fontkit';
import { describe, expect, test } from 'vitest';
import { renderContractPdf } from '../../../src/core/contracts/contract-pdf.js';
import { linesOf, oneLineOf, type Line } from '../../../src/core/contracts/contract-pdf-lines.js';
import { fontOf } from '../../../src/core/contracts/contract-pdf-scripts.js';
import { unprintable } from '../../../src/core/contracts/contract-pdf-words.js';
import { widthIn } from '../../../src/core/contracts/contract-pdf-fonts.js';
import { someTerms } from '../../support/contract-terms.js';
import { pagesOf, tagsOf, textOf } from '../../support/read-pdf.js';

const NAMES = {
  Latin: ['Łukasz', 'Nguyễn Thị Ánh'],
  Greek: ['Γιώργος', 'Παπαδόπουλος'],
  Cyrillic: ['Ольга', 'Щербакова'],
  Hebrew: ['משה', 'כהן'],
  Arabic: ['محمد', 'الخطيب'],
  Japanese: ['さくら', '髙橋'],
  Chinese: ['小明', '欧阳'],
  Korean: ['민준', '김'],
  Thai: ['สมชาย', 'วงศ์สวัสดิ์'],
  Devanagari: ['रमन', 'महाजन'],
};
const measure = { weight: 'regular', size: 10, width: 400, direction: 'ltr' } as const;
/** As they stand on the page, from left to right; `<` reads from the right. */
const seen = ({ pieces }: Line) =>
  pieces
    .toSorted((a, b) => a.x - b.x)
    .map(({ words, isFromRight }) => (isFromRight ? `<${words}` : words))
    .join('|');

describe('every letter', () => {
  test.each([
    ['sans', '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'],
    ['hebrew', '@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf'],
    ['arabic', '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'],
    ['thai', '@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'],
  ])('that is said to be in %s is in its file', (name, path) => {
    expect(missing(name, path, '')).toEqual([]);
  });

  // Some letters of Arabic are drawn with dots for which the font names no place.
  test.each(['sans', 'hebrew', 'arabic', 'thai'] as const)('that is said to be in %s can be set', (name) => {
    const broken = lettersOf(name).filter(
      (letter) => !(widthIn(name, 'regular', letter, name !== 'thai') >= 0),
    );
    expect(broken).toEqual([]);
  });

  test.each(['あ', '가', '的'])('that is said to be in the slice of %s is in its file', (letter) => {
    const name = fontOf(letter, letter) ?? '';
    const family = `noto-sans-${name.slice(0, 2)}`;
    const path = `@fontsource-variable/${family}/files/noto-sans-${name}-wght-normal.woff2`;
    expect(missing(name, path, letter)).toEqual([]);
  });

  test.each([
    ['ሀይሌ', 'ሀ'],
    ['Anna \u{13000}', '\u{13000}'],
    ['private \ue000', '\ue000'],
  ])('that no font has is named: %j', (words, letter) => {
    expect(unprintable(words)).toBe(letter);
  });

  test.each(['😀 fine', 'a → b ≤ c', 'tab\tand\nline', 'a\u200bb\u202e'])(
    'of %j is printed, written otherwise or left out on purpose',
    (words) => {
      expect(unprintable(words)).toBeUndefined();
    },
  );
});

describe('the direction of words', () => {
  test('a Hebrew name in a Latin sentence runs from the right, and the sentence goes on after it', () => {
    expect(seen(linesOf('With משה כהן, of 12 Main Street', measure)[0] as Line)).toBe(
      'With |<כהן|< |<משה|, of 12 Main Street',
    );
  });

  test('a Latin word and a number in a Hebrew sentence keep theirs', () => {
    const line = linesOf('דגם GA 37 (12)', { ...measure, direction: 'auto' })[0] as Line;
    expect(seen(line)).toBe('GA 37 (12)|< |<דגם');
  });

  test('brackets around Hebrew words look at them', () => {
    const line = linesOf('דגם (חדש)', { ...measure, direction: 'auto' })[0] as Line;
    expect(seen(line)).toBe('<)|<חדש|< (|<דגם');
  });

  test('words that do not fit are cut with an ellipsis', () => {
    const { width, pieces } = oneLineOf('W'.repeat(255), { ...measure, width: 100 });
    expect(width).toBeLessThanOrEqual(100);
    expect(pieces.map(({ words }) => words).join('')).toMatch(/^W{5,}…$/);
  });
});

describe('what a reader sees', () => {
  test('names of all scripts are found in one contract', async () => {
    const description = Object.values(NAMES)
      .map((names) => names.join(' '))
      .join('\n\n');
    const [firstName = '', lastName = ''] = NAMES.Arabic;
    const customer = { firstName, lastName, username: 'a@b.test', phone: null };

    const text = await textOf(await renderContractPdf(someTerms({ description, customer })));

    // Readers guess blanks from distances.
    const read = text.replaceAll(/\s/g, '');
    for (const names of Object.values(NAMES))
      expect(read).toContain(names.join('').replaceAll(' ', '').normalize('NFC'));
  });

  test('wherever the page ends, no heading ends it and no paragraph leaves a single line', async () => {
    let parted = 0;
    for (let lines = 0; lines < 44; lines += 3) {
      const description = Array.from({ length: lines }, (_, i) => `Line ${i}.`).join('\n') || 'Nothing.';
      const pdf = await renderContractPdf(someTerms({ description }));

      const pages = await pagesOf(pdf);

      const bodies = pages.map((page) => page.split('\n').filter((line) => line.trim() !== ''));
      const lasts = bodies.slice(0, -1).map((body) => body.slice(-3, -1));
      const firsts = bodies.slice(1).map((body) => body.slice(0, 2));
      expect(lasts.filter(([, last = '']) => /^\s*\d\. [A-Z]/.test(last))).toEqual([]);
      // Of the description's lines none is alone.
      const isLine = (words = '') => /Line \d+\.$/.test(words);
      parted += lasts.filter(([, last]) => isLine(last)).length;
      expect(lasts.filter(([before, last]) => isLine(last) && !isLine(before))).toEqual([]);
      expect(firsts.filter(([first, after]) => isLine(first) && !isLine(after))).toEqual([]);
    }
    expect(parted).toBeGreaterThan(1);
  });

  test('the tags tell headings from paragraphs, in the order of reading', async () => {
    const tags = await tagsOf(await renderContractPdf(someTerms()));

    expect(tags[0]).toEqual({ role: 'P', words: 'Acme Maintenance' });
    expect(tags.filter(({ role }) => role !== 'P')).toEqual([
      { role: 'H1', words: 'Maintenance contract' },
      { role: 'H2', words: '1. Subject' },
      { role: 'H2', words: '2. Obligations' },
      { role: 'H2', words: '3. Price and payment' },
      { role: 'H2', words: '4. Term' },
      { role: 'H2', words: '5. Signature' },
    ]);
  });
});

/** The letters that should be in a font but are not. */
function missing(name: string, path: string, words: string): string[] {
  const font = openSync(fileURLToPath(import.meta.resolve(path))) as Font;
  return lettersOf(name, words).filter(
    (letter) => !font.hasGlyphForCodePoint(letter.codePointAt(0) as number),
  );
}

function lettersOf(font: string, words = ''): string[] {
  const letters = Array.from({ length: 0x10000 }, (_, code) => String.fromCodePoint(code))
    .filter((letter) => !/\p{C}/u.test(letter))
    .filter((letter) => fontOf(letter, words) === font);
  expect(letters.length).toBeGreaterThan(10);
  return letters;
}
