/**
 * Brings a contract's signature into line with the provider (rules 2, 3, 4): ask, decide with our rows as they stand inside the one unit
 * that changes them, apply. Webhooks, checks and people only trigger it: what happened matters less than what is.
 */
import { findContract, isCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findJobByKey } from '../../db/jobs/jobs.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { JOB, type Actor } from '../actor.js';
import { change, type By, type Change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { getContract } from '../contracts/contracts.js';
import { placeSignedPdf, receiveSignedPdf, type ReceivedPdf } from '../contracts/contract-files.js';
import { describeError } from '../errors.js';
import { ProviderError } from '../http/provider-error.js';
import type { JobResult } from '../jobs/kind.js';
import { isBeforeSending } from '../lifecycle.js';
import { isLocked, requestLock } from '../lock.js';
import { paymentJobKey } from '../payment/payment-job.js';
import { applyDecision, endOfEvents, type EventEnd, type Fetched } from './apply.js';
import { ANSWERS } from './answers.js';
import { sentAs } from './sent.js';
import {
  decideSignature,
  type SignatureDecision,
  type SignatureEffect,
  type SignatureFacts,
} from './decide.js';
import { asListed, observe, prove, UNASKED, type Seen } from './observe.js';
import type { SignatureState } from './provider-answers.js';
import { takeSteps } from './take-steps.js';

export interface Trigger {
  /** A webhook says that the customer has signed, perhaps when. */
  heard?: SignatureFacts['heard'];
  /** What the provider has just said, so that it is not asked again. */
  listed?: SignatureState | undefined;
  /** A person accepts a signature that came late, or one on a second copy; the reason is that of the change. */
  isAccepted?: boolean;
  /** The caller holds the request's lock: what is at work there is its own. */
  isOwnWork?: boolean;
  /** Ask and decide, but change nothing. */
  dryRun?: boolean | undefined;
  /** What else the unit writes, by what has become of the events that told of it. */
  note?: (tx: Change, end: EventEnd) => void;
}

/** A decision, with what it was made from. */
export interface Look {
  /** Undefined when it has been deleted. */
  contract: ContractRow | undefined;
  decision: SignatureDecision;
  seen: Seen;
}

/** Decides and changes nothing. Asks the provider only if our rows do not decide. Throws a ProviderError. */
export async function look(ctx: Context, contractId: number, trigger: Trigger): Promise<Look> {
  const { contract, decide: decideNow } = asItStands(ctx, ctx.db, contractId, trigger);
  const decide = (seen: Seen) => decideHere(ctx, ctx.db, contractId, trigger, seen);
  const alone = decideNow();
  if (!contract || alone.answer !== 'unavailable') return { contract, decision: alone, seen: UNASKED };
  const { listed } = trigger;
  if (!listed) {
    const seen = await observe(ctx, contract, trigger.isAccepted);
    return { contract, decision: decide(seen), seen };
  }
  const unproved = asListed(contract, listed);
  // Where nothing would change, the proof is not worth a call.
  const isEnough = decideNow(unproved).effects.length === 0;
  const seen = isEnough ? unproved : await prove(ctx, contract, listed);
  return { contract, decision: decide(seen), seen };
}

/** What follows from what was seen there; by default what our rows alone decide: `unavailable`, nothing. */
export function decideHere(
  ctx: Context,
  db: Db,
  contractId: number,
  trigger: Trigger,
  seen?: Seen,
): SignatureDecision {
  return asItStands(ctx, db, contractId, trigger).decide(seen);
}

interface Standing {
  /** Undefined when it has been deleted with its request. */
  contract: ContractRow | undefined;
  decide: (seen?: Seen) => SignatureDecision;
}

/** Our rows, read once, and what they decide with what was seen there, or alone. */
function asItStands(ctx: Context, db: Db, contractId: number, trigger: Trigger): Standing {
  const contract = findContract(db, { id: contractId });
  if (!contract) return { contract, decide: () => ({ answer: 'not_waiting', effects: [] }) };
  const ours = readFacts(ctx, db, contract, trigger);
  const acceptedIn = (state?: SignatureState) => (state?.signId === contract.signId ? 'late' : 'second');
  const decide = (seen = UNASKED) =>
    decideSignature({
      ...ours,
      theirs: seen.theirs,
      accepted: trigger.isAccepted ? acceptedIn(seen.state) : null,
    });
  return { contract, decide };
}

function readFacts(
  ctx: Context,
  db: Db,
  contract: ContractRow,
  trigger: Trigger,
): Omit<SignatureFacts, 'theirs' | 'accepted'> {
  const { requestId, endReason } = contract;
  const isCurrent = isCurrentContract(db, contract);
  const isCanceled = endReason === 'request_canceled';
  return {
    request: requestFact(requireRequest(db, { id: requestId })),
    ours: {
      status: contract.signedAt === null ? contract.status : 'SIGNED',
      sending: contract.sending,
      place: isCurrent ? (isCanceled ? 'canceled' : 'current') : 'replaced',
      hasSigner: contract.signerEmail !== null,
      lastMoment: contract.expiredAt,
      told: contract.told,
      hasFailed: contract.failedSigningAt !== null,
      isBusy: !trigger.isOwnWork && isLocked(ctx, db, requestLock(requestId)),
    },
    heard: trigger.heard ?? null,
    now: iso(ctx.clock.now()),
  };
}

function requestFact(request: RequestRow): SignatureFacts['request'] {
  const { status } = request;
  if (isBeforeSending(request)) return 'before';
  return status === 'WAITING_SIGNATURE' || status === 'CANCELED' ? status : 'after';
}

interface Prepared extends Look {
  /** Decides again, and applies. */
  step: (tx: Change) => SignatureDecision;
}

/**
 * Does everything slow (asking, downloading, storing) before the unit that `step` is run in. Throws a ProviderError, with nothing changed but
 * what the provider has said, when it does not deliver, or does not confirm the signature.
 */
export async function prepare(
  ctx: Context,
  contractId: number,
  { actor, reason, ...trigger }: Trigger & By,
): Promise<Prepared> {
  const looked = await look(ctx, contractId, trigger);
  const { decision, seen } = looked;
  const fetched = await fetchFor(ctx, looked, actor);
  const step = (tx: Change) => {
    const now = decideAgain(ctx, tx.db, contractId, { trigger, looked });
    applyDecision(ctx, tx, contractId, { decision: now, fetched });
    return now;
  };
  if (decision.answer !== 'unconfirmed') return { ...looked, step };
  await change(ctx, { actor, reason }, step);
  // A later attempt finds it signed.
  const message = `signature provider does not confirm the signature: it says ${seen.state?.status}`;
  throw new ProviderError('unavailable', message);
}

async function fetchFor(ctx: Context, { contract, decision, seen }: Look, actor: Actor): Promise<Fetched> {
  const { state } = seen;
  const has = (what: SignatureEffect['do']) => decision.effects.some((effect) => effect.do === what);
  if (!state || !contract) return {};
  const sent = has('record_sent') || has('take_second') ? await sentAs(ctx, state) : undefined;
  const pdf = has('sign') ? await fetchPdf(ctx, contract, state.signId) : undefined;
  if (has('take_second')) await closeOthers(ctx, contract, actor);
  return { state, sent, pdf };
}

/** So that the customer cannot sign the contract twice. */
async function closeOthers(ctx: Context, contract: ContractRow, actor: Actor): Promise<void> {
  const isMeant = ({ status }: SignatureState) => status !== 'done';
  const work = { contract, want: 'withdrawn', actor, isMeant, note: ACCEPTED_OTHER } as const;
  if ((await takeSteps(ctx, work)).stop === 'signed') throw moved(contract.id);
}

/** The note that the provider keeps. */
const ACCEPTED_OTHER = 'The customer has signed another copy of the contract.';

async function fetchPdf(ctx: Context, { id }: ContractRow, signId: string): Promise<ReceivedPdf> {
  const pdf = await ctx.provider.downloadDocument(signId, (stream) => receiveSignedPdf(ctx, id, stream));
  // What a signed contract has stays, should the provider give two calls different bytes.
  await placeSignedPdf(pdf, (place) =>
    ctx.writer.write((db) => {
      if (findContract(db, { id })?.signedAt === null) place();
    }),
  );
  return pdf;
}

/** Our rows may have changed while the provider was asked: then what it said is asked for once more. */
class MovedError extends Error {
  override readonly name = 'MovedError';
}

const moved = (contractId: number) =>
  new MovedError(`contract ${contractId} has changed while the signature provider was asked`);

function decideAgain(
  ctx: Context,
  db: Db,
  contractId: number,
  { trigger, looked }: { trigger: Trigger; looked: Look },
): SignatureDecision {
  const { contract, decide } = asItStands(ctx, db, contractId, trigger);
  const alone = decide();
  if (alone.answer !== 'unavailable') return alone;
  const now = decide(looked.seen);
  const isSame = contract?.externalId === looked.contract?.externalId;
  if (isSame && now.answer === looked.decision.answer) return now;
  throw moved(contractId);
}

export interface Reconciled extends Look {
  /** False when the payment session could not be created yet; it is retried. */
  isPayable: boolean;
}

/**
 * Does so now, in one unit. After a signature the payment job gets its first attempt at once; if that fails, its retries continue in the
 * background. Throws a ProviderError.
 */
export async function reconcile(
  ctx: Context,
  contractId: number,
  options: Trigger & By,
): Promise<Reconciled> {
  if (options.dryRun) return { ...(await look(ctx, contractId, options)), isPayable: true };
  return attempt(ctx, contractId, options).catch((error: unknown) => {
    if (!(error instanceof MovedError)) throw error;
    return attempt(ctx, contractId, { ...options, listed: undefined });
  });
}

async function attempt(ctx: Context, contractId: number, options: Trigger & By): Promise<Reconciled> {
  const { actor, reason, note } = options;
  const { step, ...looked } = await prepare(ctx, contractId, options);
  // A look that finds nothing new costs no write.
  if (looked.decision.effects.length === 0 && !note) return { ...looked, isPayable: true };
  const { decision, payment } = await change(ctx, { actor, reason }, (tx) => {
    const decision = step(tx);
    note?.(tx, endOfEvents(decision));
    const uniqueKey = paymentJobKey(contractId);
    const job = decision.answer === 'signed' ? findJobByKey(tx.db, { uniqueKey }) : undefined;
    return { decision, payment: job && ctx.jobs.claimHere(tx.db, job) };
  });
  const isPayable = payment === undefined || (await ctx.jobs.run(payment)).state === 'completed';
  return { ...looked, decision, isPayable };
}

/** It is asked again later. */
export function warnUnchecked(
  ctx: Context,
  { requestId, id: contractId }: ContractRow,
  error: unknown,
): void {
  ctx.log.warn({ requestId, contractId, error: describeError(error) }, 'signature could not be checked');
}

/** The work of a job. Throws `contract_not_found`, and a ProviderError. */
export async function settleBy(ctx: Context, contractId: number, trigger: Trigger): Promise<JobResult> {
  getContract(ctx.db, contractId);
  const { step } = await prepare(ctx, contractId, { ...trigger, actor: JOB });
  return { settle: (tx) => ANSWERS[step(tx).answer].completion };
}
