/**
 * What a person must decide (rules 2): each is told once, and open until somebody decides or what happens later does. The history
 * tells of them too, but nothing is decided by reading it.
 */
import { decideCases, findCase, insertCase, listOpenCasesOf, putCase } from '../../db/cases/cases.js';
import type { Db } from '../../db/db.js';
import type { CaseDecision, CaseKind, CaseRow } from '../../db/schema.js';
import { actorName } from '../actor.js';
import type { Change } from '../change.js';
import { adviceText } from '../commands.js';
import type { Context } from '../context.js';
import type { About } from '../history/history.js';
import { formatFullMoment } from '../texts/format.js';
import { saidParts, sayIn, text, type Locale, type Said } from '../texts/index.js';
import { whoOf } from '../users/names.js';

/** What a case is about: a paymentId, a signId or a contract's id. */
export interface CaseSubject {
  kind: CaseKind;
  subject: string;
}

/** False: it was told before, and nothing is told again. */
export function openCase(
  { db, now }: Change,
  { kind, subject }: CaseSubject,
  about: About,
  detail: Record<string, unknown> = {},
): boolean {
  return insertCase(db, { kind, subject, ...about, detail: JSON.stringify(detail), openedAt: now });
}

/** The same for what may happen again: it is open again then. What was settled stays so while its `status` is the same. */
export function openCaseAgain(
  { db, now }: Change,
  { kind, subject }: CaseSubject,
  about: About,
  detail: Record<string, unknown> = {},
): void {
  putCase(db, { kind, subject, ...about, detail: JSON.stringify(detail), now });
}

/** Decides those that are open; the number of these. */
export function decideCase(
  { db, actor, now, reason }: Change,
  kinds: readonly CaseKind[],
  subjects: readonly string[],
  decision: CaseDecision,
): number {
  return decideCases(db, {
    kinds,
    subjects,
    decision,
    decidedBy: actorName(actor),
    reason: reason ?? null,
    now,
  });
}

/** That a person has dealt with it meanwhile, when and who; undefined while it is open, or where something else has decided. */
export function settledMeanwhile(
  { config }: Pick<Context, 'config'>,
  found: CaseRow | undefined,
): { message: string; said: Said } | undefined {
  if (found?.decision !== 'settled' || found.decidedAt === null || found.decidedBy === null) return undefined;
  const said = (locale: Locale, at: string, by: string) => ({
    words: 'settled_meanwhile' as const,
    params: { at, who: whoOf(sayIn(locale), by) },
  });
  const { words, params } = said('en', found.decidedAt, found.decidedBy);
  return {
    message: text('en', words, params),
    said: said(config.locale, formatFullMoment(config, found.decidedAt), found.decidedBy),
  };
}

/** The same of one that is named, in the words of pages. */
export function settledWords(ctx: Pick<Context, 'db' | 'config'>, about: CaseSubject): string | undefined {
  const said = settledMeanwhile(ctx, findCase(ctx.db, about))?.said;
  return said && adviceText(saidParts(ctx.config.locale, said));
}

/** Those of a request that wait for a decision, the oldest first. */
export function openCasesOf(db: Db, requestId: number, kinds?: readonly CaseKind[]): CaseRow[] {
  const open = listOpenCasesOf(db, { requestIds: [requestId] });
  return kinds ? open.filter(({ kind }) => kinds.includes(kind)) : open;
}

/** What has happened decides what was open of the request. */
function overtakeCases(tx: Change, requestId: number, kinds: readonly CaseKind[]): void {
  const subjects = openCasesOf(tx.db, requestId, kinds).map(({ subject }) => subject);
  if (subjects.length > 0) decideCase(tx, kinds, subjects, 'overtaken');
}

/** Of these a later contract decides, since they are about the one before it. */
const ABOUT_ONE_CONTRACT = ['signed_late', 'foreign_signature', 'recipient_refused'] as const;

export function overtakenByContract(tx: Change, requestId: number): void {
  overtakeCases(tx, requestId, ABOUT_ONE_CONTRACT);
}

/** Any move of the request decides about a signature. */
export function overtakenByMove(tx: Change, requestId: number): void {
  overtakeCases(tx, requestId, [...ABOUT_ONE_CONTRACT, 'canceled_signed', 'replaced_signed']);
}
