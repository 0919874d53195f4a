/** Texts by label key, in English and French; `%name%` in a text is filled from the parameters. */
import { en } from './en.js';
import { fr } from './fr.js';

export type Locale = 'en' | 'fr';
export type TextKey = keyof typeof en;
export type TextParams = Readonly<Record<string, string | number>>;

const TABLES: Record<Locale, Record<TextKey, string>> = { en, fr };

/**
 * The text of a key. A placeholder without a parameter stays as it is; parameters are put in as they
 * come, in one pass, so a `%…%` inside a customer's words is never taken for a placeholder.
 */
export function text(locale: Locale, key: TextKey, params: TextParams = {}): string {
  return template(locale, key).replaceAll(/%(\w+)%/g, (placeholder, name: string) =>
    String(Object.hasOwn(params, name) ? params[name] : placeholder),
  );
}

/** Narrows a key that came from elsewhere (a job's payload, an error's code) to one that has a text. */
export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(en, key);
}

function template(locale: Locale, key: TextKey): string {
  const words = TABLES[locale][key];
  if (locale !== 'fr') return words;
  // French typography: these signs never start a line.
  return words.replaceAll(/ (?=[:;!?»])/g, '\u00a0').replaceAll('« ', '«\u00a0');
}
