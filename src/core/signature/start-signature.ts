/** Starts the signature of a request (spec 2, 4.10): contract, PDF, signature request; then the request waits for the signature. */
import { existsSync } from 'node:fs';
import { findContract, findCurrentContract } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { draftPdfPath, readDraftPdf } from '../contracts/contract-files.js';
import { endContract } from '../contracts/end-contract.js';
import { addContract } from '../contracts/new-contract.js';
import { digestOf, readTerms } from '../contracts/terms.js';
import { AppError, refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import type { Keep } from '../idempotency.js';
import { isBeforeSending } from '../lifecycle.js';
import { requestLock, withLock } from '../lock.js';
import { getRequest } from '../requests/get-request.js';
import { askAndApply, applyState } from './check-signature.js';
import { closeAtProvider } from './close-at-provider.js';
import {
  createSignature,
  findAtProvider,
  SignatureGoneError,
  type SentSignature,
} from './create-signature.js';
import { checkOwnPdf, getSigner, storeDraft } from './prepare-contract.js';
import { storeSent } from './sent.js';

export interface StartOptions {
  actor: Actor;
  /** A PDF to sign instead of the generated one. */
  pdf?: Buffer;
  reason?: string;
  /** Runs when the contract is sent and the request waits, in the transaction that says so. */
  keep?: Keep<ContractRow>;
  /** Only check what can be checked here. */
  dryRun?: boolean;
}

export function startSignature(
  ctx: Context,
  requestId: number,
  options: StartOptions & { dryRun: true },
): Promise<undefined>;
export function startSignature(ctx: Context, requestId: number, options: StartOptions): Promise<ContractRow>;
/** Returns the contract that was sent. After a failure on the way, calling again goes on where it stopped. */
export async function startSignature(
  ctx: Context,
  requestId: number,
  options: StartOptions,
): Promise<ContractRow | undefined> {
  checkStart(ctx, requestId, options.pdf);
  if (options.dryRun) return undefined;
  return withLock(ctx, requestLock(requestId), async () => {
    // Looked at again: the call that held the lock may just have started it.
    checkStart(ctx, requestId, options.pdf);
    const begun = findBegun(ctx, requestId);
    const pdf = options.pdf ?? (begun && (await ownDraft(ctx, begun)));
    const unfinished = begun && (await canBeSent(ctx, begun, pdf)) ? begun : undefined;
    if (begun && !unfinished) await makeWay(ctx, begun, options);
    const { actor, reason, keep } = options;
    const contract = unfinished ?? (await replaceContract(ctx, requestId, begun, { actor, pdf }));
    return sendContract(ctx, {
      contract,
      mayExistThere: unfinished !== undefined,
      actor,
      ...(pdf && { pdf }),
      ...(reason && { reason }),
      ...(keep && { keep }),
    });
  });
}

function findBegun(ctx: Context, requestId: number): ContractRow | undefined {
  const contract = findCurrentContract(ctx.db, requestId);
  return contract?.status === 'PENDING' ? contract : undefined;
}

/** The PDF that somebody supplied for a contract; undefined: ours, or it never got here. */
async function ownDraft(ctx: Context, { id, ownPdf }: ContractRow): Promise<Buffer | undefined> {
  return ownPdf && existsSync(draftPdfPath(ctx, id)) ? readDraftPdf(ctx, id) : undefined;
}

/** Whether what was begun is what is wanted, and there is still time to sign it. */
async function canBeSent(ctx: Context, begun: ContractRow, pdf: Buffer | undefined): Promise<boolean> {
  return canBeResumed(ctx, begun) && isPdfOf(ctx, begun, pdf);
}

/** Its words, price and customer are still what they were when it was made, and its last moment to sign lies ahead. */
export function canBeResumed(ctx: Context, begun: ContractRow): boolean {
  return !isOver(ctx, begun) && begun.termsDigest === digestOf(readTerms(ctx, ctx.db, begun.requestId));
}

async function isPdfOf(ctx: Context, begun: ContractRow, pdf: Buffer | undefined): Promise<boolean> {
  // Its PDF never got here, so nothing of it has been sent: it can still become the contract for this one.
  if (begun.ownPdf && pdf && !existsSync(draftPdfPath(ctx, begun.id))) return true;
  return pdf === undefined || ((await ownDraft(ctx, begun))?.equals(pdf) ?? false);
}

/** The last moment to sign has passed: the provider would not take it any more. */
function isOver(ctx: Context, { expiredAt }: ContractRow): boolean {
  return expiredAt !== null && expiredAt <= iso(ctx.clock.now());
}

function checkStart(ctx: Context, requestId: number, pdf: Buffer | undefined): void {
  const request = getRequest(ctx, requestId);
  if (request.status === 'WAITING_SIGNATURE') {
    throw alreadyStarted(requestId, 'The signature has been started already.');
  }
  if (!isBeforeSending(request)) {
    throw refused('already_signed', 'The contract of this request is signed.');
  }
  if (pdf) checkOwnPdf(pdf);
  getSigner(ctx, request);
}

function alreadyStarted(requestId: number, message: string): AppError {
  return refused(
    'already_started',
    message,
    `Check it with \`esignctl check-signature ${requestId}\`, or start anew with \`esignctl reset-signature ${requestId}\`.`,
  );
}

/**
 * Takes back what was begun and is not what is wanted now. What is out by now is a contract, and stays one: the request is
 * brought there, and the start refused. Only another PDF, which somebody hands in on purpose, or a date that has passed
 * withdraws what the customer may sign still.
 */
async function makeWay(ctx: Context, begun: ContractRow, { actor, pdf }: StartOptions): Promise<void> {
  const { requestId } = begun;
  try {
    const { ours } = await findAtProvider(ctx, begun);
    const mayBeWithdrawn = isOver(ctx, begun) || (pdf !== undefined && !(await isPdfOf(ctx, begun, pdf)));
    const isToBeWithdrawn = ours?.status === 'draft' || (ours?.status === 'ongoing' && mayBeWithdrawn);
    if (ours && !isToBeWithdrawn) await applyState(ctx, begun, ours, { actor });
    if (isBeforeSending(getRequest(ctx, requestId))) await closeAtProvider(ctx, begun, { actor });
  } catch (error) {
    throw unavailable(error);
  }
  const { status } = getRequest(ctx, requestId);
  if (status === 'WAITING_SIGNATURE') {
    const message = 'The contract is with the customer, with the text and price of the earlier start.';
    throw alreadyStarted(requestId, message);
  }
  checkStart(ctx, requestId, pdf);
}

function replaceContract(
  ctx: Context,
  requestId: number,
  begun: ContractRow | undefined,
  { actor, pdf }: { actor: Actor; pdf: Buffer | undefined },
): Promise<ContractRow> {
  return ctx.writer.write((db) => {
    const now = iso(ctx.clock.now());
    if (begun) endContract(db, begun, { reason: 'replaced', actor, now });
    return addContract(ctx, db, { requestId, ownPdf: pdf !== undefined, actor });
  });
}

export interface ContractToSend {
  contract: ContractRow;
  mayExistThere: boolean;
  actor: Actor;
  pdf?: Buffer;
  reason?: string;
  keep?: Keep<ContractRow>;
}

/** Makes the PDF if it is missing, sends the contract, and stores link and move in one transaction. */
export async function sendContract(ctx: Context, toSend: ContractToSend): Promise<ContractRow> {
  const { contract, pdf } = toSend;
  const terms = readTerms(ctx, ctx.db, contract.requestId);
  if (pdf || !existsSync(draftPdfPath(ctx, contract.id))) await storeDraft(ctx, { contract, terms }, pdf);
  try {
    return await finish(ctx, toSend, await createSignature(ctx, { ...toSend, ...terms }));
  } catch (error) {
    if (!(error instanceof SignatureGoneError)) throw unavailable(error);
    const { reason } = error;
    const ownPdf = await ownDraft(ctx, contract);
    const next = await ctx.writer.write((db) => {
      endContract(db, contract, { reason, actor: toSend.actor, now: iso(ctx.clock.now()) });
      return addContract(ctx, db, {
        requestId: contract.requestId,
        ownPdf: ownPdf !== undefined,
        actor: toSend.actor,
      });
    });
    return sendContract(ctx, {
      ...toSend,
      contract: next,
      mayExistThere: false,
      ...(ownPdf && { pdf: ownPdf }),
    });
  }
}

/** A customer who was quicker than our retry has signed: then the request goes all the way at once. */
async function finish(
  ctx: Context,
  { contract, actor, reason, keep }: ContractToSend,
  sent: SentSignature,
): Promise<ContractRow> {
  const isSigned = sent.signUrl === null;
  const stored = await ctx.writer.write((db) => {
    const row = storeSent(ctx, db, contract.id, { sent, actor, reason }) as ContractRow;
    if (!isSigned) keep?.(db, row);
    return row;
  });
  if (!isSigned) return stored;
  await complete(ctx, stored, actor);
  return ctx.writer.write((db) => {
    const row = findContract(db, contract.id) as ContractRow;
    keep?.(db, row);
    return row;
  });
}

/** When the signed PDF does not come the request waits for its signature as any other, and is completed as any other. */
async function complete(ctx: Context, contract: ContractRow, actor: Actor): Promise<void> {
  try {
    await askAndApply(ctx, contract, { actor });
  } catch (error) {
    if (!isProviderError(error)) throw error;
    const { id: contractId, requestId } = contract;
    ctx.log.warn({ requestId, contractId, error: error.message }, 'a signature could not be completed yet');
  }
}

/** A refusal by the provider of our data keeps its words; everything else of it is "not available". */
export function unavailable(error: unknown): unknown {
  if (!isProviderError(error)) return error;
  const options = { cause: error };
  return error.reason === 'rejected'
    ? new AppError(
        'refused',
        'provider_rejected',
        `The provider did not accept this: ${error.message}.`,
        options,
      )
    : new AppError('unavailable', 'provider_unavailable', `${capital(error.message)}.`, {
        ...options,
        hint: 'Nothing is lost: try again later, and it goes on where it stopped.',
      });
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
