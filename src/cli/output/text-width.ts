/** How wide a text is on a terminal; cutting it, and breaking it into lines. */
import { createRequire } from 'node:module';
import type cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import type wrapAnsi from 'wrap-ansi';

/**
 * Of what is required where it cuts and breaks: only terminals need that, and the tables of letters take a fifth of a short command's time
 * to load. Each name is a literal behind createRequire, so that a test finds it in the bundle.
 */
interface Module<T> {
  default: T;
}

/** As cli-table3 counts it, which pads the cells. */
export const displayWidth: (text: string) => number = stringWidth;

/** The text, or as much of it as fits before a `…`. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const { default: truncate } = createRequire(import.meta.url)('cli-truncate') as Module<typeof cliTruncate>;
  return truncate(text, width).replace(/ +…/, '…');
}

const NO_BREAK = '\u00a0';
/** Commands to copy: quoted, in brackets, or the end of a sentence. */
const COMMANDS = /`[^`]*`|\(esignctl [^)]*\)|(?<=^|: )esignctl [^;`]*$/gm;

/** Sentences in lines of at most `width` columns; line ends and indents stay, and no word is broken, nor a command. */
export function paragraphLines(text: string, width: number, { hard = false } = {}): string[] {
  const kept = text.replaceAll(COMMANDS, (command) =>
    hard && displayWidth(command) > width ? command : command.replaceAll(' ', NO_BREAK),
  );
  const { default: wrap } = createRequire(import.meta.url)('wrap-ansi') as Module<typeof wrapAnsi>;
  return kept.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? '';
    const lines = wrap(line.slice(indent.length), width - indent.length, { hard }).split('\n');
    return lines.map((each) => indent + each.replaceAll(NO_BREAK, ' '));
  });
}

/** The same, with words broken that are wider; an address stays whole, to be copied. */
export function cellLines(text: string, width: number): string[] {
  return paragraphLines(text, width, { hard: !hasLongAddress(text, width) });
}

/** An address or a SHA-256 digest. */
const ADDRESS = /^\W*(https?:\/\/|[\da-f]{64}$)|\S@\S/;

/** Whether an address in it is wider than `width`, so that it would have to be broken. */
export function hasLongAddress(text: string, width: number): boolean {
  return text.split(' ').some((word) => ADDRESS.test(word) && displayWidth(word) > width);
}
