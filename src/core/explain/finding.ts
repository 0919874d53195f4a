/** Something found wrong with a request, with the command that fixes it. */
import { command, type Command, type RequestCommand } from '../commands.js';
import type { Context } from '../context.js';
import { bulkCheck } from '../schedule/bulk-check.js';
import type { PdfState } from '../signature/signed-pdf.js';
import type { Say, TextKey, TextParams } from '../texts/index.js';
import type { CaseFile } from './case-file.js';
import type { PresentView } from './present-view.js';

/** trouble: somebody must act. waiting: it continues on its own, or a person has yet to start. calm: nothing to do. */
export type FindingLevel = 'trouble' | 'waiting' | 'calm';

export interface Finding {
  /** The same in every language. */
  key: FindingKey;
  level: FindingLevel;
  /** In the language of the settings. */
  message: string;
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

export type FindingKey = TextKey extends infer K ? (K extends `finding.${infer Name}` ? Name : never) : never;

/** The words of a finding stand under `finding.<key>`. A command that is only named is about the request itself. */
type MakeFinding = (
  facts: Facts,
  key: FindingKey,
  next: RequestCommand | Command | null,
  params?: TextParams,
) => Finding;

export const trouble = at('trouble');
export const waiting = at('waiting');
export const calm = at('calm');

function at(level: FindingLevel): MakeFinding {
  return ({ say, file }, key, next, params) => ({
    key,
    level,
    message: say(`finding.${key}`, params),
    next: typeof next === 'string' ? command(next, file.request.id) : next,
  });
}

/** What mends a lost webhook: the next bulk check, if there is one, and a check at once. */
export function mendOf({ ctx, say }: Facts): { mend: string } {
  const { nextAt } = bulkCheck(ctx);
  return { mend: nextAt === null ? say('explain.mend') : say('explain.mend.soon', { date: nextAt }) };
}

export function busy(facts: Facts): Finding {
  return waiting(facts, 'busy', 'explain');
}
