/** `esignctl check-signature`, `start-signature` and `reset-signature` (rules 1, 2, 4). */
import { command } from '../../core/commands.js';
import type { Context } from '../../core/context.js';
import { actCalled } from '../../core/requests/acts.js';
import type { CheckedContract } from '../../core/signature/check-all-signatures.js';
import type { FetchedPdf } from '../../core/signature/signed-pdf.js';
import type { Survey } from '../../core/signature/survey-signatures.js';
import type { UnknownSignature } from '../../core/signature/unknown-signatures.js';
import { actCommand, checkCommand } from '../verb/acts.js';
import { askAboutAll, checkedLine, exitOfAll, tellTrouble } from '../run/batch.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import type { Session } from '../run/open.js';
import type { Output } from '../output/output.js';

export const startSignature = actCommand(actCalled('start-signature'));
export const resetSignature = actCommand(actCalled('reset-signature'));

export const checkSignature = checkCommand(actCalled('check-signature'), {
  all: 'check every request that waits for a signature',
  settles: {
    what: 'document that is unknown here or is the second of its contract',
    word: 'signId',
    offers: 'unknown-signatures',
    settle: async (ctx, signId, by) =>
      (await import('../../core/signature/unknown-signatures.js')).settleUnknown(ctx, signId, by),
  },
  checkAll: (shell, session) => (shell.dryRun ? preview(shell, session) : checkAll(shell, session)),
});

const ASKED = { provider: 'signature', what: 'contract' };

async function checkAll(shell: Shell, { ctx, by }: Session): Promise<ExitCode> {
  const { checkAllSignatures } = await import('../../core/signature/check-all-signatures.js');
  const { fetchMissingPdfs } = await import('../../core/signature/signed-pdf.js');
  const { signal } = shell;
  const { pdfs, ...found } = await askAboutAll(shell, ASKED, async (onProgress) => ({
    ...(await checkAllSignatures(ctx, { ...by, signal, onProgress, isWhole: true })),
    pdfs: await fetchMissingPdfs(ctx, { ...by, signal }),
  }));
  const exit = await tellAll(shell, ctx, found, { pdfs });
  return exit === EXIT.done && pdfs.some(({ error }) => error !== null) ? EXIT.failed : exit;
}

/** The same questions, and what only a look at everything shows; nothing is changed. */
async function preview(shell: Shell, { ctx, by }: Session): Promise<ExitCode> {
  const { surveySignatures } = await import('../../core/signature/survey-signatures.js');
  const { out, signal } = shell;
  const survey = await askAboutAll(shell, ASKED, (onProgress) =>
    surveySignatures(ctx, { ...by, signal, onProgress }),
  );
  const exit = await tellAll(shell, ctx, survey, { classes: classLines(survey) });
  if (survey.paidThere.length > 0) out.note(`hint: ${out.command(CHECK_PAYMENTS)}`);
  return exit;
}

type Found = Pick<Survey, 'results' | 'unknown' | 'checked' | 'changed' | 'failed' | 'trouble' | 'brokeOff'>;

/** Lines for what changed and what failed; contracts that simply wait are only counted. */
async function tellAll(
  shell: Shell,
  ctx: Context,
  found: Found,
  { pdfs = [], classes = [] }: { pdfs?: readonly FetchedPdf[]; classes?: readonly string[] },
): Promise<ExitCode> {
  const { out } = shell;
  const tell = await teller(out, ctx);
  const results = found.results.map(tell.result);
  const unknown = found.unknown?.map(tell.unknown) ?? [];
  const some = { ...(unknown.length > 0 && { unknown }), ...(pdfs.length > 0 && { pdfs }) };
  out.result({ ...found, results, ...some }, () => {
    const lines = [
      ...results.filter(isWorthALine).map((result) => lineOf(out, result)),
      ...pdfs.map(pdfLine),
      ...unknown.map((one) => unknownLine(out, one)),
      ...classes,
      checkedLine(shell, found),
    ];
    for (const line of lines) out.line(line);
  });
  tellTrouble(shell, found);
  return exitOfAll(found);
}

const CHECK_PAYMENTS = { ...command('payments check'), options: ['--all'] };

/** Puts a sentence beside each key. */
async function teller(out: Output, { db }: Context) {
  const { isTextKey, saidParts } = await import('../../core/texts/index.js');
  const { adviceOn } = await import('../../core/signature/unknown-signatures.js');
  return {
    result: ({ words, ...told }: CheckedContract) => {
      const key = words ?? told.key;
      const { params } = told;
      const message = isTextKey(key)
        ? out.advice(saidParts('en', { words: key, params }))
        : (params['error'] ?? '');
      return { ...told, message };
    },
    unknown: (one: UnknownSignature) => ({
      ...one,
      message: out.advice(adviceOn('en', db, one)),
    }),
  };
}

type Told = Omit<CheckedContract, 'words'> & { message: string | number };

/** What changed, what failed, and what waits for a person. */
function isWorthALine({ changed, type, key }: Told): boolean {
  return changed || type === 'error' || key === 'contract_expired' || key === 'foreign_signature';
}

function lineOf(out: Output, { requestId, contractId, key, message }: Told): string {
  return out.keyed(key, `request ${requestId}, contract ${contractId}: ${message}`);
}

function pdfLine({ requestId, contractId, error }: FetchedPdf): string {
  const outcome = error === null ? 'was fetched again' : `could not be fetched again: ${error}`;
  return `request ${requestId}, contract ${contractId}: the signed PDF was missing or damaged, and ${outcome}`;
}

function unknownLine(out: Output, unknown: UnknownSignature & { message: string }): string {
  const { signId, externalId, status, createdAt, name, message } = unknown;
  const made = createdAt === null ? 'at an unknown time' : out.time(createdAt);
  return `unknown here: signature ${signId}, ${status}, made ${made}, “${name ?? ''}” (${externalId}): ${message}`;
}

const CLASS_WORDS: readonly (readonly [keyof Survey['classes'], string])[] = [
  ['signed', 'signed there and waiting here'],
  ['expired', 'expired there'],
  ['declined', 'declined there'],
  ['canceled', 'canceled there'],
  ['gone', 'gone there'],
  ['late', 'signed after expiry'],
  ['over', 'ended here but still open there'],
  ['waiting', 'waiting on both sides'],
  ['failed', 'could not be checked'],
];

function classLines({ classes, unknownHere, pdfMissing, paidThere }: Survey): string[] {
  const named = (words: string, ids: readonly (number | string)[]) =>
    ids.length === 0 ? [] : [`${words}: ${ids.length} (${some(ids)})`];
  return [
    ...CLASS_WORDS.filter(([name]) => classes[name] > 0).map(([name, words]) => `${words}: ${classes[name]}`),
    ...named('unknown here, signature', unknownHere),
    ...named('signed PDF missing or damaged, contract', pdfMissing),
    ...named('paid there and waiting here, request', paidThere),
  ];
}

const NAMED_MAX = 10;

function some(ids: readonly (number | string)[]): string {
  const more = ids.length - NAMED_MAX;
  return ids.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
