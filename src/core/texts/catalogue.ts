/** A catalogue: texts by key, both languages side by side. `%name%` in a text is filled from the parameters. */
import { command, type Advice, type Command } from '../commands.js';
import { formatNumber, pluralForm } from './format.js';

export type Locale = 'en' | 'fr';
export type TextParams = Readonly<Record<string, number | Advice>>;

/** The words for one and for more, as the language counts `%count%`. */
interface Plural {
  readonly one: string;
  readonly other: string;
}

interface Text {
  readonly en: string | Plural;
  readonly fr: string | Plural;
  /** The command that the words name as `%command%`. Other texts get theirs as a parameter (rules 10). */
  readonly command?: Command['name'];
}

export type Texts = Readonly<Record<string, Text>>;

/** Keeps the words as types. */
export function catalogue<const T extends Texts>(texts: T): T {
  return texts;
}

export function plural<const One extends string, const Other extends string>(one: One, other: Other) {
  return { one, other };
}

/** The words of a text, with the command in it as data. */
export function partsOf(locale: Locale, text: Text, params: TextParams): Advice {
  const { [locale]: words, command: name } = text;
  const given = name ? { ...params, command: [command(name)] } : params;
  if (typeof words === 'string') return fill(locale, words, given);
  const count = Number(params['count']);
  return fill(locale, words[pluralForm(locale, count)], { ...given, count: formatNumber(locale, count) });
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

function typeset(locale: Locale, words: string): string {
  if (locale !== 'fr') return words;
  // French typography: these signs never start a line.
  return words.replaceAll(/ (?=[:;!?»])/g, '\u00a0').replaceAll('« ', '«\u00a0');
}
