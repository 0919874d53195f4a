/** Something found wrong with a request, with the command that fixes it. */
import { command, type Advice, type Command } from '../commands.js';
import type { Context } from '../context.js';
import type { NeedKind } from '../needs/kinds.js';
import type { PriceList } from '../prices/which-price.js';
import type { RequestRow } from '../rows.js';
import type { Price } from '../settings/currencies.js';
import type { PdfState } from '../signature/signed-pdf.js';
import { fill, type Locale, type Named, type NamesIn, type TextParams } from '../texts/catalogue.js';
import type { Say } from '../texts/index.js';
import type { CaseFile } from './case-file.js';
import {
  FINDINGS,
  type Causes,
  type Entry,
  type FindingKey,
  type FindingLevel,
  type Reply,
} from './findings-table.js';
import type { PresentView } from './present-view.js';

export interface Finding {
  /** The same in every language. */
  key: FindingKey;
  /** Which of the causes that this finding can have; null when it has but one. */
  cause: string | null;
  level: FindingLevel;
  need: NeedKind | null;
  reply: Reply | null;
  /** In the language of the settings. */
  message: Advice;
  /** Null when none helps. */
  next: Command | null;
}

/** What is the same for every request. */
export interface Surroundings {
  isHeld: boolean;
  isDaemonRunning: () => boolean;
  newTooLongSince: () => string;
  priceList: () => PriceList;
  isLocked: (request: RequestRow) => boolean;
  priceOf: (request: RequestRow) => Price;
}

/** The input of the finding rules. */
export interface Facts extends Surroundings {
  ctx: Context;
  say: Say;
  file: CaseFile;
  /** Undefined when not asked (`--offline`). */
  view: PresentView | undefined;
  /** The signed PDF on disk; undefined when nothing was signed or it was not checked. */
  pdf: { contractId: number; state: PdfState } | undefined;
  isSuppliedPdfLost: boolean;
  /** Another process is working on this request at the provider. */
  isBusy: boolean;
}

/** What a finding's words name, and its cause where it has several. */
type ParamsOf<E extends Entry> = E extends { causes: infer C extends Causes }
  ? {
      [Cause in keyof C]: { cause: Cause } & Named<
        Exclude<NamesIn<E['en']>, 'cause'> | NamesIn<C[Cause]['en']>
      >;
    }[keyof C]
  : Named<NamesIn<E['en']>>;

type EntryOf<Key extends FindingKey> = (typeof FINDINGS)[Key];

/** The next command is given where it depends on more than the finding. */
type Rest<E extends Entry> = E extends { next: 'given' }
  ? [params: ParamsOf<E>, next: Command | null]
  : keyof ParamsOf<E> extends never
    ? []
    : [params: ParamsOf<E>];

export function finding<Key extends FindingKey>(facts: Facts, key: Key, ...rest: Rest<EntryOf<Key>>): Finding;
export function finding(
  { ctx, file }: Facts,
  key: FindingKey,
  params: TextParams = {},
  given: Command | null = null,
): Finding {
  const entry: Entry = FINDINGS[key];
  const { level, next } = entry;
  const cause = causeOf(entry, params);
  const { need = null, reply = null } = { ...entry, ...cause?.words };
  return {
    key,
    cause: cause?.name ?? null,
    level,
    need,
    reply,
    message: wordsOf(ctx.config.locale, entry, params),
    next:
      next === undefined || next === 'given'
        ? given
        : next === 'doctor' || next === 'takeover'
          ? command(next)
          : command(next, file.request.id),
  };
}

export function findingWords<Key extends FindingKey>(
  locale: Locale,
  key: Key,
  params: ParamsOf<EntryOf<Key>>,
): Advice {
  return wordsOf(locale, FINDINGS[key], params);
}

function wordsOf(locale: Locale, entry: Entry, params: TextParams): Advice {
  const cause = causeOf(entry, params)?.words;
  const given = cause ? { ...params, cause: fill(locale, cause[locale], params) } : params;
  return fill(locale, entry[locale], given);
}

function causeOf({ causes = {} }: Entry, { cause: name }: TextParams) {
  if (typeof name !== 'string') return undefined;
  const words = causes[name];
  return words && { name, words };
}

/** As it is named in words. */
export function withReason(advised: Command): Command {
  return { ...advised, options: ['--reason', '…'] };
}
