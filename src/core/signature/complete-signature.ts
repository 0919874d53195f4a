/**
 * What "signed" brings with it (spec 3, 4.7): one routine for the webhook, the manual and bulk check, and the job that
 * finishes what a slow provider left open. The signed PDF is stored first; then one transaction moves request and
 * contract and owes the mails and the payment session. A conditional update decides which of several calls wins.
 */
import type { Db } from '../../db/db.js';
import { findContract, isCurrentContract, signContract } from '../../db/contracts.js';
import { finishInboxEvents } from '../../db/inbox.js';
import { findJobByKey } from '../../db/jobs.js';
import { findRequest, moveRequest } from '../../db/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { saveSignedPdf, type StoredPdf } from '../contracts/contract-files.js';
import { asProviderSays, believeLastMoment, isInTime } from '../contracts/last-moment.js';
import { notFound } from '../errors.js';
import { publishEvent } from '../events.js';
import { record } from '../history.js';
import { ProviderError } from '../http/provider-error.js';
import { enqueue } from '../jobs/queue.js';
import { CONTRACT_MOVES, REQUEST_MOVES } from '../lifecycle.js';
import { paymentJob, paymentJobKey } from '../payment/payment-job.js';
import { tellForeign } from './foreign-signature.js';
import { proveOurs } from './is-ours.js';
import { isLateSignature } from './late-signature.js';
import type { SignatureState } from './provider.js';
import { tellReplacedSigned } from './replaced-signature.js';
import { askAndCatchUp } from './sent.js';

/**
 * completed: this call moved it. repeat: it was signed before. late: signed after the last moment, or without proof of
 * having been in time. not_signable: the request waits for no signature of this contract. foreign: what was signed there is
 * somebody else's document.
 */
export type Completion = 'completed' | 'repeat' | 'late' | 'not_signable' | 'foreign';

export interface SignatureProof {
  contractId: number;
  /** When the customer signed as far as the caller knows (ISO 8601); null: it does not. */
  provedAt: string | null;
  actor: Actor;
  /** What the provider has just said of it; else it is asked. */
  state?: SignatureState;
  /** Why a person accepts the signature although it came too late. */
  acceptedBecause?: string;
}

/** The last step, to be run in a transaction; it decides the race and tells who won. */
export type CompletionStep = (db: Db) => Completion;

/**
 * Does all that takes time (asking, downloading, storing) and returns the step that is left to commit. Throws a
 * ProviderError when the provider does not deliver the PDF; nothing has changed then.
 */
export async function prepareCompletion(ctx: Context, proof: SignatureProof): Promise<CompletionStep> {
  const begun = getContract(ctx.db, proof.contractId);
  // What is signed has been sent, whether or not we have heard of that.
  if (isCurrentContract(ctx.db, begun)) await askAndCatchUp(ctx, begun, proof.actor);

  const contract = getContract(ctx.db, proof.contractId);
  const request = findRequest(ctx.db, contract.requestId) as RequestRow;
  const refusal = whyNotSignable(ctx.db, request, contract);
  if (refusal) return (db) => refuse(ctx, db, contract, refusal, proof.actor);

  const { signId, signerId } = contract;
  const asked = proof.state ?? (await ctx.provider.getSignatureWithSigner(signId as string, signerId));
  const state = await proveOurs(ctx, asked, contract);
  if (!state) return (db) => recordForeign(ctx, db, contract, asked, proof.actor);
  const { lastMoment } = state;
  const signedAt = timeOfSigning(ctx, asProviderSays(contract, state), state, proof.provedAt);
  const isLate = isTooLate(ctx, contract, { signedAt, lastMoment });
  if (isLate && !proof.acceptedBecause) {
    return (db) => recordLateSignature(ctx, db, contract, { signedAt, lastMoment, actor: proof.actor });
  }

  mustBeDone(state);
  const pdf = await ctx.provider.downloadDocument(contract.signId as string, (stream) =>
    saveSignedPdf(ctx, contract.id, stream),
  );
  const { actor, acceptedBecause } = proof;
  const accepted = isLate && acceptedBecause ? { reason: acceptedBecause, lastMoment } : undefined;
  return (db) => commit(ctx, db, { request, contract, pdf, signedAt, actor, accepted });
}

/**
 * Completes it here and now: the payment job gets its first try at once; when that fails its retries go on without us.
 * Throws a ProviderError when the provider does not deliver; nothing has changed then.
 */
export async function completeNow(
  ctx: Context,
  proof: SignatureProof,
): Promise<{ completion: Completion; isPayable: boolean }> {
  const step = await prepareCompletion(ctx, proof);
  const { completion, payment } = await ctx.writer.write((db) => {
    const completion = step(db);
    const job = completion === 'completed' ? findJobByKey(db, paymentJobKey(proof.contractId)) : undefined;
    return { completion, payment: job && ctx.jobs.claimHere(db, job) };
  });
  const isPayable = payment === undefined || (await ctx.jobs.run(payment)).state === 'completed';
  return { completion, isPayable };
}

function getContract(db: Db, id: number): ContractRow {
  const contract = findContract(db, id);
  if (!contract) throw notFound('contract_not_found', `There is no contract ${id}.`);
  return contract;
}

function whyNotSignable(db: Db, request: RequestRow, contract: ContractRow): Completion | undefined {
  if (request.status === 'WAITING_PAYMENT' || request.status === 'COMPLETE') return 'repeat';
  if (request.status !== 'WAITING_SIGNATURE' || !contract.signId) return 'not_signable';
  // A reset has put another contract in its place.
  return isCurrentContract(db, contract) ? undefined : 'not_signable';
}

/** What is known of a signature from the provider: when it was signed, and until when it could be. */
export type Proved = Pick<SignatureState, 'signedAt' | 'lastMoment'>;

/** True when it was signed after the last moment, or when the contract is over and nothing proves that it was signed before. */
export function isTooLate(ctx: Context, contract: ContractRow, { signedAt, lastMoment }: Proved): boolean {
  const told = asProviderSays(contract, { lastMoment });
  // Our own clock decides only where the provider names no time.
  return signedAt ? !isInTime(told, signedAt) : isClosed(ctx, told);
}

/** We closed the contract, or its last moment to sign has passed: only the provider's clock can still prove it. */
export function isClosed(ctx: Context, contract: ContractRow): boolean {
  return contract.status === 'EXPIRED' || !isInTime(contract, iso(ctx.clock.now()));
}

/** The provider's own time goes before the webhook's. */
function timeOfSigning(
  ctx: Context,
  contract: ContractRow,
  { status, signedAt }: SignatureState,
  provedAt: string | null,
): string | null {
  return status === 'done' || !isClosed(ctx, contract) ? (signedAt ?? provedAt) : null;
}

/** A webhook may be ahead of what the provider answers; then a later try finds it done. */
function mustBeDone({ status }: SignatureState): void {
  if (status === 'done') return;
  throw new ProviderError(
    'unavailable',
    `signature provider does not confirm the signature: it says ${status}`,
  );
}

interface Signed {
  request: RequestRow;
  contract: ContractRow;
  pdf: StoredPdf;
  signedAt: string | null;
  actor: Actor;
  /** The rule about the last moment was waived. */
  accepted: { reason: string; lastMoment: string | null } | undefined;
}

function commit(ctx: Context, db: Db, signed: Signed): Completion {
  const { request, contract, pdf, signedAt, actor, accepted } = signed;
  const now = iso(ctx.clock.now());
  const refusal = whyNotSignable(db, request, contract);
  if (refusal || !moveRequest(db, request.id, REQUEST_MOVES.signed, now)) {
    return refuse(ctx, db, contract, refusal ?? 'repeat', actor);
  }
  const at = signedAt ?? now;
  const isSigned = signContract(
    db,
    {
      id: contract.id,
      signedAt: at,
      expiredAt: endOfTerm(ctx, at),
      pdfSha256: pdf.sha256,
      pdfSize: pdf.size,
    },
    // Without proof, a contract that was closed while the PDF came in is not opened again.
    signedAt || accepted ? CONTRACT_MOVES.proved : CONTRACT_MOVES.signed,
  );
  // Undoes the move of the request as well; the next try asks the provider for proof.
  if (!isSigned) throw new Error(`contract ${contract.id} was closed while its PDF came in`);
  const about = { at: now, actor, requestId: request.id, contractId: contract.id };
  if (accepted) {
    const lastMoment = accepted.lastMoment ?? contract.expiredAt;
    const detail = { reason: accepted.reason, signedAt, lastMoment };
    record(db, { ...about, what: 'contract.late_accepted', detail });
  }
  record(db, {
    ...about,
    what: 'contract.signed',
    detail: { signedAt: at, sha256: pdf.sha256, size: pdf.size },
  });
  record(db, {
    ...about,
    what: 'request.moved',
    detail: { from: request.status, to: REQUEST_MOVES.signed.to },
  });
  oweWhatFollows(db, { requestId: request.id, contractId: contract.id, now });
  publishEvent(db, { event: 'request.updated', about: { ...request, status: REQUEST_MOVES.signed.to }, now });
  return close(ctx, db, contract, 'completed');
}

function endOfTerm(ctx: Context, signedAt: string): string | null {
  const { contractTermDays } = ctx.config;
  return contractTermDays === 0 ? null : iso(addDays(new Date(signedAt), contractTermDays));
}

function oweWhatFollows(
  db: Db,
  { requestId, contractId, now }: { requestId: number; contractId: number; now: string },
) {
  for (const mail of ['contract-signed', 'admin-signed'] as const) {
    enqueue(db, {
      kind: 'send-mail',
      payload: { mail, contractId },
      uniqueKey: `mail:${mail}:${contractId}`,
      now,
      requestId,
      contractId,
    });
  }
  enqueue(db, paymentJob({ requestId, contractId, now }));
}

function recordLateSignature(
  ctx: Context,
  db: Db,
  contract: ContractRow,
  { signedAt, lastMoment, actor }: Proved & { actor: Actor },
): Completion {
  const now = iso(ctx.clock.now());
  const { id: contractId, requestId } = contract;
  believeLastMoment(db, contract, { lastMoment }, { actor, now });
  // Each further check of the same contract would tell it again.
  if (!isLateSignature(db, contract)) {
    enqueue(db, {
      kind: 'send-mail',
      payload: { mail: 'signed-late', contractId, signedAt },
      uniqueKey: `mail:signed-late:${contractId}`,
      now,
      requestId,
      contractId,
    });
    record(db, { at: now, actor, what: 'contract.signed_late', requestId, contractId, detail: { signedAt } });
  }
  return close(ctx, db, contract, 'late');
}

function recordForeign(
  ctx: Context,
  db: Db,
  contract: ContractRow,
  found: SignatureState,
  actor: Actor,
): Completion {
  tellForeign(db, contract, found, { actor, now: iso(ctx.clock.now()), isServed: false });
  return close(ctx, db, contract, 'foreign');
}

function refuse(ctx: Context, db: Db, contract: ContractRow, refusal: Completion, actor: Actor): Completion {
  tellReplacedSigned(db, contract, { actor, now: iso(ctx.clock.now()) });
  return close(ctx, db, contract, refusal);
}

/** The events that asked for this completion are answered, whoever did the work. */
function close(ctx: Context, db: Db, contract: ContractRow, completion: Completion): Completion {
  finishInboxEvents(db, {
    contractId: contract.id,
    state: completion === 'completed' ? 'done' : 'refused',
    outcome: completion,
    finishedAt: iso(ctx.clock.now()),
  });
  return completion;
}
