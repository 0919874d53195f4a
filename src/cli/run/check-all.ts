/** Runs `esignctl check-signature --all`. */
import {
  checkAllSignatures,
  type BulkCheckOptions,
  type CheckedContract,
} from '../../core/signature/check-all-signatures.js';
import { fetchMissingPdfs, type FetchedPdf } from '../../core/signature/fetch-missing-pdfs.js';
import { adviceOn, type UnknownSignature } from '../../core/signature/unknown-signatures.js';
import { classOf, surveySignatures, type Survey } from '../../core/signature/survey-signatures.js';
import { isTextKey, text, type Locale } from '../../core/texts/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { bar, withProgress } from '../progress.js';
import { withSession, type Session } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

export function checkAll(shell: Shell, { dryRun = false, reason }: ChangeFlags): Promise<ExitCode> {
  return withSession(shell, (session) => (dryRun ? preview(shell, session) : check(shell, session, reason)));
}

/** Lines for what changed and what failed; contracts that simply wait are only counted. */
async function check(shell: Shell, { ctx, actor }: Session, reason?: string): Promise<ExitCode> {
  const { signal } = shell;
  const { pdfs, ...found } = await asking(shell, async (onProgress) => ({
    ...(await checkAllSignatures(ctx, { actor, reason, signal, onProgress, isWhole: true })),
    pdfs: await fetchMissingPdfs(ctx, { actor, signal }),
  }));
  const { checked, changed, failed, unknown = [] } = found;
  const told = found.results.map((result) => withWords(ctx.config.locale, result));
  const document = {
    ...found,
    results: told,
    ...withAdvice(ctx.config.locale, unknown),
    ...(pdfs.length > 0 && { pdfs }),
  };
  shell.out.result(document, () => {
    for (const result of told.filter(isWorthALine)) shell.out.line(lineOf(result));
    for (const pdf of pdfs) shell.out.line(pdfLine(pdf));
    for (const one of unknown) shell.out.line(unknownLine(shell, ctx.config.locale, one));
    shell.out.line(`checked ${checked}, changed ${changed}, failed ${failed}`);
  });
  if (found.listBrokeOff) shell.out.note(LIST_BROKE_OFF);
  const hasFailed = failed > 0 || pdfs.some(({ error }) => error !== null);
  return hasFailed ? EXIT.failed : EXIT.done;
}

/** The same questions, and what only a look at everything shows; nothing is changed. */
async function preview(shell: Shell, { ctx, actor }: Session): Promise<ExitCode> {
  const survey = await asking(shell, (onProgress) =>
    surveySignatures(ctx, { actor, signal: shell.signal, onProgress }),
  );
  const told = survey.results.map((result) => ({
    ...withWords(ctx.config.locale, result),
    class: classOf(result),
  }));
  const { unknown = [] } = survey;
  const document = { ...survey, results: told, ...withAdvice(ctx.config.locale, unknown), dryRun: true };
  shell.out.result(document, () => {
    for (const result of told.filter(isWorthALine)) shell.out.line(lineOf(result));
    for (const one of unknown) shell.out.line(unknownLine(shell, ctx.config.locale, one));
    for (const line of classLines(survey)) shell.out.line(line);
    shell.out.line(`checked ${survey.checked}, would change ${survey.changed}, failed ${survey.failed}`);
  });
  if (survey.listBrokeOff) shell.out.note(LIST_BROKE_OFF);
  if (survey.paidThere.length > 0) shell.out.note('hint: esignctl payments check --all');
  shell.out.note(DRY_RUN_NOTE);
  return survey.failed > 0 ? EXIT.failed : EXIT.done;
}

type OnProgress = NonNullable<BulkCheckOptions['onProgress']>;

function asking<T>(shell: Shell, ask: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  shell.interruption.say(() => 'no contract was checked');
  return withProgress(shell, 'asking the signature provider', (progress) =>
    ask((done, total) => {
      progress.update(bar(done, total));
      shell.interruption.say(() => `${done} of ${counted(total, 'contract')} checked`);
    }),
  );
}

const CLASS_WORDS = {
  signed: 'signed there and waiting here',
  expired: 'expired there',
  declined: 'declined there',
  canceled: 'canceled there',
  gone: 'gone there',
  late: 'signed after expiry',
  over: 'ended here but still open there',
  waiting: 'waiting on both sides',
  failed: 'could not be checked',
} as const;

function classLines({ classes, unknownHere, pdfMissing, paidThere }: Survey): string[] {
  const named = (words: string, ids: readonly (number | string)[]) =>
    ids.length === 0 ? [] : [`${words}: ${ids.length} (${some(ids)})`];
  return [
    ...(Object.keys(CLASS_WORDS) as (keyof typeof CLASS_WORDS)[])
      .filter((name) => classes[name] > 0)
      .map((name) => `${CLASS_WORDS[name]}: ${classes[name]}`),
    ...named('unknown here, signature', unknownHere),
    ...named('signed PDF missing, contract', pdfMissing),
    ...named('paid there and waiting here, request', paidThere),
  ];
}

const NAMED_MAX = 10;

function some(ids: readonly (number | string)[]): string {
  const more = ids.length - NAMED_MAX;
  return ids.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function withWords(locale: Locale, result: CheckedContract) {
  const { words, ...told } = result;
  const { key, params } = told;
  const sentence = words ?? key;
  const message = isTextKey(sentence) ? text(locale, sentence, params) : (params['error'] ?? '');
  return { ...told, message };
}

type Told = ReturnType<typeof withWords>;

/** A member of the JSON document; there only when there is something to tell. */
function withAdvice(locale: Locale, unknown: readonly UnknownSignature[]) {
  const advised = unknown.map((one) => ({ ...one, message: text(locale, adviceOn(one)) }));
  return advised.length > 0 ? { unknown: advised } : {};
}

function unknownLine({ out }: Shell, locale: Locale, unknown: UnknownSignature): string {
  const { signId, externalId, status, createdAt, name } = unknown;
  const made = createdAt === null ? 'at an unknown time' : out.time(createdAt);
  const advice = text(locale, adviceOn(unknown));
  return `unknown here: signature ${signId}, ${status}, made ${made}, “${name ?? ''}” (${externalId}): ${advice}`;
}

const LIST_BROKE_OFF =
  'The provider’s list could not be read to the end: more of its documents may be unknown here.';

function lineOf({ requestId, contractId, key, message }: Told): string {
  return `request ${requestId}, contract ${contractId}: ${key}: ${message}`;
}

function pdfLine({ requestId, contractId, error }: FetchedPdf): string {
  const outcome = error === null ? 'fetched again' : `could not be fetched again: ${error}`;
  return `request ${requestId}, contract ${contractId}: the signed PDF was missing and ${outcome}`;
}

/** What changed, what failed, and what waits for a person. */
function isWorthALine({ changed, type, key }: CheckedContract): boolean {
  return changed || type === 'error' || key === 'contract_expired' || key === 'foreign_signature';
}
