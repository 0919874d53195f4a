/**
 * Manual signature check (rules 4): asks the provider what became of a signature and brings our records into line.
 * Rules run in the order of `docs/rules.md`; the first that applies answers.
 */
import {
  findContract,
  requireContract,
  findCurrentContract,
  setSignId,
} from '../../db/contracts/contracts.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { change, type By } from '../change.js';
import type { Context } from '../context.js';
import { endContract, type ContractEnd } from '../contracts/end-contract.js';
import { asProviderSays, believeLastMoment, isToldOtherwise } from '../contracts/last-moment.js';
import { ofContract } from '../history/history.js';
import { isProviderError, unlessNotFound } from '../http/provider-error.js';
import { isLocked, requestLock } from '../lock.js';
import { keepDueAt } from '../requests/due-date.js';
import { getRequest } from '../requests/requests.js';
import type { TextKey } from '../texts/index.js';
import { completeNow, isClosed, isTooLate } from './complete-signature.js';
import { findAtProvider } from './at-provider.js';
import { tellForeign } from './told.js';
import { mayBeOurs, proveOurs } from './is-ours.js';
import { endIn, type SignatureState } from './provider-answers.js';
import { saidBy } from './provider-says.js';
import { rememberUnknown } from './remember-unknown.js';
import { unknownAmong } from './unknown-signatures.js';
import { catchUp, isSendingUnfinished, isStartUnderWay } from './sent.js';

/** The keys of the messages; each has a text in every language. */
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
  | 'second_document'
  | 'provider_unavailable'
  | 'payment_creation_failed';

export interface CheckResult {
  type: 'success' | 'info' | 'error';
  key: CheckKey;
  params: Record<string, string>;
  /** The text to show; by default that of the key. */
  words?: TextKey;
  /** Our records were changed; with `dryRun`: would be. */
  changed?: true;
}

export interface CheckOptions extends By {
  /** Ask the provider, but change nothing. */
  dryRun?: boolean;
}

/** The request waits for a signature, or an interrupted start may have sent it out. */
export function waitsForSignature({ db }: Pick<Context, 'db'>, request: RequestRow): boolean {
  return isChecked(request, findCurrentContract(db, { requestId: request.id }));
}

function isChecked(request: RequestRow, contract: ContractRow | undefined): boolean {
  return (
    request.status === 'WAITING_SIGNATURE' || (contract !== undefined && isStartUnderWay(request, contract))
  );
}

/** Throws only for a request that does not exist, and for internal errors. */
export async function checkSignature(
  ctx: Context,
  requestId: number,
  options: CheckOptions,
): Promise<CheckResult> {
  const request = getRequest(ctx, requestId);
  const contract = findCurrentContract(ctx.db, { requestId: request.id });
  const isBegun = contract !== undefined && isStartUnderWay(request, contract);
  if (!isChecked(request, contract)) return problem('not_waiting_signature');

  if (!contract) return problem('contract_not_found');

  if (!contract.signId && !isBegun) return problem('no_sign_id');

  try {
    const result = await (isBegun ? askAboutStart : askAndApply)(ctx, contract, options);
    const second = result.type === 'success' ? undefined : await findSecond(ctx, contract, options);
    await recordCheck(ctx, contract, second ?? result, options);
    return second ?? result;
  } catch (error) {
    if (!isProviderError(error)) throw error;
    ctx.log.warn(
      { requestId, contractId: contract.id, error: error.message },
      'signature could not be checked',
    );
    return { ...problem('provider_unavailable'), ...saidBy(error) };
  }
}

/** The customer may sign, or have signed, a second document under the contract's name: a person decides about it. */
async function findSecond(
  ctx: Context,
  { externalId }: ContractRow,
  { actor, dryRun }: CheckOptions,
): Promise<CheckResult | undefined> {
  const unknown = unknownAmong(ctx.db, await ctx.provider.findByExternalId(externalId));
  const second = unknown.find(({ status }) => status === 'done') ?? unknown[0];
  if (!second) return undefined;
  if (!dryRun) await change(ctx, { actor }, (tx) => rememberUnknown(tx, unknown, []));
  const { signId, status } = second;
  return problem('second_document', { sign: signId, status });
}

/** Changes record the actor anyway; a check from the command line, or with a reason, is recorded even without changes. */
async function recordCheck(
  ctx: Context,
  contract: ContractRow,
  { key, params, words = key }: CheckResult,
  { actor, reason, dryRun }: CheckOptions,
): Promise<void> {
  if (dryRun || (actor.kind !== 'cli' && !reason)) return;
  await change(ctx, { actor, reason }, (tx) =>
    tx.record('signature.checked', ofContract(contract), { answer: words, ...params, reason: tx.reason }),
  );
}

/** Asks for one signature and applies the answer. After a ProviderError nothing has changed. */
export async function askAndApply(
  ctx: Context,
  contract: ContractRow,
  options: CheckOptions,
): Promise<CheckResult> {
  // Only a 404 to this call means "gone"; a 404 to the download is a problem of the provider.
  const known = { ...contract, signId: contract.signId as string };
  const state = await unlessNotFound(ctx.provider.getSignatureStatus(known));
  if (!state) {
    // The contract can never be signed.
    const ended = await end(ctx, contract, { reason: 'not_found' }, options);
    return { ...problem('signature_not_found'), ...ended };
  }
  const proved = await proveOurs(ctx, state, contract);
  return proved
    ? applyState(ctx, contract, proved, options)
    : foreignSignature(ctx, contract, state, options);
}

/**
 * An interrupted start may have got through; then the request does wait for its signature, and the rules apply. After
 * a ProviderError nothing has changed.
 */
export async function askAboutStart(
  ctx: Context,
  contract: ContractRow,
  options: CheckOptions,
): Promise<CheckResult> {
  // Another call is working on it and will settle it.
  if (isLocked(ctx, ctx.db, requestLock(contract.requestId))) return problem('not_waiting_signature');
  const { ours: state } = await findAtProvider(ctx, contract);
  if (!state || state.status === 'draft')
    return { ...problem('not_waiting_signature'), words: 'check_signature_not_sent' };
  const result = await applyState(ctx, contract, state, options);
  const isExpired = result.key === 'check_signature_info.expired';
  return isExpired ? { ...result, words: 'check_signature_start_expired' } : result;
}

/**
 * Applies a provider's state to a contract that waits, or may wait, for its signature; shared by manual and bulk
 * check. A state that would change something, or was never proved, is proved to be ours first; for others the list
 * says enough.
 */
export async function applyState(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  options: CheckOptions,
): Promise<CheckResult> {
  const proved = await proveAsNeeded(ctx, contract, state);
  if (!proved) return foreignSignature(ctx, contract, state, options);
  await rememberSigner(ctx, contract, proved, options);
  const told = await believe(ctx, contract, proved, options);
  const over = endIn(proved, contract.failedSigningAt !== null);
  if (over) return closed(ctx, contract, { status: proved.status, over }, options);
  switch (proved.status) {
    case 'done':
      if (!options.dryRun) await catchUp(ctx, contract, proved, options.actor);
      return complete(ctx, told, proved, options);
    case 'ongoing':
      return stillOpen(ctx, told, proved, options);
    default:
      return info('check_signature_info.status', { status: proved.status });
  }
}

async function closed(
  ctx: Context,
  contract: ContractRow,
  { status, over }: { status: string; over: ContractEnd },
  options: CheckOptions,
): Promise<CheckResult> {
  const told =
    status === 'expired'
      ? info('check_signature_info.expired')
      : info('check_signature_info.status', { status });
  return {
    ...told,
    ...(over.reason === 'signer_error' && { words: 'check_signature_signer_error' }),
    ...(await end(ctx, contract, over, options)),
  };
}

async function proveAsNeeded(ctx: Context, contract: ContractRow, state: SignatureState) {
  const isEnd = endIn(state, false) !== undefined && contract.status === 'PENDING';
  const isNew = contract.signerEmail === null || isSendingUnfinished(contract);
  if (state.status === 'done' || isEnd || isNew) return proveOurs(ctx, state, contract);
  return mayBeOurs(state, contract) ? state : undefined;
}

/**
 * Stores to whom the contract was sent, and under which signId, where a restore has undone that: the list says enough from now on, and the
 * record of its end says which document it was.
 */
async function rememberSigner(
  ctx: Context,
  { id, externalId, signerEmail: known }: ContractRow,
  { signId, signers }: SignatureState,
  { dryRun }: CheckOptions,
): Promise<void> {
  const signerEmail = signers[0]?.email;
  if (dryRun || known !== null || signerEmail === undefined) return;
  await ctx.writer.write((db) => {
    const contract = findContract(db, { id });
    const isSame = contract?.externalId === externalId && (contract.signId ?? signId) === signId;
    if (!isSame) return;
    setSignId(db, { id, signId, signerEmail });
    keepDueAt(db, contract.requestId);
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
  // The customer can still sign there, without effect, so a person must look.
  if (isClosed(ctx, contract)) return problem('contract_expired', { status: state.status });
  return {
    ...info('check_signature_info.ongoing'),
    ...(isCaughtUp && { words: 'check_signature_caught_up', changed: true }),
  };
}

/** The contract with the provider's last moment, which is stored if it differs. */
async function believe(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  { actor, dryRun }: CheckOptions,
): Promise<ContractRow> {
  if (!dryRun && isToldOtherwise(contract, state)) {
    await change(ctx, { actor }, (tx) => believeLastMoment(tx, contract, state));
  }
  return asProviderSays(contract, state);
}

/** Our signId leads to somebody else's document: it is not used, and a person must look. */
async function foreignSignature(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  { actor, dryRun }: CheckOptions,
): Promise<CheckResult> {
  if (!dryRun) {
    await change(ctx, { actor }, (tx) => tellForeign(tx, contract, state, { isServed: false }));
  }
  return problem('foreign_signature');
}

async function complete(
  ctx: Context,
  contract: ContractRow,
  state: SignatureState,
  options: CheckOptions,
): Promise<CheckResult> {
  if (options.dryRun) return isTooLate(ctx, contract, state) ? problem('contract_expired') : SUCCESS;
  const { completion, isPayable } = await completeNow(ctx, {
    contractId: contract.id,
    provedAt: state.signedAt,
    actor: options.actor,
    state,
  });
  switch (completion) {
    case 'completed':
      return isPayable ? SUCCESS : { ...problem('payment_creation_failed'), changed: true };
    case 'repeat':
    case 'not_signable':
    case 'ended':
    case 'not_confirmed':
      return problem('not_waiting_signature');
    case 'late':
      return problem('contract_expired');
    case 'foreign':
      return problem('foreign_signature');
  }
}

const SUCCESS: CheckResult = { type: 'success', key: 'check_signature_success', params: {}, changed: true };

async function end(
  ctx: Context,
  contract: ContractRow,
  ending: ContractEnd,
  { actor, dryRun }: CheckOptions,
): Promise<Pick<CheckResult, 'changed'>> {
  if (contract.status !== 'PENDING') return {};
  if (!dryRun) {
    await change(ctx, { actor }, (tx) =>
      endContract(tx, requireContract(tx.db, { id: contract.id }), ending),
    );
  }
  return { changed: true };
}

function problem(key: CheckKey, params: Record<string, string> = {}): CheckResult {
  return { type: 'error', key, params };
}

function info(key: CheckKey, params: Record<string, string> = {}): CheckResult {
  return { type: 'info', key, params };
}
