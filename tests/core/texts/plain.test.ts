/** Words that cannot be seen are blank; words that steer are written out. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBlank, plainly } from '../../../src/core/texts/plain.js';
import { ANY_CHARACTER } from '../../support/any-character.js';

const UNSEEN = [
  '',
  ' \t\r\n',
  '\u00a0\u2003\u3000',
  '\u200b\u200c\u200d\u2060\ufeff',
  '\u115f\u1160\u3164\uffa0',
  '\u2800\u2800',
  '\u202e\u2066\u061c',
  '\u00ad\u034f\u180e',
  '\u0301\u20dd',
  '\u{e0041}\u{e007f}',
  '\ufe0f',
  '\u0000\u0007',
];

test.each(UNSEEN)('%j is blank', (words) => {
  expect(isBlank(words)).toBe(true);
});

test.each(['a', '0', '-', '€', '契', 'ا', '\u{1f600}', ' \u200ba', '\u200d\u{1f469}\u200d\u{1f527}'])(
  '%j is not',
  (words) => expect(isBlank(words)).toBe(false),
);

test.each([
  ['gnp.exe\u202ecod.', 'gnp.exe<U+202E>cod.'],
  ['a\u2066b\u2069', 'a<U+2066>b<U+2069>'],
  ['a\u200bb\ufeff', 'a<U+200B>b<U+FEFF>'],
  ['red\u001b[31m', 'red [31m'],
  ['one\ntwo', 'one\ntwo'],
  ['one\u2028two', 'one<U+2028>two'],
  ['नि क्‍ष \u{1f469}\u200d\u{1f527}', 'नि क्‍ष \u{1f469}\u200d\u{1f527}'],
])('%j is written %j', (words, written) => {
  expect(plainly(words)).toBe(written);
});

test('whatever is written out holds nothing that steers', () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER }), (words) => {
      expect(plainly(words)).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
      );
    }),
  );
});
