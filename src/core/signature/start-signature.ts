/** Starts a request's signature (rules 2): contract, PDF, signature request; then the request waits. */
import { requireContract, findCurrentContract, setRefusal } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { command, type Advice } from '../commands.js';
import { change, type Try } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { findDraftPdf, openDraftPdf, type PdfFile } from '../contracts/contract-files.js';
import { endContract } from '../contracts/end-contract.js';
import { addContract, digestOf, readTerms } from '../contracts/terms.js';
import { AppError, refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import type { Keep } from '../calls/idempotency.js';
import { isBeforeSending, type ProviderEnd } from '../lifecycle.js';
import { refuseWhileHeld } from '../installation/hold.js';
import { priceRequest } from '../prices/request-price.js';
import { requestLock, withLock } from '../lock.js';
import { getRequest, mustNotBeCanceled } from '../requests/requests.js';
import { takeBack } from './close-at-provider.js';
import { isPast } from './decide.js';
import { asRefusal, refusalIn, throwRefusal } from '../http/refusal.js';
import { reconcile, warnUnchecked } from './reconcile.js';
import { mustBeSendable, storeDraft, judgePdf } from './prepare-contract.js';
import { sentAs, storeSent, type SentSignature } from './sent.js';
import { isSendingUnfinished } from './standing.js';
import { takeSteps, type Content } from './take-steps.js';

export interface StartOptions extends Try {
  /** A PDF to sign instead of the generated one. */
  pdf?: PdfFile | undefined;
  /** The price that the request gets, in minor units, whatever was offered. */
  amount?: number | undefined;
  /** Runs in the transaction that records the contract as sent. */
  keep?: Keep<ContractRow> | undefined;
}

export function startSignature(
  ctx: Context,
  requestId: number,
  options: StartOptions & { dryRun?: false },
): Promise<ContractRow>;
export function startSignature(
  ctx: Context,
  requestId: number,
  options: StartOptions,
): Promise<ContractRow | undefined>;
/** Returns the contract that was sent; undefined with `dryRun`. After a failure, calling again resumes where it stopped. */
export async function startSignature(
  ctx: Context,
  requestId: number,
  options: StartOptions,
): Promise<ContractRow | undefined> {
  mustNotBeSent(ctx, requestId);
  if (options.pdf) await judgePdf(options.pdf);
  await checkStart(ctx, requestId, options);
  if (options.dryRun) return undefined;
  refuseWhileHeld(ctx);
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    // Check again: the previous holder of the lock may have started it.
    await checkStart(ctx, requestId, options);
    const begun = findBegun(ctx, requestId);
    const pdf = options.pdf ?? (begun && (await ownDraft(ctx, begun)));
    if (begun) {
      const want = wantOf(ctx, begun, { ...options, pdf });
      if (want === 'sent') return sendBegun(ctx, begun, { ...options, pdf });
      await makeWay(ctx, begun, want, options);
    }
    const contract = await change(ctx, { actor: options.actor }, (tx) => {
      if (begun) endContract(tx, begun, { reason: 'replaced' });
      return addContract(ctx, tx, { requestId, ownPdf: pdf !== undefined, ownAmount: options.amount });
    });
    return sendContract(ctx, { ...options, pdf, contract, isNew: true });
  });
}

/** Goes on with an unfinished contract, which has the price that the request gets: from now on it is the request's own. */
export async function sendBegun(
  ctx: Context,
  contract: ContractRow,
  { amount, ...options }: StartOptions,
): Promise<ContractRow> {
  const { requestId, currency } = contract;
  if (amount !== undefined)
    await change(ctx, { actor: options.actor }, (tx) => priceRequest(tx, requestId, { amount, currency }));
  return sendContract(ctx, { ...options, contract, isNew: false });
}

/** The contract of an unfinished start or reset. */
export function findBegun(ctx: Context, requestId: number): ContractRow | undefined {
  const contract = findCurrentContract(ctx.db, { requestId });
  return contract && isSendingUnfinished(contract) ? contract : undefined;
}

/** A contract's supplied PDF; undefined when it is generated, was never stored, or is lost. */
async function ownDraft(ctx: Context, begun: ContractRow): Promise<PdfFile | undefined> {
  return begun.ownPdf ? findDraftPdf(ctx, begun) : undefined;
}

/** Of an unfinished contract. Only a new PDF, supplied on purpose, or a passed date withdraws what the customer could still sign. */
export function wantOf(
  ctx: Context,
  { expiredAt, requestId, termsDigest, ownPdf, draftSha256 }: ContractRow,
  { pdf, amount }: Pick<StartOptions, 'pdf' | 'amount'>,
): 'sent' | 'unsent' | 'replaced' {
  // One that was never stored went nowhere, so this one can be used for it.
  const isIts = !pdf || (ownPdf === 1 && (draftSha256 === null || draftSha256 === pdf.sha256));
  if (isPast(expiredAt, iso(ctx.clock.now())) || !isIts) return 'replaced';
  return termsDigest === digestOf(readTerms(ctx, ctx.db, requestId, amount)) ? 'sent' : 'unsent';
}

function mustNotBeSent(ctx: Context, requestId: number): RequestRow {
  const request = getRequest(ctx, requestId);
  if (request.status === 'WAITING_SIGNATURE') {
    throw alreadyStarted(requestId, 'The signature has been started already.');
  }
  mustNotBeCanceled(request);
  if (!isBeforeSending(request)) {
    throw refused('already_signed', 'The contract of this request is signed.');
  }
  return request;
}

async function checkStart(
  ctx: Context,
  requestId: number,
  { pdf, amount }: Pick<StartOptions, 'pdf' | 'amount'>,
): Promise<void> {
  const request = mustNotBeSent(ctx, requestId);
  const begun = findBegun(ctx, requestId);
  const own = pdf ?? (begun && (await ownDraft(ctx, begun)));
  if (!own && begun?.ownPdf) throw suppliedPdfLost(begun);
  mustBeSendable(ctx, request, { isOwnPdf: own !== undefined, ownAmount: amount });
}

/** The customer must not get a generated contract in its place. */
function suppliedPdfLost({ requestId, sending }: ContractRow): AppError {
  const again = { ...command('start-signature', requestId), options: ['--pdf', '…'] };
  const first: Advice =
    sending === 'unsent'
      ? ['Supply it again: `']
      : [
          'The customer may have the contract: first run `',
          command('check-signature', requestId),
          '`. If it was not sent, supply the PDF again: `',
        ];
  return refused('contract_pdf_missing', 'The PDF that was supplied for this contract is no longer here.', [
    ...first,
    again,
    '`. To send a generated contract instead, cancel the request and reopen it first.',
  ]);
}

function alreadyStarted(requestId: number, message: string): AppError {
  return refused('already_started', message, [
    'Check it with `',
    command('check-signature', requestId),
    '`, or start anew with `',
    command('reset-signature', requestId),
    '`.',
  ]);
}

/** An unfinished contract that is no longer wanted gives way. If it was sent after all, it stays, and the start is refused. */
async function makeWay(
  ctx: Context,
  begun: ContractRow,
  want: 'unsent' | 'replaced',
  { actor, ...options }: StartOptions,
): Promise<void> {
  const { requestId } = begun;
  const isBack = await takeBack(ctx, begun, want, { actor }).catch(throwRefusal);
  if (!isBack && requireContract(ctx.db, begun).status === 'PENDING') {
    const message = 'The contract is with the customer, with the text and price of the earlier start.';
    throw alreadyStarted(requestId, message);
  }
  await checkStart(ctx, requestId, options);
}

export interface ContractToSend extends Omit<StartOptions, 'dryRun' | 'amount'> {
  contract: ContractRow;
  /** It was just made: the provider can have nothing. */
  isNew: boolean;
}

/**
 * Creates the PDF if needed, sends the contract, and stores link and move in one transaction. One that the provider has closed unsigned is
 * replaced.
 */
export async function sendContract(ctx: Context, toSend: ContractToSend): Promise<ContractRow> {
  const { contract, pdf, actor } = toSend;
  const { id, requestId } = contract;
  const terms = readTerms(ctx, ctx.db, requestId);
  if (pdf || !(await findDraftPdf(ctx, contract))) await storeDraft(ctx, { contract, terms }, pdf);
  const sent = await sendDocument(ctx, { ...toSend, ...terms }).catch((error: unknown) =>
    keepRefusal(ctx, contract, error),
  );
  if (typeof sent !== 'string') return finish(ctx, toSend, sent);
  const own = await ownDraft(ctx, requireContract(ctx.db, { id }));
  const next = await change(ctx, { actor }, (tx) => {
    endContract(tx, contract, { reason: sent });
    return addContract(ctx, tx, { requestId, ownPdf: own !== undefined });
  });
  return sendContract(ctx, { ...toSend, contract: next, isNew: true, pdf: own });
}

/** How it was sent; or how the provider has closed it unsigned. Throws a ProviderError; the next attempt goes on from there. */
export async function sendDocument(
  ctx: Context,
  { contract, actor, ...content }: Omit<Content, 'pdf'> & Pick<ContractToSend, 'contract' | 'actor'>,
): Promise<SentSignature | ProviderEnd> {
  const pdf = await openDraftPdf(ctx, requireContract(ctx.db, contract));
  if (!pdf)
    throw new AppError('refused', 'contract_pdf_missing', 'The PDF of the contract is missing.', {
      hint: 'Start the signature or send a new contract again: the PDF is created again.',
    });
  try {
    const work = { contract, want: 'sent', actor, content: { ...content, pdf } } as const;
    const { stop, on } = await takeSteps(ctx, work);
    return stop === 'sent' ? (on.sent ?? (await sentAs(ctx, on.state))) : (on?.status as ProviderEnd);
  } finally {
    await pdf.file.close();
  }
}

/** Why it failed is told until another attempt ends differently. */
async function keepRefusal(ctx: Context, { id }: ContractRow, error: unknown): Promise<never> {
  const now = requireContract(ctx.db, { id });
  const said = refusalIn(error, now);
  const refusal = said ? JSON.stringify(said) : null;
  await ctx.writer.write((db) => setRefusal(db, { id, refusal }));
  throw asRefusal(error);
}

/** A customer faster than our retry has already signed: complete the request at once. */
async function finish(
  ctx: Context,
  { contract: { id }, actor, reason, keep }: ContractToSend,
  sent: SentSignature,
): Promise<ContractRow> {
  const kept = (db: Db): ContractRow => {
    const row = requireContract(db, { id });
    keep?.(db, row);
    return row;
  };
  const isSigned = sent.signUrl === null;
  const stored = await change(ctx, { actor, reason }, (tx) => {
    storeSent(ctx, tx, id, sent);
    return isSigned ? requireContract(tx.db, { id }) : kept(tx.db);
  });
  if (!isSigned) return stored;
  await reconcile(ctx, id, { actor }).catch((error: unknown) => {
    if (!isProviderError(error)) throw error;
    // The request waits then, and is completed like any other.
    warnUnchecked(ctx, stored, error);
  });
  return ctx.writer.write(kept);
}
