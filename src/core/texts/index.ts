/** The texts of the core by key, in English and French. Those of the back office are in `server/admin/texts.ts`. */
import { adviceText, type Advice, type WriteCommand } from '../commands.js';
import { acts } from './acts.js';
import { answers } from './answers.js';
import { partsOf, type Locale, type TextParams, type Texts } from './catalogue.js';
import { documents } from './documents.js';
import { explain } from './explain.js';
import { lists } from './lists.js';
import { mails } from './mails.js';
import { pages } from './pages.js';
import { states } from './states.js';
import { timeline } from './timeline.js';

export { fill, type Locale, type TextParams } from './catalogue.js';

export const TEXTS = joined(acts, answers, documents, explain, lists, mails, pages, states, timeline);

export type TextKey = keyof typeof TEXTS;

/** Not with a spread: V8 would give each of a thousand keys a hidden class of its own, 80 ms and 16 MB at every start. */
export function joined<Parts extends Texts[]>(...parts: Parts): Joined<Parts> {
  return Object.assign(Object.create(null), ...parts);
}

type Joined<Parts> = Parts extends [infer First, ...infer Rest] ? First & Joined<Rest> : unknown;

/** The text of a key; `write` writes out the command in it. */
export function text(locale: Locale, key: TextKey, params: TextParams = {}, write?: WriteCommand): string {
  return adviceText(textParts(locale, key, params), write);
}

/** The text of a key, with the command in it as data. */
export function textParts(locale: Locale, key: TextKey, params: TextParams = {}): Advice {
  return partsOf(locale, TEXTS[key], params);
}

/** Narrows a key from a payload or an error code to one that has a text. */
export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(TEXTS, key);
}

/** Puts the words of a key into one language. */
export interface Say<Key = TextKey> {
  (key: Key, params?: TextParams): string;
  /** Undefined for a key that has no text. */
  find(key: string, params?: TextParams): string | undefined;
}

export function sayIn(locale: Locale, write?: WriteCommand): Say {
  return sayFrom(TEXTS, locale, write);
}

export function sayFrom<T extends Texts>(texts: T, locale: Locale, write?: WriteCommand): Say<keyof T> {
  const find = (key: PropertyKey, params: TextParams = {}) => {
    const found = Object.hasOwn(texts, key) ? texts[key as keyof T] : undefined;
    return found && adviceText(partsOf(locale, found, params), write);
  };
  return Object.assign((key: keyof T, params?: TextParams) => find(key, params) as string, { find });
}

/** The text of a key made from a stored word; `other` when there is none. */
export function label(say: Say<never>, key: string, other: string, params?: TextParams): string {
  return say.find(key, params) ?? other;
}
