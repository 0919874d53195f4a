/** Something found wrong with a request, with the command that fixes it. */
import { command, type Advice, type Command } from '../commands.js';
import type { Context } from '../context.js';
import { bulkCheck } from '../schedule/bulk-check.js';
import type { PdfState } from '../signature/signed-pdf.js';
import { fill, type Locale, type Say } from '../texts/index.js';
import type { CaseFile } from './case-file.js';
import { FINDINGS, type Entry, type FindingKey, type FindingLevel, type NamesIn } from './findings-table.js';
import type { PresentView } from './present-view.js';

export interface Finding {
  /** The same in every language. */
  key: FindingKey;
  level: FindingLevel;
  /** In the language of the settings. */
  message: Advice;
  /** Null when none helps. */
  next: Command | null;
}

/** The input of the finding rules. */
export interface Facts {
  ctx: Context;
  say: Say;
  file: CaseFile;
  /** Undefined when not asked (`--offline`). */
  view: PresentView | undefined;
  /** The signed PDF on disk; undefined when nothing was signed or it was not checked. */
  pdf: { contractId: number; state: PdfState } | undefined;
  isSuppliedPdfLost: boolean;
  isDaemonRunning: boolean;
  /** Another process is working on this request at the provider. */
  isBusy: boolean;
}

/** The parameters that a text names; `command` is one. */
type Params<Names extends string> = Readonly<{
  [Name in Names]: Name extends 'command' ? readonly [Command] : string | number | Advice;
}>;

type Named<Key extends FindingKey> = NamesIn<(typeof FINDINGS)[Key]['en']>;

/** The words of a finding in one language. */
export function findingWords<Key extends FindingKey>(
  locale: Locale,
  key: Key,
  params: Params<Named<Key>>,
): Advice {
  return fill(locale, FINDINGS[key][locale], params);
}

/** What the words name, and the next command where it depends on more than the finding. */
type Rest<Key extends FindingKey> = 'given' extends (typeof FINDINGS)[Key]['next']
  ? [params: Params<Named<Key>>, next: Command]
  : [Named<Key>] extends [never]
    ? []
    : [params: Params<Named<Key>>];

export function finding<Key extends FindingKey>(facts: Facts, key: Key, ...rest: Rest<Key>): Finding;
export function finding(
  { ctx, file }: Facts,
  key: FindingKey,
  params: Params<string> = {},
  given: Command | null = null,
): Finding {
  const { level, next, ...words }: Entry = FINDINGS[key];
  return {
    key,
    level,
    message: fill(ctx.config.locale, words[ctx.config.locale], params),
    next:
      next === undefined || next === 'given'
        ? given
        : next === 'doctor' || next === 'takeover'
          ? command(next)
          : command(next, file.request.id),
  };
}

/** What mends a lost webhook: the next bulk check, if there is one, and a check at once. */
export function mendOf({ ctx, say }: Facts): { mend: string } {
  const { nextAt } = bulkCheck(ctx);
  return { mend: nextAt === null ? say('explain.mend') : say('explain.mend.soon', { date: nextAt }) };
}

export function busy(facts: Facts): Finding {
  return finding(facts, 'busy');
}
