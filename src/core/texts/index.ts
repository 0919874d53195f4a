/** Texts by label key, in English and French; `%name%` in a text is filled from the parameters. */
import { adviceText, command, type Advice, type WriteCommand } from '../commands.js';
import { NAMED } from './commands.js';
import { en } from './en.js';
import { fr } from './fr.js';

export type Locale = 'en' | 'fr';
export type TextKey = keyof typeof en;
export type TextParams = Readonly<Record<string, number | Advice>>;

const TABLES: Record<Locale, Record<TextKey, string>> = { en, fr };

/** The text of a key; `write` writes out the command in it. */
export function text(locale: Locale, key: TextKey, params: TextParams = {}, write?: WriteCommand): string {
  return adviceText(textParts(locale, key, params), write);
}

/** The text of a key, with the command in it as data. */
export function textParts(locale: Locale, key: TextKey, params: TextParams = {}): Advice {
  const named = NAMED[key];
  return fill(locale, TABLES[locale][key], named ? { ...params, command: [command(named)] } : params);
}

/**
 * Words with their parameters in place of `%name%`. A placeholder without a parameter stays. Parameters are filled in one
 * pass, so a `%…%` in a customer's words is never taken for a placeholder.
 */
export function fill(locale: Locale, words: string, params: TextParams): Advice {
  const parts = typeset(locale, words)
    .split(/%(\w+)%/)
    .flatMap((part, i) => {
      if (i % 2 === 0) return part;
      const value = (Object.hasOwn(params, part) ? params[part] : undefined) ?? `%${part}%`;
      return typeof value === 'number' ? String(value) : value;
    });
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
}

/** Narrows a key from a payload or an error code to one that has a text. */
export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}

/** Puts the words of a key into one language. */
export type Say = (key: TextKey, params?: TextParams) => string;

export function sayIn(locale: Locale, write?: WriteCommand): Say {
  return (key, params) => text(locale, key, params, write);
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
