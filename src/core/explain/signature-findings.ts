/** Why a request is not signed: the rules in order, the first that applies answers. */
import type { ContractRow, RejectedDeliveryRow } from '../../db/schema.js';
import { AppError } from '../errors.js';
import type { Job } from '../jobs/kinds.js';
import type { EndReason, ProviderEnd } from '../lifecycle.js';
import { isTooLate } from '../signature/complete-signature.js';
import { PROVIDER_ENDS } from '../signature/create-signature.js';
import { isForeignEntry } from '../signature/foreign-signature.js';
import { isOurs } from '../signature/is-ours.js';
import { isLateSignature } from '../signature/late-signature.js';
import { getSigner } from '../signature/prepare-contract.js';
import type { SignatureState } from '../signature/provider.js';
import { isSendingUnfinished } from '../signature/sent.js';
import { finding, type Facts, type Finding } from './finding.js';

/** Before the contract is out: `new`, `in_progress`. */
export function startFinding(facts: Facts): Finding {
  const { request, contract } = facts.file;
  if (facts.isBusy) return busy(facts);
  const next = `start-signature ${request.id}`;
  const isBegun = contract !== undefined && isSendingUnfinished(contract);
  const sent = isBegun && sentAfterAll(facts, contract, (end) => startEnded(facts, end));
  if (sent) return sent;
  const refusal = signerRefusal(facts);
  if (refusal) {
    const { username: email, id: user, firstName, lastName } = facts.file.customer;
    if (refusal.code === 'invalid_signer_email')
      return finding(facts, 'trouble', 'signer_email', next, { email });
    const name = `${firstName} ${lastName}`.trim() || '–';
    return finding(facts, 'trouble', 'signer_name', next, { name, email, user });
  }
  if (isBegun) return finding(facts, 'trouble', 'start_unfinished', next);
  const end = contract && WAYS_OUT.find((word) => word === endOf(facts, contract).reason);
  return end ? startEnded(facts, end) : finding(facts, 'waiting', 'not_started', next);
}

const WAYS_OUT = [...PROVIDER_ENDS, 'not_found'] as const;

function startEnded(facts: Facts, end: (typeof WAYS_OUT)[number]): Finding {
  const params = { end: facts.say(`mail.ended.reason.${end}`) };
  return finding(facts, 'trouble', 'start_ended', `start-signature ${facts.file.request.id}`, params);
}

/** A start or a reset stopped half-way, and the contract is out, or may be; undefined: the customer has got nothing. */
function sentAfterAll(
  facts: Facts,
  contract: ContractRow,
  over: (end: ProviderEnd) => Finding,
): Finding | undefined {
  const { file, view } = facts;
  const job = byCompletionJob(facts);
  if (job) return job;
  const check = `check-signature ${file.request.id}`;
  const answer = view?.signature;
  if (answer?.kind === 'gone') return undefined;
  if (answer?.kind !== 'known') {
    return contract.activationAskedAt === null
      ? undefined
      : finding(facts, 'trouble', 'sending_unknown', check);
  }
  const { status } = answer.state;
  const end = PROVIDER_ENDS.find((word) => word === status);
  if (end) return over(end);
  switch (status) {
    case 'draft':
      return undefined;
    case 'ongoing':
      return finding(facts, 'trouble', 'sending_got_through', check);
    case 'done':
      return finding(facts, 'trouble', 'sending_signed', check);
    default:
      return finding(facts, 'waiting', 'status_unknown', null, { status });
  }
}

/** Why the provider would refuse the customer, if it would. */
function signerRefusal({ ctx, file }: Facts): AppError | undefined {
  try {
    getSigner(ctx, file.request);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error;
  }
}

export function busy(facts: Facts): Finding {
  return finding(facts, 'waiting', 'busy', `explain ${facts.file.request.id}`);
}

/** While the request waits for the signature. */
export function signatureFinding(facts: Facts): Finding {
  const { file, view } = facts;
  const { contract, request } = file;
  const reset = `reset-signature ${request.id}`;
  if (facts.isBusy) return busy(facts);
  if (!contract) return finding(facts, 'trouble', 'contract_missing', reset);
  if (isSendingUnfinished(contract)) {
    return (
      sentAfterAll(facts, contract, (end) => ended(facts, end)) ??
      finding(facts, 'trouble', 'reset_unfinished', reset)
    );
  }
  const answer = view?.signature;
  switch (answer?.kind) {
    case 'known':
      return byState(facts, contract, answer.state);
    case 'gone':
      return finding(facts, 'trouble', 'ended_not_found', reset);
    case 'silent':
      if (contract.status === 'EXPIRED') return byRecords(facts, contract);
      return answer.error.reason === 'unauthorized'
        ? finding(facts, 'trouble', 'provider_key', 'doctor')
        : finding(facts, 'trouble', 'provider_down', `check-signature ${request.id}`, {
            error: answer.error.message,
          });
    case undefined:
      return byRecords(facts, contract);
  }
}

function byState(facts: Facts, contract: ContractRow, state: SignatureState): Finding {
  const { id } = facts.file.request;
  if (!isOurs(state, contract, facts.file.customer)) return foreign(facts);
  const end = PROVIDER_ENDS.find((word) => word === state.status);
  if (end) return ended(facts, end, state.declineReason);
  switch (state.status) {
    case 'done':
      return isTooLate(facts.ctx, contract, state)
        ? signedLate(facts, contract)
        : (byCompletionJob(facts) ?? whyNoWebhook(facts));
    case 'ongoing':
      return contract.status === 'EXPIRED'
        ? openThere(facts, contract)
        : (stillOpen(facts, contract) ??
            finding(facts, 'calm', 'waiting_for_customer', null, deadline(contract)));
    case 'draft':
      return finding(facts, 'trouble', 'draft_there', `reset-signature ${id}`);
    default:
      return finding(facts, 'waiting', 'status_unknown', null, { status: state.status });
  }
}

function foreign(facts: Facts): Finding {
  return finding(facts, 'trouble', 'foreign_signature', `reset-signature ${facts.file.request.id}`);
}

/** Without the provider's word: what our own records tell. */
function byRecords(facts: Facts, contract: ContractRow): Finding {
  const { request, history } = facts.file;
  if (history.some((entry) => isForeignEntry(entry, contract))) return foreign(facts);
  if (isLateSignature(facts.ctx.db, contract)) return signedLate(facts, contract);
  const job = byCompletionJob(facts);
  if (job) return job;
  return (
    stillOpen(facts, contract) ??
    finding(facts, 'waiting', 'signature_not_asked', `check-signature ${request.id}`)
  );
}

function signedLate(facts: Facts, { id: contract, requestId }: ContractRow): Finding {
  return finding(facts, 'trouble', 'signed_late', `reset-signature ${requestId}`, { contract });
}

function deadline({ expiredAt }: ContractRow) {
  return { date: expiredAt ?? '–' };
}

/** The contract can no longer be signed, or not by the link that the customer has; undefined: it can. */
function stillOpen(facts: Facts, contract: ContractRow): Finding | undefined {
  const { now } = facts.file;
  if (contract.status === 'EXPIRED') return endedHere(facts, contract);
  if (contract.expiredAt !== null && contract.expiredAt <= now) return ended(facts, 'date_passed');
  const isLinkOver = contract.signUrlExpiresAt !== null && contract.signUrlExpiresAt <= now;
  return isLinkOver
    ? finding(facts, 'trouble', 'sign_link_over', `contracts show ${contract.id}`)
    : undefined;
}

/** What we knew when we closed it differs from what the provider says now. */
function openThere(facts: Facts, contract: ContractRow): Finding {
  const { reason } = endOf(facts, contract);
  if (reason === 'date_passed') return ended(facts, reason);
  const why = facts.say(`timeline.ended.${reason}`, { contract: contract.id });
  return finding(facts, 'trouble', 'ended_but_ongoing', `reset-signature ${facts.file.request.id}`, { why });
}

type End = Exclude<EndReason, 'replaced'>;

function endedHere(facts: Facts, contract: ContractRow): Finding {
  const { reason, declineReason } = endOf(facts, contract);
  return ended(facts, reason, declineReason);
}

/** Why a contract was closed, as the history tells. */
function endOf(facts: Facts, contract: ContractRow): { reason: End; declineReason: string | null } {
  const row = facts.file.history.findLast(
    ({ what, contractId }) => what === 'contract.ended' && contractId === contract.id,
  );
  const { reason = 'date_passed', declineReason = null } = JSON.parse(row?.detail ?? '{}') as {
    reason?: End;
    declineReason?: string | null;
  };
  return { reason, declineReason };
}

function ended(facts: Facts, reason: End, declineReason: string | null = null): Finding {
  const next = `reset-signature ${facts.file.request.id}`;
  return reason === 'declined' && declineReason
    ? finding(facts, 'trouble', 'ended_declined_because', next, { reason: declineReason })
    : finding(facts, 'trouble', `ended_${reason}`, next);
}

/** The webhook came, and its work is not done. */
function byCompletionJob(facts: Facts): Finding | undefined {
  const { jobs, contract } = facts.file;
  const job = jobs.findLast(
    ({ kind, contractId }) => kind === 'complete-signature' && contractId === contract?.id,
  );
  switch (job?.state) {
    case 'failed':
      return finding(facts, 'trouble', 'completion_failed', `failed replay ${job.id}`, errorOf(job));
    case 'running':
      return busy(facts);
    case 'available':
      return job.attempt > 0
        ? finding(facts, 'trouble', 'completion_retrying', `jobs push ${job.id}`, errorOf(job))
        : busy(facts);
    case 'completed':
    case undefined:
      return undefined;
  }
}

export function errorOf({ lastError, attempt, id, runAt }: Job) {
  return { error: lastError ?? '–', attempt, job: id, date: runAt };
}

/** The customer has signed, and we did not hear of it. */
function whyNoWebhook(facts: Facts): Finding {
  const { request, rejected, contract } = facts.file;
  const next = `check-signature ${request.id}`;
  const turnedAway = rejected.filter(({ claimedId }) => claimedId === contract?.signId);
  if (turnedAway.length === 0) return finding(facts, 'trouble', 'webhook_lost', next);
  const forged = turnedAway.some(isUnproven);
  return finding(facts, 'trouble', forged ? 'webhook_wrong_signature' : 'webhook_turned_away', next);
}

export function isUnproven({ reason }: RejectedDeliveryRow): boolean {
  return reason === 'wrong_signature' || reason === 'missing_signature';
}
