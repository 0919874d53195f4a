/** Makes words that somebody typed safe for one line of a mail, a subject or a name. */

/** One line: control characters become a space; lone surrogates and marks that turn the direction are gone. */
export function oneLine(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim();
}

/** At most `lengthMax` UTF-16 units, an ellipsis at the end of what was cut, no character cut in half. */
export function shorten(words: string, lengthMax: number): string {
  if (words.length <= lengthMax) return words;
  return `${words.slice(0, lengthMax - 1).replace(/\p{Cs}$/u, '')}…`;
}
