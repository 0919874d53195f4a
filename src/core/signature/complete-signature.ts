/**
 * Completes a signature (rules 2, 3): one routine for the webhook, the manual and bulk check, and the job that
 * finishes what a slow provider left open. The signed PDF is stored first; then one transaction moves request and
 * contract and enqueues mails and payment session. A conditional update decides which of several calls wins.
 */
import { oweAuditTrail } from '../../db/contracts/audit-trails.js';
import type { Db } from '../../db/db.js';
import { isCurrentContract, setSignId, signContract } from '../../db/contracts/contracts.js';
import { findJobByKey } from '../../db/jobs/jobs.js';
import { requireRequest, setRemindAt } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { decideCase } from '../cases/cases.js';
import { change, type Change } from '../change.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { getContract } from '../contracts/contract.js';
import {
  isInPlace,
  placeSignedPdf,
  receiveSignedPdf,
  type ReceivedPdf,
} from '../contracts/contract-files.js';
import { asProviderSays, believeLastMoment, isInTime } from '../contracts/last-moment.js';
import { ofContract } from '../history/history.js';
import { ProviderError, unlessNotFound } from '../http/provider-error.js';
import { CONTRACT_MOVES, REQUEST_MOVES } from '../lifecycle.js';
import { mailJob } from '../mail/mail-job.js';
import { paymentJob, paymentJobKey } from '../payment/payment-job.js';
import { nextReminder } from '../reminders/remind-days.js';
import type { Completion } from './completion-job.js';
import { isCanceled, tellLate, tellUncounted } from './told.js';
import type { SignatureState } from './provider-answers.js';
import { askAndCatchUp } from './sent.js';
import { finishEvents, whatIsOver, type CompletionStep } from './what-is-over.js';

export interface SignatureProof {
  contractId: number;
  /** When the customer signed, if the caller knows (ISO 8601). */
  provedAt: string | null;
  actor: Actor;
  /** The provider's state, if just asked. */
  state?: SignatureState;
  /** Why a person accepts the signature although it came too late. */
  acceptedBecause?: string;
}

/**
 * Does everything slow (asking, downloading, storing) and returns the step to commit. Throws a ProviderError, with
 * nothing changed, when the provider does not deliver the PDF.
 */
export async function prepareCompletion(ctx: Context, proof: SignatureProof): Promise<CompletionStep> {
  const begun = getContract(ctx.db, proof.contractId);
  // A signed contract was sent, whether or not we know it.
  if (isCurrentContract(ctx.db, begun) && !isCanceled(ctx.db, begun))
    await askAndCatchUp(ctx, begun, proof.actor);

  const contract = getContract(ctx.db, proof.contractId);
  const request = requireRequest(ctx.db, { id: contract.requestId });
  const refusal = whyNotSignable(ctx.db, request, contract);
  if (refusal) return (tx) => refuse(tx, contract, refusal, proof.provedAt);

  const { signId, signerId } = contract;
  const known = { ...contract, signId: signId as string };
  const asked = proof.state ?? (await unlessNotFound(ctx.provider.getSignatureWithSigner(known, signerId)));
  const { step, state } = await whatIsOver(ctx, contract, asked);
  if (step) return step;
  const { lastMoment } = state;
  // The provider's time wins over the webhook's.
  const isProof = state.status === 'done' || !isClosed(ctx, asProviderSays(contract, state));
  const signedAt = isProof ? (state.signedAt ?? proof.provedAt) : null;
  const isLate = isTooLate(ctx, contract, { signedAt, lastMoment });
  if (isLate && !proof.acceptedBecause) {
    return (tx) => recordLateSignature(tx, contract, { signedAt, lastMoment });
  }

  if (state.status !== 'done') {
    // A webhook may be ahead of the provider's API; a later attempt finds it done.
    const message = `signature provider does not confirm the signature: it says ${state.status}`;
    throw new ProviderError('unavailable', message);
  }
  const pdf = await ctx.provider.downloadDocument(contract.signId as string, (stream) =>
    receiveSignedPdf(ctx, contract.id, stream),
  );
  // What a signed contract has stays, should the provider give two calls different bytes.
  await placeSignedPdf(pdf, (place) =>
    ctx.writer.write((db) => {
      if (getContract(db, contract.id).signedAt === null) place();
    }),
  );
  const { acceptedBecause } = proof;
  const accepted = isLate && acceptedBecause ? { reason: acceptedBecause, lastMoment } : undefined;
  const signerEmail = state.signers[0]?.email ?? contract.signerEmail;
  return (tx) => commit(ctx, tx, { contract, signerEmail, pdf, signedAt, accepted });
}

/**
 * Completes it now. The payment job gets its first attempt at once; if that fails, its retries continue in the
 * background. Throws a ProviderError, with nothing changed, when the provider does not deliver.
 */
export async function completeNow(
  ctx: Context,
  proof: SignatureProof,
): Promise<{ completion: Completion; isPayable: boolean }> {
  const step = await prepareCompletion(ctx, proof);
  const { completion, payment } = await change(ctx, { actor: proof.actor }, (tx) => {
    const { db } = tx;
    const completion = step(tx);
    const uniqueKey = paymentJobKey(proof.contractId);
    const job = completion === 'completed' ? findJobByKey(db, { uniqueKey }) : undefined;
    return { completion, payment: job && ctx.jobs.claimHere(db, job) };
  });
  const isPayable = payment === undefined || (await ctx.jobs.run(payment)).state === 'completed';
  return { completion, isPayable };
}

function whyNotSignable(db: Db, request: RequestRow, contract: ContractRow): Completion | undefined {
  if (contract.signedAt !== null || request.status === 'WAITING_PAYMENT' || request.status === 'COMPLETE')
    return 'repeat';
  if (request.status !== 'WAITING_SIGNATURE' || !contract.signId) return 'not_signable';
  // A reset has replaced the contract.
  return isCurrentContract(db, contract) ? undefined : 'not_signable';
}

/** From the provider: when it was signed, and the last moment to sign. */
export type Proved = Pick<SignatureState, 'signedAt' | 'lastMoment'>;

/** True when signed after the last moment, or when the contract is over without proof of an earlier signature. */
export function isTooLate(ctx: Context, contract: ContractRow, { signedAt, lastMoment }: Proved): boolean {
  const told = asProviderSays(contract, { lastMoment });
  // Our own clock decides only if the provider names no time.
  return signedAt ? !isInTime(told, signedAt) : isClosed(ctx, told);
}

/** We closed the contract, or its last moment has passed: only the provider's clock can still prove a signature. */
export function isClosed(ctx: Context, contract: ContractRow): boolean {
  return contract.status === 'EXPIRED' || !isInTime(contract, iso(ctx.clock.now()));
}

interface Signed {
  contract: ContractRow;
  /** Ours, though perhaps not the latest: the customer signed before a correction arrived there. */
  signerEmail: string | null;
  pdf: ReceivedPdf;
  signedAt: string | null;
  /** Set when the rule about the last moment was waived. */
  accepted: { reason: string; lastMoment: string | null } | undefined;
}

function commit(
  ctx: Context,
  tx: Change,
  { contract, signerEmail, pdf, signedAt, accepted }: Signed,
): Completion {
  const { db } = tx;
  // Read again: another call may have been faster.
  const request = requireRequest(db, { id: contract.requestId });
  const refusal = whyNotSignable(db, request, contract);
  if (refusal) return refuse(tx, contract, refusal, signedAt);
  const at = signedAt ?? tx.now;
  // The other call signs with its own, or the next attempt with what it is given then.
  if (!isInPlace(pdf)) throw new Error(`another document was stored as the signed contract ${contract.id}`);
  const isSigned = signContract(db, {
    id: contract.id,
    signedAt: at,
    expiredAt: endOfTerm(ctx, at),
    pdfSha256: pdf.sha256,
    pdfSize: pdf.size,
    // Without proof, a contract closed during the download is not reopened.
    ...(signedAt || accepted ? CONTRACT_MOVES.proved : CONTRACT_MOVES.signed),
  });
  // The next attempt asks the provider for proof.
  if (!isSigned) throw new Error(`contract ${contract.id} was closed while its PDF came in`);
  const { id, signId } = contract;
  if (signerEmail !== contract.signerEmail) setSignId(db, { id, signId, signerEmail });
  const about = ofContract(contract);
  if (accepted) {
    const lastMoment = accepted.lastMoment ?? contract.expiredAt;
    const detail = { reason: accepted.reason, signedAt, lastMoment };
    tx.record('contract.late_accepted', about, detail);
    decideCase(tx, ['signed_late'], [String(contract.id)], 'accepted');
  }
  oweAuditTrail(tx.db, { contractId: contract.id, dueAt: tx.now });
  tx.record('contract.signed', about, { signedAt: at, sha256: pdf.sha256, size: pdf.size });
  tx.moveRequest(request, REQUEST_MOVES.signed, { contractId: contract.id });
  setRemindAt(db, { id: request.id, remindAt: nextReminder(ctx.config.remindDays, tx.now, tx.now) });
  tx.enqueue(mailJob, { mail: 'contract-signed', contractId: contract.id }, about);
  tx.enqueue(mailJob, { mail: 'admin-signed', contractId: contract.id }, about);
  tx.enqueue(paymentJob, about, about);
  return close(tx, contract, 'completed');
}

function endOfTerm(ctx: Context, signedAt: string): string | null {
  const { contractTermDays } = ctx.config;
  return contractTermDays === 0 ? null : iso(addDays(new Date(signedAt), contractTermDays));
}

function recordLateSignature(
  tx: Change,
  contract: ContractRow,
  { signedAt, lastMoment }: Proved,
): Completion {
  believeLastMoment(tx, contract, { lastMoment });
  tellLate(tx, contract, signedAt);
  return close(tx, contract, 'late');
}

function refuse(tx: Change, contract: ContractRow, refusal: Completion, signedAt: string | null): Completion {
  tellUncounted(tx, contract, signedAt);
  return close(tx, contract, refusal);
}

/** Closes the events that asked for this completion, no matter which call did the work. */
function close(tx: Change, contract: ContractRow, completion: Completion): Completion {
  const state = completion === 'completed' ? 'done' : 'refused';
  finishEvents(tx, contract, { state, outcome: completion });
  return completion;
}
