/** Any character, for `fc.string({ unit: ANY_CHARACTER })`: the library's own `binary` first builds a table of a million. */
import * as fc from 'fast-check';

const [FIRST_SURROGATE, SURROGATES, LAST] = [0xd800, 0x800, 0x10ffff];

export const ANY_CHARACTER = fc.integer({ min: 0, max: LAST - SURROGATES }).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  // By this the library also tries names that are dangerous in JavaScript.
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || character !== String.fromCodePoint(code)) throw new Error('not one character');
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);
