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

export interface Text {
  readonly en: string | Plural;
  readonly fr: string | Plural;
  /** The command that the words name as `%command%`. Other texts get theirs as a parameter (rules 10). */
  readonly command?: Command['name'];
}

export type Texts = Readonly<Record<string, Text>>;

export type NamesIn<Words extends string> = Words extends `${string}%${infer Name}%${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type NamesInForms<Words> = Words extends string
  ? NamesIn<Words>
  : Words extends Plural
    ? 'count' | NamesIn<Words['one' | 'other']>
    : never;

/** What a text names, but for the command that its entry has. */
export type NamesOf<T> = T extends Text
  ? Exclude<NamesInForms<T['en']>, T extends { command: string } ? 'command' : never>
  : never;

/** A value for each name; `command` is one. */
export type Named<Names extends string> = Readonly<{
  [Name in Names]: Name extends 'command' ? readonly [Command] : number | Advice;
}>;

export type ParamsOf<T> = [NamesOf<T>] extends [never] ? [] : [params: Named<NamesOf<T>>];

export type KeyNaming<T, Given> = {
  [Key in keyof T]: [NamesOf<T[Key]>] extends [Given] ? Key : never;
}[keyof T];

/** Keeps the words as types, and refuses French that does not name what the English names. */
export function catalogue<const T extends Texts>(texts: T & { [Key in keyof T]: SameNames<T[Key]> }): T {
  return texts;
}

export type SameNames<T extends Text> = [NamesInForms<T['en']>, NamesInForms<T['fr']>] extends [
  NamesInForms<T['fr']>,
  NamesInForms<T['en']>,
]
  ? unknown
  : { fr: never };

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

/** French typography: these signs never start a line, so their space does not break. */
const SPACE_OF_SIGN = /(?<=«) | (?=[:;!?»])/g;

/**
 * Words with their parameters in place of `%name%`. A placeholder without a parameter stays. Parameters are filled in one
 * pass, so a `%…%` in a customer's words is never taken for a placeholder.
 */
export function fill(locale: Locale, words: string, params: TextParams): Advice {
  const spaced = locale === 'fr' ? words.replaceAll(SPACE_OF_SIGN, '\u00a0') : words;
  const parts = spaced.split(/%(\w+)%/).flatMap((part, i) => {
    if (i % 2 === 0) return part;
    const value = (Object.hasOwn(params, part) ? params[part] : undefined) ?? `%${part}%`;
    return typeof value === 'number' ? String(value) : value;
  });
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
}
