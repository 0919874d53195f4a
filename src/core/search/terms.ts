/**
 * What somebody types to find a request or a customer (rules 10): words, any part of them, in any case and with or without
 * accents. One or two letters are the beginning of a word. A phone number is found as it is written at home or from abroad.
 */

/** As in the texts of the index (db/schema.sql): two spaces before a word, so that its beginning is a trigram. */
const BEFORE_A_WORD = '  ';
const TRIGRAM = 3;
const TERMS_MAX = 10;

/** Letters that no accent makes, as they are written without them, and apostrophes. */
const PLAIN: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  '’': "'",
  ʼ: "'",
  '´': "'",
};
const APOSTROPHES = ["'", '’', 'ʼ', '´'];

export function termsOf(typed: string): string[] {
  const text = folded(typed);
  const phone = phoneIn(text);
  // A NUL would end the query in the middle of a word.
  const words = phone === undefined ? text.split(/[\s\p{Cc}]+/u) : [phone];
  const terms = words.map(withoutPunctuation).map((word) => phoneIn(word) ?? word);
  return [...new Set(terms.filter((term) => term !== ''))].slice(0, TERMS_MAX).map(beginning);
}

/**
 * The FTS5 query of texts that may have all of the terms: by trigrams side by side, and the last one, since each more costs
 * time and rules out little. Quoted, so that the query language's operators have no effect.
 */
export function matchOf(terms: readonly string[]): string {
  const trigrams = terms.flatMap((term) => {
    const letters = [...term];
    const last = letters.length - TRIGRAM;
    const starts = [...letters.keys()].filter((i) => i === last || (i < last && i % TRIGRAM === 0));
    return starts.map((i) => letters.slice(i, i + TRIGRAM).join(''));
  });
  return [...new Set(trigrams)].map(spellings).join(' AND ');
}

/** Other texts than names keep the apostrophe with which they were typed. */
function spellings(trigram: string): string {
  const written = trigram.includes("'") ? APOSTROPHES.map((it) => trigram.replaceAll("'", it)) : [trigram];
  return `(${written.map((each) => `"${each.replaceAll('"', '""')}"`).join(' OR ')})`;
}

export function hasTerms(text: string, terms: readonly string[]): boolean {
  const plain = folded(text);
  return terms.every((term) => plain.includes(term));
}

/** As SQLite folds: accents of other scripts than Latin stay. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll(/[œæøßł’ʼ´]/g, (letter) => PLAIN[letter] ?? letter);
}

function beginning(term: string): string {
  return [...term].length < TRIGRAM ? BEFORE_A_WORD + term : term;
}

function withoutPunctuation(word: string): string {
  return word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** `06 12 34 56 78` and `+33 (0)6 12 …` without what depends on where one calls from; undefined for anything else. */
function phoneIn(text: string): string | undefined {
  const written = text.trim();
  if (!/^(\+|0)[\d\s.()/-]{5,}$/.test(written)) return undefined;
  return written.replaceAll('(0)', '').replaceAll(/\D/g, '').replace(/^0+/, '');
}
