/** Makes typed text safe for the contract: only characters in its font, and no anchors. */

// The characters of Noto Sans, in ranges, because asking the font would load the PDF library.
const IN_FONT = [
  '\\u0020-\\u03e1\\u03f0-\\u052f', // Latin, marks, Greek, Cyrillic
  '\\u0900-\\u097f', // Devanagari
  '\\u1c80-\\u1c88\\u1d00-\\u1df9\\u1dfb-\\u1fff', // phonetic signs, more Latin, old Greek
  '\\u2000-\\u20c0\\u20f0-\\u215f\\u2183-\\u2184\\u2189\\u2212', // punctuation, currencies, fractions, minus
  '\\u2c60-\\u2c7f\\u2de0-\\u2e5d\\ua640-\\ua69f\\ua700-\\ua7ca', // rare Latin and Cyrillic
  '\\ufb00-\\ufb06\\ufe20-\\ufe2f\\ufffd',
].join('');
const NOT_IN_FONT = new RegExp(`[^\\n${IN_FONT}]`, 'gu');
const PICTURES = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{M}]/u;
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

/**
 * Keeps line breaks; drops control, invisible and direction characters and pictographs; simplifies other characters
 * that the font lacks, or replaces them by U+FFFD.
 */
export function printable(words: string): string {
  const lines = words
    .normalize('NFC')
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/[^\P{C}\n]/gu, '')
    .replaceAll(NOT_IN_FONT, otherwise)
    // More than a few marks on a letter would cover the lines around it.
    .replaceAll(/(\p{M}{3})\p{M}+/gu, '$1')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  // Last, so that nothing dropped above can join two braces into a second signature anchor.
  const harmless = lines.replaceAll(/\{\s*(?=\{)/g, '');
  // Allows breaks in very long words, for which pdfkit would search a second.
  return harmless.replaceAll(/\S{120}(?=\S{40})/gu, '$&\u200b');
}

/** The same in one line. */
export function printableLine(words: string): string {
  return printable(words.replaceAll(/\s+/gu, ' '));
}

function otherwise(character: string): string {
  const simpler = WRITTEN_OTHERWISE[character] ?? character.normalize('NFKC');
  if (simpler !== character && simpler.search(NOT_IN_FONT) < 0) return simpler;
  return PICTURES.test(character) ? '' : '\ufffd';
}
