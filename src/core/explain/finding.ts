/** One thing that a look at a request found, with the command that mends it. */
import type { TextKey, TextParams } from '../texts/index.js';
import type { Context } from '../context.js';
import type { PdfState } from '../signature/signed-pdf.js';
import type { CaseFile } from './case-file.js';
import type { PresentView } from './present-view.js';
import type { Say } from './timeline-entry.js';

/** trouble: somebody must act. waiting: it goes on by itself, or a person has yet to begin. calm: nothing to do. */
export type FindingLevel = 'trouble' | 'waiting' | 'calm';

export interface Finding {
  /** A word that stays the same whatever the language. */
  key: string;
  level: FindingLevel;
  /** In the language of the settings. */
  message: string;
  /** A command line that begins with `esignctl `, or null when none helps. */
  next: string | null;
}

/** What the rules look at. */
export interface Facts {
  ctx: Context;
  say: Say;
  file: CaseFile;
  /** Undefined: nobody was asked (`--offline`). */
  view: PresentView | undefined;
  /** The signed PDF on our disk; undefined: nothing was signed, or nobody looked. */
  pdf: { contractId: number; state: PdfState } | undefined;
  isDaemonRunning: boolean;
  /** Somebody works at the provider on this request at this moment. */
  isBusy: boolean;
}

type FindingKey = TextKey extends infer K ? (K extends `finding.${infer Name}` ? Name : never) : never;

/** A finding whose words stand under `finding.<key>`; `next` is given without the program's name. */
export function finding(
  { say }: Pick<Facts, 'say'>,
  level: FindingLevel,
  key: FindingKey,
  next: string | null,
  params: TextParams = {},
): Finding {
  return { key, level, message: say(`finding.${key}`, params), next: next && `esignctl ${next}` };
}
