/** The texts of the core by key, in English and French. Those of the back office are in `server/admin/texts.ts`. */
import { adviceText, type Advice, type WriteCommand } from '../commands.js';
import { acts } from './acts.js';
import {
  partsOf,
  type KeyNaming,
  type Locale,
  type ParamsOf,
  type TextParams,
  type Texts,
} from './catalogue.js';
import { documents } from './documents.js';
import { explain } from './explain.js';
import { lists } from './lists.js';
import { mails } from './mails.js';
import { pages } from './pages.js';
import { timeline } from './timeline.js';

export type { Locale, TextParams } from './catalogue.js';

/** Where a key is made from a word and another text says the same: each text is written once. */
const sameWords = {
  'role.ROLE_USER': lists['list.customer'],
  'state.over': lists['state.EXPIRED'],
  'report.signed': lists['state.SIGNED'],
  'report.paid': lists['state.paid'],
  'payment.state.open': lists['state.open'],
  'payment.state.pending': lists['state.on_its_way'],
  'payment.state.given_up': lists['state.given_up'],
  'payment.state.over': lists['state.EXPIRED'],
  'payment.state.case': lists['state.case'],
  'payment.state.paid': lists['state.paid'],
  'payment.state.settled': lists['state.settled'],
  'offer.status.draft': lists['state.draft'],
  'offer.status.sent': lists['state.sent'],
  'offer.status.accepted': lists['state.accepted'],
  'offer.status.refused': lists['state.offer_refused'],
  'state.available': lists['state.pending'],
  'state.completed': lists['state.delivered'],
  'inbox.event.signature_request.done': timeline['asked.signature.done'],
  'inbox.event.signature_request.expired': timeline['asked.signature.expired'],
  'inbox.event.signature_request.canceled': timeline['asked.signature.canceled'],
  'inbox.event.signature_request.deleted': timeline['asked.signature.deleted'],
  'inbox.outcome.expired': timeline['inbox.outcome.declined'],
  'inbox.outcome.rejected': timeline['inbox.outcome.declined'],
  'inbox.outcome.deleted': timeline['inbox.outcome.declined'],
  'mail.ended.reason.declined': timeline['asked.signature.declined'],
  'page.password_unknown.title': pages['page.pay_unknown.title'],
  'page.password_limited.title': pages['page.pay_limited.title'],
} satisfies Texts;

export const TEXTS = joined(acts, documents, explain, lists, mails, pages, timeline, sameWords);

type Core = typeof TEXTS;
export type TextKey = keyof Core;
/** A text that names nothing but what is given. */
export type KeyOf<Given extends string> = KeyNaming<Core, Given>;
/** A label: it needs no parameters. */
export type LabelKey = KeyOf<never>;

/** Not with a spread: V8 would give each of a thousand keys a hidden class of its own, 80 ms and 16 MB at every start. */
export function joined<Parts extends Texts[]>(...parts: Parts): Joined<Parts> {
  return Object.assign(Object.create(null), ...parts);
}

type Joined<Parts> = Parts extends [infer First, ...infer Rest] ? First & Joined<Rest> : unknown;

export function text<Key extends TextKey>(locale: Locale, key: Key, ...params: ParamsOf<Core[Key]>): string {
  return adviceText(textParts(locale, key, ...params));
}

/** The text of a key, with the command in it as data. */
export function textParts<Key extends TextKey>(
  locale: Locale,
  key: Key,
  ...[params]: ParamsOf<Core[Key]>
): Advice {
  return partsOf(locale, TEXTS[key], params ?? {});
}

/** Narrows a key from a payload or an error code to one that has a text. */
export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(TEXTS, key);
}

/** A text to be said later, in whatever language: its parameters travel with its key. */
export interface Said {
  words: TextKey;
  params: Record<string, string>;
}

export function saidParts(locale: Locale, { words, params }: { words: TextKey; params: TextParams }): Advice {
  return partsOf(locale, TEXTS[words], params);
}

export interface Say<T extends Texts = Core> {
  <Key extends keyof T>(key: Key, ...params: ParamsOf<T[Key]>): string;
  /** The text of a key from elsewhere; undefined when there is none. */
  find: Find;
}

type Find = (key: string, params?: TextParams) => string | undefined;

export function sayIn(locale: Locale, write?: WriteCommand): Say {
  return sayFrom(TEXTS, locale, write);
}

export function sayFrom<T extends Texts>(texts: T, locale: Locale, write?: WriteCommand): Say<T> {
  return sayBy((key, params = {}) => {
    const found = Object.hasOwn(texts, key) ? texts[key as keyof T] : undefined;
    return found && adviceText(partsOf(locale, found, params), write);
  });
}

export function sayBy<T extends Texts>(find: Find): Say<T> {
  const say = <Key extends keyof T>(key: Key, ...[params]: ParamsOf<T[Key]>) =>
    find(String(key), params) as string;
  return Object.assign(say, { find });
}

/** The text of a key made from a stored word; `other` when there is none. */
export function label({ find }: Pick<Say, 'find'>, key: string, other: string, params?: TextParams): string {
  return find(key, params) ?? other;
}

/** A field's fault as a person reads it; programs get it as it is. The letter that it names stays. */
export function faultWords(say: Pick<Say, 'find'>, fault: string): string {
  const [, letter = ''] = /“(.*?)”/su.exec(fault) ?? [];
  const name = fault.replace(`“${letter}”`, '“%letter%”');
  return label(say, `fault.${name}`, fault, { letter });
}
