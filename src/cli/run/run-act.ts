/**
 * Runs an act on the requests that were named. About one, its answer is the command's; of several, each is told, and one that fails
 * does not stop the others.
 */
import { createReadStream } from 'node:fs';
import { inTurn } from '../../core/calls/round.js';
import type { Context } from '../../core/context.js';
import { receiveSuppliedPdf, removeSupplied } from '../../core/contracts/contract-files.js';
import { getContract } from '../../core/contracts/contracts.js';
import { typedMoney } from '../../core/prices/typed-money.js';
import { ourPayments } from '../../core/payment/our-payments.js';
import { paymentWords } from '../../core/payment/payment-cases.js';
import { askedOf } from '../../core/requests/act-input.js';
import type { Act, ActOutcome, Asked } from '../../core/requests/acts.js';
import { beforeAct, requestStanding } from '../../core/requests/before-act.js';
import { getRequest } from '../../core/requests/requests.js';
import { saidParts } from '../../core/texts/index.js';
import type { RequestRow } from '../../core/rows.js';
import { confirm, confirmHere } from './ask.js';
import { tellAnswer, workThrough, type Answer } from './batch.js';
import { contractDocument } from '../output/documents.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { faultOf, type Fault } from './faults.js';
import type { Shell } from '../io.js';
import { inEnglish, withSession } from './open.js';
import { withProgress } from '../output/progress.js';
import { factsBefore, findRequest, sayStanding, sendingOf } from './request.js';
import { reasonOf, UsageError } from '../verb/usage-error.js';
import { counted } from '../output/words.js';

type GivenOptions = Readonly<Record<string, unknown>>;

export async function act(
  shell: Shell,
  act: Act,
  given: GivenOptions,
  keys: readonly string[],
): Promise<ExitCode> {
  if (act.reason === 'required') reasonOf(shell, `\`${act.command}\` needs a reason.`);
  const file = given['pdf'] as string | undefined;
  if (file !== undefined && keys.length > 1)
    throw new UsageError(
      '--pdf goes with one request: it would be the contract of each of them.',
      'Start that one alone, then the others without --pdf.',
    );
  return withSession(shell, async ({ ctx, by }) => {
    const pdf = file === undefined ? undefined : await receiveSuppliedPdf(ctx, bytesOf(file));
    try {
      const work = {
        ctx,
        act,
        asked: { ...by, ...askedOf(act, askedIn(act, given, shell), typedMoney(ctx.config)), pdf },
      };
      const [only = '', ...others] = keys;
      return others.length === 0 ? await actOnOne(shell, work, only) : await actOnEach(shell, work, keys);
    } finally {
      if (pdf) await removeSupplied(pdf);
    }
  });
}

/** The options under the names of the schema. */
function askedIn({ options = {} }: Act, given: GivenOptions, { reason }: Shell): GivenOptions {
  const named = Object.entries(options).map(([name, { flag = name }]) => [name, given[flag]]);
  return { ...(reason !== undefined && { reason }), ...Object.fromEntries(named) };
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new UsageError(`the file ${file} cannot be read (${code})`, 'Name a readable PDF with --pdf.');
  }
}

interface Work {
  ctx: Context;
  act: Act;
  asked: Asked;
}

interface Found {
  request: RequestRow;
  contractId?: number;
}

/** Of several requests that words find, those count for which the act is open. */
async function find(shell: Shell, { ctx, act }: Work, key: string): Promise<Found> {
  if (act.namesContracts) {
    const { id: contractId, requestId } = getContract(ctx.db, Number(key));
    return { request: getRequest(ctx, requestId), contractId };
  }
  const fits = (one: RequestRow) => act.isOpen(requestStanding(ctx, ourPayments(ctx.db, one.id)));
  return { request: await findRequest(shell, ctx, key, { fits, none: act.noneOpen }) };
}

function run({ ctx, act, asked }: Work, { request, contractId }: Found): Promise<ActOutcome> {
  return act.run(ctx, request, { ...asked, contractId });
}

async function actOnOne(shell: Shell, work: Work, key: string): Promise<ExitCode> {
  const { ctx, act } = work;
  const { out } = shell;
  const found = await find(shell, work, key);
  const { request } = found;
  sayStanding(shell, ctx, request.id);
  const before = beforeAct(inEnglish(ctx), request, act, work.asked);
  if (before.isOpen && act.asks?.(before.standing))
    await answered(shell, work, before.question, factsBefore(ctx, request, before));
  const outcome = await withProgress(shell, `asking about ${request.reference}`, () => run(work, found));
  const { next } = outcome;
  if (act.answers === 'check') return tellAnswer(shell, answerOf(shell, outcome), next);
  out.result(documentOf(ctx, outcome), () => {
    out.line(lineOf(shell, work, request, outcome));
    const { contract, payment, document } = outcome;
    if (payment) out.link(`to be paid by ${out.time(payment.expiresAt)}:`, String(payment.paymentUrl));
    if (contract?.status === 'PENDING' && contract.signUrl)
      out.link(`to be signed by ${out.time(contract.expiredAt)}:`, contract.signUrl);
    if ('lastMoment' in document) {
      const { signedAt, lastMoment } = document as { signedAt: string | null; lastMoment: string | null };
      const when = signedAt ? ` on ${out.time(signedAt)}` : '';
      out.line(`signed${when}; the deadline was ${out.time(lastMoment)}`);
    }
  });
  if (outcome.isUnpayable)
    out.note('the payment page could not be created now; it will be retried automatically');
  if (next && !shell.dryRun) out.note(`hint: ${out.advice(next)}`);
  return EXIT.done;
}

/** Asks on a terminal; where there is none, only if the act needs an answer. */
function answered(
  shell: Shell,
  { act: { options = {}, mustBeAnswered }, asked }: Work,
  question: string,
  facts: readonly string[],
): Promise<void> {
  const unset = Object.entries(options).flatMap(([name, { otherwise }]) =>
    otherwise && !asked[name as keyof Asked] ? [otherwise] : [],
  );
  return (mustBeAnswered ? confirm : confirmHere)(shell, question, [...facts, ...unset]);
}

function answerOf({ out }: Shell, { type, key, params, words = key }: ActOutcome): Answer {
  const message = out.advice(saidParts('en', { words, params: params ?? {} }));
  return { type, key, ...(params && { params }), message };
}

function documentOf(ctx: Context, { contract, document }: ActOutcome): object {
  return contract ? contractDocument(ctx, contract) : document;
}

/** `canceled request 12 REQ-2026-000012`, with what came of it. */
function lineOf(
  { dryRun }: Shell,
  { ctx, act, asked }: Work,
  request: RequestRow,
  { isRepeat, contract, payment, accepts, made, document }: ActOutcome,
): string {
  const { does, did, answers } = act;
  const { id, reference, status } = request;
  if (isRepeat && made) return `request ${id} is already renewed by request ${made.id} ${made.reference}`;
  if (isRepeat) return `request ${id} is already ${status.toLowerCase()}`;
  const { remindedOf, settled } = document as {
    remindedOf?: string;
    settled?: { payments: readonly string[]; signature: boolean };
  };
  const more = [
    // What would be sent, and to whom.
    ...(dryRun && answers === 'contract'
      ? sendingOf(ctx, request, beforeAct(inEnglish(ctx), request, act, asked))
      : []),
    ...(contract ? [`contract ${contract.id}, signId ${contract.signId}`] : []),
    ...(payment ? [payment.paymentId] : []),
    ...(accepts ? [`accepting payment ${paymentWords('en', [accepts])}`] : []),
    ...(made ? [`request ${made.id} ${made.reference}`] : []),
    ...(settled ? [...settled.payments, ...(settled.signature ? ['the signature'] : [])] : []),
  ].join(', ');
  const what = remindedOf ? ` the ${remindedOf} of` : '';
  return `${dryRun ? `would ${does}` : did}${what} request ${id} ${reference}${more && `: ${more}`}`;
}

/** One of several, in the document: what came of it, or why nothing did. */
interface Result {
  key: string;
  requestId: number | null;
  reference: string | null;
  result: object | null;
  error: { code: string; message: string; hint: string | null } | null;
}

interface Told {
  result: Result;
  line: string;
}

/** Where nothing at all is found, the first failure is thrown. */
async function actOnEach(shell: Shell, work: Work, keys: readonly string[]): Promise<ExitCode> {
  const { out, signal } = shell;
  const asked: { key: string; found?: Found; fault?: unknown }[] = [];
  for (const key of keys) asked.push({ key, ...(await foundOrNot(shell, work, key)) });
  const found = asked.flatMap((one) => one.found ?? []);
  if (found.length === 0) throw asked[0]?.fault;
  await askAboutAll(shell, work, found);

  return workThrough<Told>(shell, keys.length, {
    doing: 'working',
    did: 'done',
    isDone: ({ result: { error } }) => error === null,
    document: ({ result }) => result,
    summary: (done, failed) => `done ${done}, failed ${failed}`,
    soFar: (done) => `${done} of ${counted(keys.length, 'request')} done`,
    run: (onResult) =>
      inTurn(asked, { signal, onResult }, async (one) => {
        const answer = await resultOf(shell, work, one);
        // What was cut off is not among those that were done.
        return signal.aborted && answer.result.error ? undefined : answer;
      }),
    tell({ result: { error }, line }) {
      out.line(line);
      if (error?.hint) out.note(`hint: ${error.hint}`);
    },
  });
}

async function foundOrNot(
  shell: Shell,
  work: Work,
  key: string,
): Promise<{ found: Found } | { fault: unknown }> {
  try {
    return { found: await find(shell, work, key) };
  } catch (fault) {
    // Words that could mean several requests are mistyped: nothing is begun.
    if (fault instanceof UsageError) throw fault;
    return { fault };
  }
}

/** What will happen to each, then one question about those with which it is possible. A check only asks the provider. */
async function askAboutAll(shell: Shell, work: Work, found: readonly Found[]): Promise<void> {
  const { ctx, act } = work;
  if (act.answers === 'check') return;
  const shown = found.map(({ request }) => ({
    request,
    before: beforeAct(inEnglish(ctx), request, act, work.asked),
  }));
  const count = shown.filter(({ before }) => before.isPossible).length;
  // Each says why not.
  if (count === 0) return;
  const { does } = act;
  await answered(
    shell,
    work,
    `${does[0]?.toUpperCase()}${does.slice(1)} ${counted(count, 'request')}?`,
    shown.flatMap(({ request, before }) => factsBefore(ctx, request, before)),
  );
}

async function resultOf(
  shell: Shell,
  work: Work,
  { key, found, fault }: { key: string; found?: Found; fault?: unknown },
): Promise<Told> {
  const { act } = work;
  const { out, dryRun } = shell;
  const about = {
    key,
    requestId: found?.request.id ?? null,
    reference: found?.request.reference ?? null,
  };
  const failed = ({ code, message, hint }: Pick<Fault, 'code' | 'message' | 'hint'>) => {
    const error = { code, message, hint: hint === undefined ? null : out.advice(hint) };
    const line = `${dryRun ? 'would fail' : 'failed'} ${about.reference ?? key}: ${message} [${code}]`;
    return { result: { ...about, result: null, error }, line };
  };
  if (!found) return failed(faultOf(fault));
  try {
    const outcome = await run(work, found);
    if (act.answers !== 'check')
      return {
        result: { ...about, result: documentOf(work.ctx, outcome), error: null },
        line: lineOf(shell, work, found.request, outcome),
      };
    const answer = answerOf(shell, outcome);
    const { type, key: code, message } = answer;
    if (type === 'error') return failed({ code, message, hint: outcome.next });
    return {
      result: { ...about, result: answer, error: null },
      line: out.keyed(code, `${about.reference}: ${message}`),
    };
  } catch (error) {
    return failed(faultOf(error));
  }
}
