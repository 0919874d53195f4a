/**
 * Bulk check (spec 4.9 for many): compares every request that waits for a signature, or may wait for one since its start
 * stopped half-way, with the provider's list, a hundred a call, within its rate limits. One that fails does not stop the
 * others.
 */
import { findCurrentContract, isCurrentContract, listUnfinishedContracts } from '../../db/contracts.js';
import { findRequest, listRequestsInStatus } from '../../db/requests.js';
import { insertRun } from '../../db/runs.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { record } from '../history.js';
import { CallCut } from '../http/call-cut.js';
import { isProviderError } from '../http/provider-error.js';
import { isBeforeSending } from '../lifecycle.js';
import { getRequest } from '../requests/get-request.js';
import { applyState, askAboutStart, askAndApply, type CheckResult } from './check-signature.js';
import { findAtProvider } from './create-signature.js';
import { isForeignTold } from './foreign-signature.js';
import { isLateSignature } from './late-signature.js';
import { listedSignatures, paced, type Pause } from './listed-signatures.js';
import type { SignatureState } from './provider.js';
import { resetSignature } from './reset-signature.js';
import { isSendingUnfinished } from './sent.js';
import { asUnknown, type UnknownSignature } from './unknown-signatures.js';

export interface CheckedContract extends Omit<CheckResult, 'key'> {
  key: string;
  requestId: number;
  contractId: number;
  /** True when our records were changed (with `dryRun`: would be). */
  changed: boolean;
}

export interface BulkCheckResult {
  checked: number;
  changed: number;
  failed: number;
  results: CheckedContract[];
  /** What the provider has of this installation and nothing here knows; absent: nothing in what was read of its list. */
  unknown?: UnknownSignature[];
  /** There: the list could not be read as far as it was to be. */
  listBrokeOff?: true;
}

export interface BulkCheckOptions {
  actor: Actor;
  /** Why a person asks; kept in the history. */
  reason?: string | undefined;
  dryRun?: boolean;
  onProgress?: (done: number, total: number) => void;
  /** Reads the provider's list to its end; else until every contract that waits was found. */
  isWhole?: boolean;
  /** Hears of every signature request in the list, as far as it is read. */
  onListed?: (state: SignatureState) => void;
  /** Ends it after the contract under way. */
  signal?: AbortSignal;
  /** How the provider's wish for a pause is met; by waiting, unless a test does not. */
  pause?: Pause;
}

/** Throws a ProviderError, with nothing changed, when the provider cannot be asked at all. */
export async function checkAllSignatures(ctx: Context, options: BulkCheckOptions): Promise<BulkCheckResult> {
  const startedAt = iso(ctx.clock.now());
  const waiting = [...waitingContracts(ctx), ...begunContracts(ctx)];
  const results: CheckedContract[] = [];
  const sent = waiting.filter((contract) => contract.signId && !isSendingUnfinished(contract));
  const open = new Map(sent.map((contract) => [contract.signId as string, contract]));
  const report = (result: CheckedContract | undefined) => {
    if (!result) return;
    results.push(result);
    options.onProgress?.(results.length, waiting.length);
  };

  const unknown: UnknownSignature[] = [];
  const { isWhole = false, signal } = options;
  const isWanted = () => isWhole || open.size > 0;
  let brokeOff = false;
  try {
    for await (const state of listedSignatures(ctx, { ...options, isWanted })) {
      if (signal?.aborted) break;
      options.onListed?.(state);
      const contract = open.get(state.signId);
      if (!contract) unknown.push(...asUnknown(ctx.db, state));
      else {
        open.delete(state.signId);
        const apply = () => applyState(ctx, contract, state, options);
        report(await checkOne(ctx, contract, () => paced(apply, options)));
      }
    }
  } catch (error) {
    if (results.length === 0) throw error;
    brokeOff = true;
    // The list broke off after something was done: the rest is told as failed, not asked for one by one.
    if (!(error instanceof CallCut))
      for (const contract of open.values()) report(failure(ctx, contract, error));
    open.clear();
  }
  // Not in the list (made by hand in the provider's console, or gone): only a question of its own tells.
  for (const contract of open.values()) {
    if (options.signal?.aborted) break;
    report(await checkOne(ctx, contract, () => paced(() => askAndApply(ctx, contract, options), options)));
  }
  for (const contract of waiting.filter(isSendingUnfinished)) {
    if (options.signal?.aborted) break;
    report(await checkOne(ctx, contract, () => paced(() => lookAfter(ctx, contract, options), options)));
  }

  const summary = summarise(results);
  if (!options.dryRun) await storeRun(ctx, startedAt, summary, options);
  if (unknown.length > 0) ctx.log.warn({ unknown }, 'signatures of this installation are unknown here');
  return {
    ...summary,
    results,
    ...(unknown.length > 0 && { unknown }),
    ...(brokeOff && { listBrokeOff: true }),
  };
}

const PAGE = 500;

function waitingContracts(ctx: Context): ContractRow[] {
  const contracts: ContractRow[] = [];
  for (let after: RequestRow | undefined; ;) {
    const page = listRequestsInStatus(ctx.db, { status: 'WAITING_SIGNATURE', after, limit: PAGE });
    for (const { id } of page) {
      const contract = findCurrentContract(ctx.db, id);
      if (contract) contracts.push(contract);
    }
    if (page.length < PAGE) return contracts;
    after = page.at(-1);
  }
}

/** Contracts whose start stopped half-way: they may be with their customers. */
function begunContracts(ctx: Context): ContractRow[] {
  const contracts: ContractRow[] = [];
  for (let after = 0; ;) {
    const page = listUnfinishedContracts(ctx.db, { after, limit: PAGE });
    contracts.push(
      ...page.filter((contract) => {
        const request = findRequest(ctx.db, contract.requestId);
        return request && isBeforeSending(request) && isCurrentContract(ctx.db, contract);
      }),
    );
    if (page.length < PAGE) return contracts;
    after = (page.at(-1) as ContractRow).id;
  }
}

/** What was cut short may have got through. If not, a reset goes on, because its old contract is closed; a start waits. */
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
  await resetSignature(ctx, requestId, { actor, dryRun, reason: 'an unfinished reset is resumed' });
  return {
    type: 'info',
    key: 'check_signature_info.ongoing',
    params: {},
    words: 'check_signature_caught_up',
  };
}

/** Undefined: whoever asked has gone before it was checked. */
async function checkOne(
  ctx: Context,
  contract: ContractRow,
  check: () => Promise<CheckResult>,
): Promise<CheckedContract | undefined> {
  const about = { requestId: contract.requestId, contractId: contract.id };
  const wasTold = isCaseForAPerson(ctx, contract);
  try {
    const result = await check();
    const isNews = !wasTold && isCaseForAPerson(ctx, contract);
    const type = isNoFailure(result, isNews) ? 'info' : result.type;
    return { ...about, ...result, type, changed: isChange(contract, result) };
  } catch (error) {
    return error instanceof CallCut ? undefined : failure(ctx, contract, error);
  }
}

/**
 * A webhook or another check was quicker. Or the contract is over here, or the document there is somebody else's: that is
 * a case for a person, and only the check that tells of it fails; otherwise each further one would until somebody decides.
 */
function isNoFailure({ key }: CheckResult, isNews: boolean): boolean {
  const isCase = key === 'contract_expired' || key === 'foreign_signature';
  return key === 'not_waiting_signature' || (isCase && !isNews);
}

function isCaseForAPerson({ db }: Context, contract: ContractRow): boolean {
  return isLateSignature(db, contract) || isForeignTold(db, contract);
}

function failure(ctx: Context, contract: ContractRow, error: unknown): CheckedContract {
  const about = { requestId: contract.requestId, contractId: contract.id };
  const message = describeError(error);
  ctx.log.warn({ ...about, error: message }, 'signature could not be checked');
  const key = isProviderError(error) ? 'provider_unavailable' : 'check_failed';
  return { ...about, type: 'error', key, params: { error: message }, changed: false };
}

function isChange(contract: ContractRow, { key, params }: CheckResult): boolean {
  if (key === 'check_signature_success' || key === 'payment_creation_failed') return true;
  if (contract.status !== 'PENDING') return false;
  if (isSendingUnfinished(contract) && key === 'check_signature_info.ongoing') return true;
  return (
    key === 'check_signature_info.expired' ||
    key === 'signature_not_found' ||
    ['declined', 'canceled', 'rejected', 'deleted'].includes(params['status'] ?? '')
  );
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
  { actor, reason }: BulkCheckOptions,
): Promise<void> {
  const finishedAt = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    insertRun(db, { name: 'reconcile', startedAt, finishedAt, result: JSON.stringify(summary) });
    if (actor.kind === 'system') return;
    const detail = { ...summary, ...(reason && { reason }) };
    record(db, { at: finishedAt, actor, what: 'signatures.checked', requestId: null, detail });
  });
}
