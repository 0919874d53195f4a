/** Makes typed words safe for a subject, a name or one line of a mail. */

/** One line: control characters become a space; lone surrogates and direction marks are removed. */
export function oneLine(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim();
}

/** The first code point of a text; 0 if it is empty. */
export function codePoint(letter: string): number {
  return letter.codePointAt(0) ?? 0;
}

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** True when nothing would be visible: spaces of every kind, fillers, marks without a letter. */
export function isBlank(words: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(words.replaceAll(UNSEEN, ''));
}

/** Characters that break a page, mail or database. */
export function hasForbidden(words: string, isMultiline: boolean): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(isMultiline ? words.replaceAll(/[\n\r\t]/g, '') : words);
}

/** Control characters, direction marks and invisible marks. Joiners stay: letters and emoji need them. */
const STEERING = /(?!\u200c|\u200d|\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The words with such letters written out, such as `<U+202E>`: they steer neither a terminal nor the eye. */
export function plainly(words: string): string {
  return words.replaceAll(STEERING, (letter) => {
    const code = codePoint(letter);
    return /\p{Cc}/u.test(letter) ? ' ' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

const ADDRESS = /\S@\S|:\/\/|\bwww\.|\p{L}\.\p{L}{2}/iu;

/** Without tags, e-mail addresses and web addresses, in one line with single blanks: for those who refuse them. */
export function withoutAddresses(words: string): string {
  return oneLine(words)
    .replaceAll(/<[\p{L}/!?][^<>]*>|[<>]/gu, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && !ADDRESS.test(word))
    .join(' ');
}

/** At most `lengthMax` UTF-16 units, an ellipsis at the end of what was cut, no character cut in half. */
export function shorten(words: string, lengthMax: number): string {
  if (words.length <= lengthMax) return words;
  return `${words.slice(0, lengthMax - 1).replace(/\p{Cs}$/u, '')}…`;
}
