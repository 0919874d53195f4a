/** Texts by label key, in English and French; `%name%` in a text is filled from the parameters. */
import { commandLine, type Command } from '../commands.js';
import { commandOf } from './commands.js';
import { en } from './en.js';
import { fr } from './fr.js';

export type Locale = 'en' | 'fr';
export type TextKey = keyof typeof en;
export type TextParams = Readonly<Record<string, string | number>>;

const TABLES: Record<Locale, Record<TextKey, string>> = { en, fr };

/** The text of a key. */
export function text(locale: Locale, key: TextKey, params: TextParams = {}): string {
  const named = commandOf(key, params);
  return fill(locale, TABLES[locale][key], named ? { ...params, command: named } : params);
}

/**
 * Words with their parameters in place of `%name%`. A placeholder without a parameter stays. Parameters are filled in one
 * pass, so a `%…%` in a customer's words is never taken for a placeholder.
 */
export function fill(
  locale: Locale,
  words: string,
  params: Readonly<Record<string, string | number | Command>>,
): string {
  return typeset(locale, words).replaceAll(/%(\w+)%/g, (placeholder, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    return typeof value === 'object' ? commandLine(value) : String(value ?? placeholder);
  });
}

/** Narrows a key from a payload or an error code to one that has a text. */
export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}

/** Puts the words of a key into one language. */
export type Say = (key: TextKey, params?: TextParams) => string;

export function sayIn(locale: Locale): Say {
  return (key, params) => text(locale, key, params);
}

/** The text of a key made from a stored word; `other` when there is none. */
export function label(say: Say, key: string, other: string, params?: TextParams): string {
  return isTextKey(key) ? say(key, params) : other;
}

function typeset(locale: Locale, words: string): string {
  if (locale !== 'fr') return words;
  // French typography: these signs never start a line.
  return words.replaceAll(/ (?=[:;!?»])/g, '\u00a0').replaceAll('« ', '«\u00a0');
}
