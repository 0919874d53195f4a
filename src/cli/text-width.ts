/** The terminal columns of a text, as cli-table3 counts them: both must use the same measure. */
import stringWidth from 'string-width';

export const displayWidth: (text: string) => number = stringWidth;

/** The text, or as much of it as fits before a `…`. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const letter of text) {
    used += displayWidth(letter);
    if (used > width - 1) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines of at most `width` columns, broken between words; a longer word gets its own line. */
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

/** Adds spaces in words wider than `width` columns. */
export function withBreaks(text: string, width: number): string {
  let broken = '';
  let used = 0;
  for (const letter of text) {
    const wide = displayWidth(letter);
    if (letter === ' ') used = 0;
    else if (used + wide > width) {
      broken += ' ';
      used = wide;
    } else used += wide;
    broken += letter;
  }
  return broken;
}
