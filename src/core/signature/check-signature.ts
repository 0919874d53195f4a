/**
 * Manual signature check (spec 4.9): asks the provider what became of a signature and brings our records into line.
 * Rules run in the order of the specification; the first that applies answers.
 */
import { findContract, findCurrentContract, setSignId } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { endContract, type ContractEnd } from '../contracts/end-contract.js';
import { asProviderSays, believeLastMoment, isToldOtherwise } from '../contracts/last-moment.js';
import { record } from '../history.js';
import { isProviderError } from '../http/provider-error.js';
import { isLocked, requestLock } from '../lock.js';
import { getRequest } from '../requests/get-request.js';
import type { TextKey } from '../texts/index.js';
import { completeNow, isClosed, isTooLate } from './complete-signature.js';
import { findAtProvider, PROVIDER_ENDS } from './create-signature.js';
import { tellForeign } from './foreign-signature.js';
import { mayBeOurs, proveOurs } from './is-ours.js';
import type { SignatureState } from './provider.js';
import { catchUp, isSendingUnfinished, isStartUnderWay } from './sent.js';

/** The keys of the specification's messages; each has a text in every language. */
export type CheckKey =
  | 'check_signature_success'
  | 'check_signature_info.ongoing'
  | 'check_signature_info.expired'
  | 'check_signature_info.status'
  | 'not_waiting_signature'
  | 'contract_not_found'
  | 'no_sign_id'
  | 'contract_expired'
  | 'signature_not_found'
  | 'foreign_signature'
  | 'provider_unavailable'
  | 'payment_creation_failed';

export interface CheckResult {
  type: 'success' | 'info' | 'error';
  key: CheckKey;
  params: Record<string, string>;
  /** The text that tells it; without it the one of the key. */
  words?: TextKey;
}

export interface CheckOptions {
  actor: Actor;
  /** Why a person asks; kept in the history. */
  reason?: string | undefined;
  /** Ask the provider, but change nothing. */
  dryRun?: boolean;
}

/** Throws only for a request that does not exist, and for trouble of our own. */
export async function checkSignature(
  ctx: Context,
  requestId: number,
  options: CheckOptions,
): Promise<CheckResult> {
  const request = getRequest(ctx, requestId);
  const contract = findCurrentContract(ctx.db, request.id);
  const isBegun = contract !== undefined && isStartUnderWay(request, contract);
  if (request.status !== 'WAITING_SIGNATURE' && !isBegun) return problem('not_waiting_signature');

  if (!contract) return problem('contract_not_found');

  if (!contract.signId && !isBegun) return problem('no_sign_id');

  try {
    const result = await (isBegun ? askAboutStart : askAndApply)(ctx, contract, options);
    await recordCheck(ctx, contract, result, options);
    return result;
  } catch (error) {
    if (!isProviderError(error)) throw error;
    ctx.log.warn(
      { requestId, contractId: contract.id, error: error.message },
      'signature could not be checked',
    );
    return problem('provider_unavailable');
  }
}

/** What changed bears the actor anyway; a check from the command line, or with a reason, is told also when nothing did. */
async function recordCheck(
  ctx: Context,
  { id: contractId, requestId }: ContractRow,
  { key, params, words = key }: CheckResult,
  { actor, reason, dryRun }: CheckOptions,
): Promise<void> {
  if (dryRun || (actor.kind !== 'cli' && !reason)) return;
  const detail = { answer: words, ...params, ...(reason && { reason }) };
  const at = iso(ctx.clock.now());
  await ctx.writer.write((db) =>
    record(db, { at, actor, what: 'signature.checked', requestId, contractId, detail }),
  );
}

/** Asks for one signature and applies the answer; a ProviderError means that nothing has changed. */
export async function askAndApply(
  ctx: Context,
  contract: ContractRow,
  options: CheckOptions,
): Promise<CheckResult> {
  const state = await findState(ctx, contract);
  if (!state) return signatureGone(ctx, contract, options);
  const proved = await proveOurs(ctx, state, contract);
  return proved
    ? applyState(ctx, contract, proved, options)
    : foreignSignature(ctx, contract, state, options);
}

/**
 * A start that stopped half-way may have got through: then the request does wait for its signature, and the rules go on.
 * A ProviderError means that nothing has changed.
 */
export async function askAboutStart(
  ctx: Context,
  contract: ContractRow,
  options: CheckOptions,
): Promise<CheckResult> {
  // Whoever works on it will say what becomes of it.
  if (isLocked(ctx, ctx.db, requestLock(contract.requestId))) return problem('not_waiting_signature');
  const { ours: state } = await findAtProvider(ctx, contract);
  if (!state || state.status === 'draft') return problem('not_waiting_signature');
  const result = await applyState(ctx, contract, state, options);
  const isExpired = result.key === 'check_signature_info.expired';
  return isExpired ? { ...result, words: 'check_signature_start_expired' } : result;
}

/** Only a 404 to this question means "gone": one to the download that follows is the provider's trouble. */
async function findState(ctx: Context, { signId }: ContractRow): Promise<SignatureState | undefined> {
  try {
    return await ctx.provider.getSignatureStatus(signId as string);
  } catch (error) {
    if (isProviderError(error, 'not_found')) return undefined;
    throw error;
  }
}

/**
 * What a state at the provider means for a contract that waits, or may wait, for its signature; shared by manual and bulk
 * check. A state that would change something is proved to be ours first, and one that was never proved, as those of older
 * versions; of the others the list tells enough.
 */
export async function applyState(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  options: CheckOptions,
): Promise<CheckResult> {
  const proved = await proveAsNeeded(ctx, contract, state);
  if (!proved) return foreignSignature(ctx, contract, state, options);
  const { status } = proved;
  await rememberSigner(ctx, contract, proved, options);
  const told = await believe(ctx, contract, proved, options);
  switch (status) {
    case 'done':
      if (!options.dryRun) await catchUp(ctx, contract, proved, options.actor);
      return complete(ctx, told, proved, options);
    case 'ongoing':
      return stillOpen(ctx, told, proved, options);
    case 'expired':
      await end(ctx, contract, { reason: 'expired' }, options);
      return info('check_signature_info.expired');
    case 'declined':
    case 'canceled':
    case 'rejected':
    case 'deleted':
      await end(ctx, contract, { reason: status, declineReason: state.declineReason }, options);
      return info('check_signature_info.status', { status });
    default:
      return info('check_signature_info.status', { status });
  }
}

async function proveAsNeeded(ctx: Context, contract: ContractRow, state: SignatureState) {
  const isOver = state.status === 'done' || PROVIDER_ENDS.some((word) => word === state.status);
  const isNew = contract.signerEmail === null || isSendingUnfinished(contract);
  if (isOver || isNew) return proveOurs(ctx, state, contract);
  return mayBeOurs(state, contract) ? state : undefined;
}

/** Whom it was sent to, of a contract that an older version has sent: from now on the list tells enough. */
async function rememberSigner(
  ctx: Context,
  { id, signerEmail: known }: ContractRow,
  { signId, signers }: SignatureState,
  { dryRun }: CheckOptions,
): Promise<void> {
  const signerEmail = signers[0]?.email;
  if (dryRun || known !== null || signerEmail === undefined) return;
  await ctx.writer.write((db) => {
    if (findContract(db, id)?.signId === signId) setSignId(db, { id, signId, signerEmail });
  });
}

async function stillOpen(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  { actor, dryRun = false }: CheckOptions,
): Promise<CheckResult> {
  const isCaughtUp = isSendingUnfinished(contract);
  if (isCaughtUp && !dryRun) await catchUp(ctx, contract, state, actor);
  // The customer can still sign there, and it would count for nothing: a person must look.
  if (isClosed(ctx, contract)) return problem('contract_expired', { status: state.status });
  return {
    ...info('check_signature_info.ongoing'),
    ...(isCaughtUp && { words: 'check_signature_caught_up' }),
  };
}

/** The contract with the last moment that the provider names; it is stored when it is another than ours. */
async function believe(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  { actor, dryRun }: CheckOptions,
): Promise<ContractRow> {
  if (!dryRun && isToldOtherwise(contract, state)) {
    const about = { actor, now: iso(ctx.clock.now()) };
    await ctx.writer.write((db) => believeLastMoment(db, contract, state, about));
  }
  return asProviderSays(contract, state);
}

/** The provider says that there is no such signature: the contract can never be signed. */
async function signatureGone(
  ctx: Context,
  contract: ContractRow,
  options: CheckOptions,
): Promise<CheckResult> {
  await end(ctx, contract, { reason: 'not_found' }, options);
  return problem('signature_not_found');
}

/** The signId on our row leads to somebody else's document: nothing of it is used, and a person must look. */
async function foreignSignature(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  { actor, dryRun }: CheckOptions,
): Promise<CheckResult> {
  if (!dryRun) {
    const telling = { actor, now: iso(ctx.clock.now()), isServed: false };
    await ctx.writer.write((db) => tellForeign(db, contract, state, telling));
  }
  return problem('foreign_signature');
}

async function complete(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  options: CheckOptions,
): Promise<CheckResult> {
  if (options.dryRun) return foresee(ctx, contract, state);
  const { completion, isPayable } = await completeNow(ctx, {
    contractId: contract.id,
    provedAt: state.signedAt,
    actor: options.actor,
    state,
  });
  switch (completion) {
    case 'completed':
      return isPayable ? info('check_signature_success', {}, 'success') : problem('payment_creation_failed');
    case 'repeat':
    case 'not_signable':
      return problem('not_waiting_signature');
    case 'late':
      return problem('contract_expired');
    case 'foreign':
      return problem('foreign_signature');
  }
}

function foresee(ctx: Context, contract: ContractRow, state: SignatureState): CheckResult {
  return isTooLate(ctx, contract, state)
    ? problem('contract_expired')
    : info('check_signature_success', {}, 'success');
}

async function end(
  ctx: Context,
  contract: ContractRow,
  ending: Pick<ContractEnd, 'reason' | 'declineReason'>,
  { actor, dryRun }: CheckOptions,
): Promise<void> {
  if (dryRun) return;
  await ctx.writer.write((db) => {
    const fresh = findContract(db, contract.id) as ContractRow;
    endContract(db, fresh, { ...ending, actor, now: iso(ctx.clock.now()) });
  });
}

function problem(key: CheckKey, params: Record<string, string> = {}): CheckResult {
  return { type: 'error', key, params };
}

function info(
  key: CheckKey,
  params: Record<string, string> = {},
  type: 'info' | 'success' = 'info',
): CheckResult {
  return { type, key, params };
}
