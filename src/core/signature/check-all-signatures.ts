/**
 * Bulk check (rules 4): compares every request that waits for a signature, or may since its start was interrupted,
 * with the provider's list, a hundred per call, within its rate limits. A failure does not stop the others.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { isCurrentContract, listUnfinishedContracts } from '../../db/contracts/contracts.js';
import { listNewestContracts } from '../../db/contracts/lists.js';
import { findRequest, listRequestsInStatus } from '../../db/requests/requests.js';
import { insertRun } from '../../db/installation/runs.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { change, type By, type Change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { CallCut, isProviderError } from '../http/provider-error.js';
import { isHeld } from '../installation/hold.js';
import { isBeforeSending } from '../lifecycle.js';
import { everyPage, everyRow } from '../calls/every-row.js';
import { getRequest } from '../requests/requests.js';
import {
  applyState,
  askAboutStart,
  askAndApply,
  type CheckOptions,
  type CheckResult,
} from './check-signature.js';
import { findAtProvider } from './create-signature.js';
import { isCaseForAPerson } from './told.js';
import { listedSignatures, paced, type Pause } from './listed-signatures.js';
import type { SignatureState } from './provider-answers.js';
import { saidBy } from './provider-says.js';
import { lookAgain, rememberUnknown } from './remember-unknown.js';
import { resetSignature } from './reset-signature.js';
import { isSendingUnfinished } from './sent.js';
import { unknownAmong, type UnknownSignature } from './unknown-signatures.js';

export interface CheckedContract extends Omit<CheckResult, 'key' | 'changed'> {
  key: string;
  requestId: number;
  contractId: number;
  /** True when our records were changed, or would be with `dryRun`. */
  changed: boolean;
}

export interface BulkCheckResult {
  checked: number;
  changed: number;
  failed: number;
  results: CheckedContract[];
  /** Signature requests of this installation that are unknown here; absent when none were found. */
  unknown?: UnknownSignature[];
  /** Present when the list could not be read as far as needed. */
  listBrokeOff?: true;
}

export interface BulkCheckOptions extends CheckOptions {
  onProgress?: (done: number, total: number) => void;
  /** Reads the whole list; by default only until every waiting contract is found. */
  isWhole?: boolean;
  /** Leaves out contracts that ended here, and whose last moment to sign was before this (ISO 8601). */
  overSince?: string | undefined;
  /** Reads the list at least as far back as this (ISO 8601). */
  backTo?: string;
  /** What the list has said, so that it is not asked for again. */
  listed?: readonly SignatureState[];
  /** Called for every signature request read from the list. */
  onListed?: (state: SignatureState) => void;
  /** Stops after the current contract. */
  signal?: AbortSignal;
  /** How to pause when the provider asks for it; tests replace it. */
  pause?: Pause;
}

/** Throws a ProviderError, with nothing changed, when the provider cannot be reached at all. */
export async function checkAllSignatures(ctx: Context, options: BulkCheckOptions): Promise<BulkCheckResult> {
  const startedAt = iso(ctx.clock.now());
  const waiting = [...(await waitingContracts(ctx, options)), ...begunContracts(ctx)];
  const results: CheckedContract[] = [];
  const sent = waiting.filter((contract) => contract.signId && !isSendingUnfinished(contract));
  const open = new Map(sent.map((contract) => [contract.signId as string, contract]));
  const report = (result: CheckedContract | undefined) => {
    if (!result) return;
    results.push(result);
    options.onProgress?.(results.length, waiting.length);
  };
  const check = async (contract: ContractRow, ask: () => Promise<CheckResult>) =>
    report(await checkOne(ctx, contract, () => paced(ask, options)));

  const others: SignatureState[] = [];
  const { isWhole = false, backTo, signal } = options;
  let isFarEnough = backTo === undefined;
  const isWanted = () => isWhole || !isFarEnough || open.size > 0;
  let brokeOff = false;
  try {
    for await (const state of options.listed ?? listedSignatures(ctx, { ...options, isWanted })) {
      if (signal?.aborted) break;
      // The newest come first.
      if (backTo !== undefined && state.createdAt !== null && state.createdAt < backTo) isFarEnough = true;
      options.onListed?.(state);
      const contract = open.get(state.signId);
      if (!contract) others.push(state);
      else {
        open.delete(state.signId);
        await check(contract, () => applyState(ctx, contract, state, options));
      }
    }
  } catch (error) {
    if (results.length === 0) throw error;
    brokeOff = true;
    // The list broke off after some work: report the rest as failed instead of asking one by one.
    if (!(error instanceof CallCut))
      for (const contract of open.values()) report(failure(ctx, contract, error));
    open.clear();
  }
  // Not in the list, because made by hand in the provider's console or gone: ask for each.
  for (const contract of open.values()) {
    if (options.signal?.aborted) break;
    await check(contract, () => askAndApply(ctx, contract, options));
  }
  for (const contract of waiting.filter(isSendingUnfinished)) {
    if (options.signal?.aborted) break;
    await check(contract, () => lookAfter(ctx, contract, options));
  }

  const unknown = unknownAmong(ctx.db, others);
  const summary = summarise(results);
  if (!options.dryRun) {
    const gone = await lookAgain(ctx, others);
    await storeRun(ctx, startedAt, summary, options, (tx) => rememberUnknown(tx, unknown, gone));
  }
  if (unknown.length > 0) ctx.log.warn({ unknown }, 'signatures of this installation are unknown here');
  return {
    ...summary,
    results,
    ...(unknown.length > 0 && { unknown }),
    ...(brokeOff && { listBrokeOff: true }),
  };
}

/** A page at a time, so that a long list keeps nobody else waiting. */
async function waitingContracts(
  { db }: Context,
  { overSince = '' }: BulkCheckOptions,
): Promise<ContractRow[]> {
  const isAsked = ({ status, expiredAt }: ContractRow) =>
    status === 'PENDING' || expiredAt === null || expiredAt >= overSince;
  const found: ContractRow[] = [];
  const pages = everyPage<RequestRow>((after, limit) =>
    listRequestsInStatus(db, { status: 'WAITING_SIGNATURE', after, limit }),
  );
  for (const requests of pages) {
    if (found.length > 0) await turn();
    const ids = requests.map(({ id }) => id);
    const contracts = listNewestContracts(db, ids);
    found.push(...ids.flatMap((id) => contracts.get(id) ?? []).filter(isAsked));
  }
  return found;
}

/** Contracts whose start was interrupted: they may have been sent. */
function begunContracts({ db }: Context): ContractRow[] {
  const unfinished = everyRow<ContractRow>((after, limit) =>
    listUnfinishedContracts(db, { after: after?.id ?? 0, limit }),
  );
  return [...unfinished].filter((contract) => {
    const request = findRequest(db, { id: contract.requestId });
    return request && isBeforeSending(request) && isCurrentContract(db, contract);
  });
}

/**
 * An interrupted start or reset may have got through. If not, a reset continues, because its old contract is closed;
 * a start waits for somebody to repeat it.
 */
async function lookAfter(
  ctx: Context,
  contract: ContractRow,
  options: BulkCheckOptions,
): Promise<CheckResult> {
  const { requestId } = contract;
  if (isBeforeSending(getRequest(ctx, requestId))) return askAboutStart(ctx, contract, options);
  const { ours: state } = await findAtProvider(ctx, contract);
  if (state && state.status !== 'draft') return applyState(ctx, contract, state, options);
  const { actor, dryRun = false } = options;
  // The first bulk check after the takeover resumes it.
  if (isHeld(ctx)) return { type: 'info', key: 'check_signature_info.ongoing', params: {} };
  await resetSignature(ctx, requestId, { actor, dryRun, reason: 'an unfinished reset is resumed' });
  return {
    type: 'info',
    key: 'check_signature_info.ongoing',
    params: {},
    words: 'check_signature_caught_up',
    changed: true,
  };
}

/** Undefined when the caller has gone before it was checked. */
async function checkOne(
  ctx: Context,
  contract: ContractRow,
  check: () => Promise<CheckResult>,
): Promise<CheckedContract | undefined> {
  const about = { requestId: contract.requestId, contractId: contract.id };
  const wasTold = isCaseForAPerson(ctx.db, contract);
  try {
    const { changed = false, ...result } = await check();
    const isNews = () => !wasTold && isCaseForAPerson(ctx.db, contract);
    const type = isNoFailure(result, isNews) ? 'info' : result.type;
    return { ...about, ...result, type, changed };
  } catch (error) {
    return error instanceof CallCut ? undefined : failure(ctx, contract, error);
  }
}

/**
 * No failure: a webhook or another check was faster. An expired contract or a foreign document is a case for a
 * person, so only the check that first reports it fails; otherwise every check would until somebody decides.
 */
function isNoFailure({ key }: CheckResult, isNews: () => boolean): boolean {
  const isCase = key === 'contract_expired' || key === 'foreign_signature';
  return key === 'not_waiting_signature' || (isCase && !isNews());
}

function failure(ctx: Context, contract: ContractRow, error: unknown): CheckedContract {
  const about = { requestId: contract.requestId, contractId: contract.id };
  const message = describeError(error);
  ctx.log.warn({ ...about, error: message }, 'signature could not be checked');
  const failed = { ...about, type: 'error' as const, changed: false };
  if (!isProviderError(error)) return { ...failed, key: 'check_failed', params: { error: message } };
  const { words, params } = saidBy(error);
  return { ...failed, key: 'provider_unavailable', words, params: { ...params, error: message } };
}

function summarise(results: CheckedContract[]): Pick<BulkCheckResult, 'checked' | 'changed' | 'failed'> {
  return {
    checked: results.length,
    changed: results.filter(({ changed }) => changed).length,
    failed: results.filter(({ type, key }) => type === 'error' && key !== 'signature_not_found').length,
  };
}

function storeRun(
  ctx: Context,
  startedAt: string,
  summary: object,
  { actor, reason }: By,
  found: (tx: Change) => void,
): Promise<void> {
  return change(ctx, { actor, reason }, (tx) => {
    found(tx);
    insertRun(tx.db, { name: 'reconcile', startedAt, finishedAt: tx.now, result: JSON.stringify(summary) });
    if (actor.kind !== 'system') tx.record('signatures.checked', null, { ...summary, reason: tx.reason });
  });
}
