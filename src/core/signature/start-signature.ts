/** Starts a request's signature (rules 2): contract, PDF, signature request; then the request waits. */
import { requireContract, findCurrentContract, setRefusal } from '../../db/contracts/contracts.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { command, type Advice } from '../commands.js';
import type { Actor } from '../actor.js';
import { change, type By } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { findDraftPdf, type PdfFile } from '../contracts/contract-files.js';
import { endContract } from '../contracts/end-contract.js';
import { addContract } from '../contracts/new-contract.js';
import { digestOf, readTerms } from '../contracts/terms.js';
import { refused, type AppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import type { Keep } from '../calls/idempotency.js';
import { isBeforeSending, type EndReason } from '../lifecycle.js';
import { refuseWhileHeld } from '../installation/hold.js';
import { requestLock, withLock } from '../lock.js';
import { getRequest } from '../requests/requests.js';
import { checkContract } from './check-signature.js';
import { takeBack } from './close-at-provider.js';
import { asRefusal, refusalIn } from './provider-says.js';
import { checkPayable, checkPrintable, getSigner, storeDraft } from './prepare-contract.js';
import { sendAtProvider } from './send-at-provider.js';
import { storeSent, type SentSignature } from './sent.js';
import { judgePdf } from './supplied-pdf.js';

export interface StartOptions extends By {
  /** A PDF to sign instead of the generated one. */
  pdf?: PdfFile | undefined;
  /** Runs in the transaction that records the contract as sent. */
  keep?: Keep<ContractRow> | undefined;
  /** Only check what can be checked here. */
  dryRun?: boolean;
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
  await checkStart(ctx, requestId, options.pdf);
  if (options.dryRun) return undefined;
  refuseWhileHeld(ctx);
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    // Check again: the previous holder of the lock may have started it.
    await checkStart(ctx, requestId, options.pdf);
    const begun = findBegun(ctx, requestId);
    const pdf = options.pdf ?? (begun && (await ownDraft(ctx, begun)));
    const unfinished = begun && (await canBeSent(ctx, begun, pdf)) ? begun : undefined;
    if (begun && !unfinished) await makeWay(ctx, begun, options);
    const { actor } = options;
    const contract =
      unfinished ??
      (await replaceContract(ctx, requestId, begun, {
        actor,
        reason: 'replaced',
        ownPdf: pdf !== undefined,
      }));
    return sendContract(ctx, { ...options, pdf, contract, mayExistThere: unfinished !== undefined });
  });
}

function findBegun(ctx: Context, requestId: number): ContractRow | undefined {
  const contract = findCurrentContract(ctx.db, { requestId });
  return contract?.status === 'PENDING' ? contract : undefined;
}

/** A contract's supplied PDF; undefined when it is generated, was never stored, or is lost. */
async function ownDraft(ctx: Context, begun: ContractRow): Promise<PdfFile | undefined> {
  return begun.ownPdf ? findDraftPdf(ctx, begun) : undefined;
}

/** Whether the unfinished contract is still what is wanted, with time left to sign. */
async function canBeSent(ctx: Context, begun: ContractRow, pdf: PdfFile | undefined): Promise<boolean> {
  return canBeResumed(ctx, begun) && isPdfOf(ctx, begun, pdf);
}

/** True when its terms have not changed and its last moment to sign is ahead. */
export function canBeResumed(ctx: Context, begun: ContractRow): boolean {
  return !isOver(ctx, begun) && begun.termsDigest === digestOf(readTerms(ctx, ctx.db, begun.requestId));
}

async function isPdfOf(ctx: Context, begun: ContractRow, pdf: PdfFile | undefined): Promise<boolean> {
  if (pdf === undefined) return true;
  if (!begun.ownPdf) return false;
  const own = await ownDraft(ctx, begun);
  // Its PDF was never stored, so nothing was sent and it can be used for this one.
  if (!own && begun.draftSha256 === null) return true;
  return pdf.sha256 === (own ?? { sha256: begun.draftSha256 }).sha256;
}

/** The last moment to sign has passed. */
function isOver(ctx: Context, { expiredAt }: ContractRow): boolean {
  return expiredAt !== null && expiredAt <= iso(ctx.clock.now());
}

function mustNotBeSent(ctx: Context, requestId: number): RequestRow {
  const request = getRequest(ctx, requestId);
  if (request.status === 'WAITING_SIGNATURE') {
    throw alreadyStarted(requestId, 'The signature has been started already.');
  }
  if (!isBeforeSending(request)) {
    throw refused('already_signed', 'The contract of this request is signed.');
  }
  return request;
}

async function checkStart(ctx: Context, requestId: number, pdf: PdfFile | undefined): Promise<void> {
  const request = mustNotBeSent(ctx, requestId);
  getSigner(ctx.db, request);
  const begun = findBegun(ctx, requestId);
  const own = pdf ?? (begun && (await ownDraft(ctx, begun)));
  if (!own && begun?.ownPdf) throw suppliedPdfLost(begun);
  const terms = readTerms(ctx, ctx.db, requestId);
  if (!own) checkPrintable(terms);
  checkPayable(terms);
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
async function makeWay(ctx: Context, begun: ContractRow, { pdf, ...by }: StartOptions): Promise<void> {
  const { requestId } = begun;
  // Only a new PDF, supplied on purpose, or a passed date withdraws what the customer could still sign.
  const mayBeSent = !isOver(ctx, begun) && (await isPdfOf(ctx, begun, pdf));
  await takeBack(ctx, begun, mayBeSent ? 'unsent' : 'replaced', by).catch((error: unknown) => {
    throw asRefusal(error);
  });
  if (getRequest(ctx, requestId).status === 'WAITING_SIGNATURE') {
    const message = 'The contract is with the customer, with the text and price of the earlier start.';
    throw alreadyStarted(requestId, message);
  }
  await checkStart(ctx, requestId, pdf);
}

interface Replacement {
  /** Why the one before it ends. */
  reason: EndReason;
  ownPdf: boolean;
}

function replaceContract(
  ctx: Context,
  requestId: number,
  old: ContractRow | undefined,
  { actor, reason, ownPdf }: Replacement & { actor: Actor },
): Promise<ContractRow> {
  return change(ctx, { actor }, (tx) => {
    if (old) endContract(tx, old, { reason });
    return addContract(ctx, tx, { requestId, ownPdf });
  });
}

export interface ContractToSend extends Omit<StartOptions, 'dryRun'> {
  contract: ContractRow;
  mayExistThere: boolean;
}

/**
 * Creates the PDF if needed, sends the contract, and stores link and move in one transaction. One that the provider has closed is
 * replaced.
 */
export async function sendContract(ctx: Context, toSend: ContractToSend): Promise<ContractRow> {
  const { contract, pdf, actor } = toSend;
  const { requestId } = contract;
  const terms = readTerms(ctx, ctx.db, requestId);
  if (pdf || !(await findDraftPdf(ctx, contract))) await storeDraft(ctx, { contract, terms }, pdf);
  const reached = await sendAtProvider(ctx, { ...toSend, ...terms }).catch((error: unknown) =>
    keepRefusal(ctx, contract, error),
  );
  if ('sent' in reached) return finish(ctx, toSend, reached.sent);
  const own = await ownDraft(ctx, requireContract(ctx.db, { id: contract.id }));
  const { ended: reason } = reached;
  const next = await replaceContract(ctx, requestId, contract, { actor, reason, ownPdf: own !== undefined });
  return sendContract(ctx, { ...toSend, contract: next, mayExistThere: false, pdf: own });
}

/** Why it failed is told until another attempt ends differently. */
async function keepRefusal(ctx: Context, { id }: ContractRow, error: unknown): Promise<never> {
  const now = requireContract(ctx.db, { id });
  const said = refusalIn(error, now);
  const refusal = said ? JSON.stringify(said) : null;
  if (refusal !== now.refusal) await ctx.writer.write((db) => setRefusal(db, { id, refusal }));
  throw asRefusal(error);
}

/** A customer faster than our retry has already signed: complete the request at once. */
async function finish(
  ctx: Context,
  { contract, actor, reason, keep }: ContractToSend,
  sent: SentSignature,
): Promise<ContractRow> {
  const isSigned = sent.signUrl === null;
  const stored = await change(ctx, { actor, reason }, (tx) => {
    storeSent(ctx, tx, contract.id, { sent });
    const row = requireContract(tx.db, { id: contract.id });
    if (!isSigned) keep?.(tx.db, row);
    return row;
  });
  if (!isSigned) return stored;
  await complete(ctx, stored, actor);
  return ctx.writer.write((db) => {
    const row = requireContract(db, { id: contract.id });
    keep?.(db, row);
    return row;
  });
}

/** If the signed PDF is not available, the request waits and is completed like any other. */
async function complete(ctx: Context, contract: ContractRow, actor: Actor): Promise<void> {
  try {
    await checkContract(ctx, contract, { actor }, { isOwnWork: true });
  } catch (error) {
    if (!isProviderError(error)) throw error;
    const { id: contractId, requestId } = contract;
    ctx.log.warn({ requestId, contractId, error: error.message }, 'a signature could not be completed yet');
  }
}
