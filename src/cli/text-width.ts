/** How many columns of a terminal a text takes: letters of East Asia and emoji take two, accents that combine none. */

const COMBINING = /\p{M}|\u200d/u;
const DOUBLE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const PLAIN = /^[\u0020-\u007e]*$/;

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const letter of text) width += widthOf(letter);
  return width;
}

/** The text, or as much of its beginning as fits before a `…`. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const letter of text) {
    used += widthOf(letter);
    if (used > width - 1) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines of at most `width` columns, broken between words; a longer word gets a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The text with a space wherever a word would be wider than a line of `width` columns. */
export function withBreaks(text: string, width: number): string {
  let broken = '';
  let used = 0;
  for (const letter of text) {
    const wide = widthOf(letter);
    if (letter === ' ') used = 0;
    else if (used + wide > width) {
      broken += ' ';
      used = wide;
    } else used += wide;
    broken += letter;
  }
  return broken;
}

function widthOf(letter: string): number {
  if (COMBINING.test(letter)) return 0;
  return DOUBLE.test(letter) ? 2 : 1;
}
