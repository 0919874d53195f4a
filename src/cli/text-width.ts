/** The terminal columns of a text, as cli-table3 counts them: both must use the same measure. */
import stringWidth from 'string-width';

export const displayWidth: (text: string) => number = stringWidth;

const COLOR = '\u001b[';
/** To be copied: addresses and SHA-256 digests. */
const ADDRESS = /^\W*(https?:\/\/|[\da-f]{64}$)/;

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

const NO_BREAK = '\u00a0';
/** Commands to copy: quoted, in brackets, or the end of a sentence. */
const COMMANDS = /`[^`]*`|\(esignctl [^)]*\)|(?<=^|: )esignctl [^;`]*$/gm;

/** Sentences in lines of at most `width` columns; line ends and indents stay, addresses and commands are not broken. */
export function paragraphLines(text: string, width: number): string[] {
  const kept = text.replaceAll(COMMANDS, (command) => command.replaceAll(' ', NO_BREAK));
  return kept.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? '';
    const lines = wrapped(line.slice(indent.length), width - indent.length);
    return lines.map((each) => indent + each.replaceAll(NO_BREAK, ' '));
  });
}

/** Whether an address in it is wider than `width`, so that it would have to be broken. */
export function hasLongAddress(text: string, width: number): boolean {
  return text.split(' ').some((word) => ADDRESS.test(word) && displayWidth(word) > width);
}

/** Adds spaces in words wider than `width` columns; addresses stay whole, to be copied. */
export function withBreaks(text: string, width: number): string {
  return text
    .split(' ')
    .map((word) => (ADDRESS.test(word) || word.includes(COLOR) ? word : broken(word, width)))
    .join(' ');
}

function broken(word: string, width: number): string {
  let parts = '';
  let used = 0;
  for (const letter of word) {
    const wide = displayWidth(letter);
    if (used + wide > width) {
      parts += ' ';
      used = wide;
    } else used += wide;
    parts += letter;
  }
  return parts;
}
