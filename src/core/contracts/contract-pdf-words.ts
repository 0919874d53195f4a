/** Makes typed text safe for the contract: only letters that its fonts print, and no anchors. */
import { plainly } from '../texts/plain.js';
import { fontOf } from './contract-pdf-scripts.js';

const PICTURES = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{M}\u20e3]/u;
const WRITTEN_OTHERWISE: Record<string, string> = {
  '→': '->',
  '←': '<-',
  '⇒': '=>',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '≈': '~',
  '\u3000': ' ',
};
const LOST = '\ufffd';

/**
 * Keeps line breaks, and joiners within words; drops control, invisible and direction characters and pictographs;
 * simplifies other characters that no font has, or replaces them by U+FFFD.
 */
export function printable(words: string): string {
  const lines = words
    .normalize('NFC')
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?<![\p{L}\p{M}])[\u200c\u200d]|[^\P{C}\n\u200c\u200d]/gu, '')
    // Braces of the east could be read as those of an anchor.
    .replaceAll('\uff5b', '{')
    .replaceAll('\uff5d', '}')
    .replaceAll(/[^\n\u0020-\u007e\u200c\u200d]/gu, (letter) =>
      fontOf(letter, words) ? letter : otherwise(letter),
    )
    // More than a few marks on a letter would cover the lines around it.
    .replaceAll(/(\p{M}{3})\p{M}+/gu, '$1')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  // Last, so that nothing dropped above can join two braces into a second signature anchor.
  return lines.replaceAll(/\{\s*(?=\{)/g, '');
}

export function printableLine(words: string): string {
  return printable(words.replaceAll(/\s+/gu, ' '));
}

/** The first letter that no font of the contract prints; undefined when nothing of the words would be lost. */
export function unprintable(words: string): string | undefined {
  return Array.from(words.normalize('NFC')).find(
    (letter) =>
      /[\p{Co}\p{Cn}]/u.test(letter) ||
      (!/[\p{C}\s]/u.test(letter) && !fontOf(letter, words) && otherwise(letter) === LOST),
  );
}

/** Names the first letter that the contract cannot print; undefined when it prints all. */
export function printFault(words: string): string | undefined {
  const letter = unprintable(words);
  return letter === undefined ? undefined : `The contract cannot print “${plainly(letter)}”.`;
}

function otherwise(letter: string): string {
  const simpler = WRITTEN_OTHERWISE[letter] ?? letter.normalize('NFKC');
  if (simpler !== letter && Array.from(simpler).every((each) => fontOf(each, simpler))) return simpler;
  return PICTURES.test(letter) ? '' : LOST;
}
