/** The one search for requests and customers by words (rules 10): for every command, page and list. */
import type { Db } from '../../db/db.js';
import { type RequestFilter, listRequestsByIds } from '../../db/requests/requests.js';
import { listRequestTexts, listCustomerTexts } from '../../db/search.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import { listUsersByIds } from '../../db/users/users.js';
import type { Listing } from '../calls/listing.js';

/** More than anybody reads. */
export const FOUND_MAX = 1_000;

export interface FoundRequests extends Listing<RequestRow> {
  /** Perhaps more match; `total` counts only the newest. */
  isCapped: boolean;
}

export function searchRequests(
  db: Db,
  typed: string,
  { filter, limit }: { filter: RequestFilter; limit: number },
): FoundRequests {
  const { ids, isCapped } = found(typed, (asked) => listRequestTexts(db, { ...asked, filter }));
  const rows = listRequestsByIds(db, { ids: ids.slice(0, limit) }).toSorted((a, b) => b.id - a.id);
  return { rows, total: ids.length, isCapped };
}

/** Also those without a request. */
export function searchCustomers(db: Db, typed: string, limit: number): UserRow[] {
  const { ids } = found(typed, (asked) => listCustomerTexts(db, asked));
  return listUsersByIds(db, { ids: ids.slice(0, limit) }).toSorted((a, b) => b.id - a.id);
}

type Texts = (asked: { match: string; limit: number }) => { id: number; text: string }[];

/** Those that have all of the words, the newest first. */
function found(typed: string, textsOf: Texts): { ids: number[]; isCapped: boolean } {
  const terms = termsOf(typed);
  if (terms.length === 0) return { ids: [], isCapped: false };
  const texts = textsOf({ match: matchOf(terms), limit: FOUND_MAX });
  const ids = texts.filter(({ text }) => hasTerms(text, terms)).map(({ id }) => id);
  return { ids, isCapped: texts.length === FOUND_MAX };
}

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

function termsOf(typed: string): string[] {
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
function matchOf(terms: readonly string[]): string {
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

function hasTerms(text: string, terms: readonly string[]): boolean {
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
