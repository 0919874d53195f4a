/**
 * Bulk check (rules 4): compares every request that waits for a signature, or may since its start was interrupted,
 * with the provider's list, a hundred per call, within its rate limits. What the list does not show is asked for one by one.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { isCurrentContract, listUnfinishedContracts } from '../../db/contracts/contracts.js';
import { listNewestContracts } from '../../db/contracts/lists.js';
import { findRequest, listRequestsInStatus } from '../../db/requests/requests.js';
import { findPlace, insertRun, setPlace } from '../../db/installation/runs.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { change, type Try } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { CallCut, isProviderError } from '../http/provider-error.js';
import { isHeld } from '../installation/hold.js';
import { mustBeOurAccount } from '../installation/identity.js';
import { isBeforeSending } from '../lifecycle.js';
import { getRequest } from '../requests/requests.js';
import { everyPage, everyById } from '../calls/listing.js';
import { Round, type RoundOptions } from '../calls/round.js';
import { ANSWERS, type SignatureClass } from './answers.js';
import { checkContract, told, type CheckResult } from './check-signature.js';
import type { SignatureAnswer } from './decide.js';
import { listedSignatures } from './listed-signatures.js';
import type { SignatureState } from './provider-answers.js';
import { saidBy } from '../http/refusal.js';
import { warnUnchecked } from './reconcile.js';
import {
  forgetUnknown,
  lookAgain,
  rememberUnknown,
  unknownAmong,
  type UnknownSignature,
} from './unknown-signatures.js';
import { resetSignature } from './reset-signature.js';
import { isSendingUnfinished } from './standing.js';

export interface CheckedContract extends Omit<CheckResult, 'key' | 'changed'> {
  key: string;
  requestId: number;
  contractId: number;
  class: SignatureClass;
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
  /** Why it was not a good one: it broke off, or some could not be asked. */
  trouble?: string;
  /** Not all were asked, or the list could not be read as far as needed; the next check goes on from there. */
  brokeOff?: true;
}

export interface BulkCheckOptions extends Try, RoundOptions {
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
}

/** Throws a ProviderError, with nothing changed, when the provider cannot be reached at all; on restored data also `other_account`. */
export async function checkAllSignatures(ctx: Context, options: BulkCheckOptions): Promise<BulkCheckResult> {
  const startedAt = iso(ctx.clock.now());
  const { dryRun = false } = options;
  // A takeover has compared before, and gives what it read.
  if (isHeld(ctx) && !dryRun && !options.listed) {
    const listed: SignatureState[] = [];
    const onListed = (state: SignatureState) => listed.push(state);
    const found = await checkAllSignatures(ctx, { ...options, dryRun: true, onListed });
    if (areAllGone(found)) await mustBeOurAccount(ctx.db, 'signature', listed, nameOfDocument);
  }
  const waiting = [...(await waitingContracts(ctx, options)), ...begunContracts(ctx)];
  const sent = waiting.filter((contract) => contract.signId && !isSendingUnfinished(contract));
  const round = new Round(options);
  const { states, others, error } = await readList(ctx, round, sent, options);
  const isListWhole = !round.hasBrokenOff;
  const stateOf = ({ signId }: ContractRow) => states.get(signId ?? '');

  const results: CheckedContract[] = [];
  const report = (result: CheckedContract) => {
    results.push(result);
    options.onProgress?.(results.length, waiting.length);
  };
  const each = (name: string, contracts: ContractRow[], max = Infinity) =>
    round.each(ctx, contracts, {
      keyOf: ({ id }) => id,
      nameOf: ({ requestId }) => `request ${requestId}`,
      act: async (contract) => report(await check(ctx, contract, options, stateOf(contract))),
      failed: (contract, failed) => report(failure(ctx, contract, failed)),
      name: dryRun ? undefined : name,
      max,
    });
  await each('listed', sent.filter(stateOf));
  // Made by hand in the provider's console, or gone; or the list broke off.
  const unlisted = [...sent.filter((contract) => !stateOf(contract)), ...waiting.filter(isSendingUnfinished)];
  await each('unlisted', unlisted, isListWhole ? Infinity : INSTEAD_OF_LIST_MAX);
  if (error !== undefined && results.every(isSilent)) throw error;

  const unknown = unknownAmong(ctx.db, others);
  const summary = summarise(results);
  if (!dryRun) {
    const gone = await lookAgain(ctx, round, others);
    await change(ctx, options, (tx) => {
      forgetUnknown(tx, gone);
      rememberUnknown(tx, unknown);
      const isGood = round.trouble === undefined && !round.isInterrupted;
      const run = { name: 'reconcile', startedAt, finishedAt: tx.now } as const;
      if (isGood) insertRun(tx.db, { ...run, result: JSON.stringify(summary) });
      if (tx.actor.kind !== 'system')
        tx.record('signatures.checked', null, { ...summary, reason: tx.reason });
    });
  }
  if (unknown.length > 0) ctx.log.warn({ unknown }, 'signatures of this installation are unknown here');
  const { trouble } = round;
  return {
    ...summary,
    results,
    ...(unknown.length > 0 && { unknown }),
    ...(trouble !== undefined && { trouble }),
    ...(round.hasBrokenOff && { brokeOff: true }),
  };
}

export function areAllGone({ results }: BulkCheckResult): boolean {
  return results.length > 0 && results.every(({ class: each }) => each === 'gone');
}

export const nameOfDocument = ({ externalId }: SignatureState) => externalId;

/** The place of the list in `roundPlaces`: the cursor of a page. */
const LIST = 'list';
/** At most this many are asked for one by one when the list breaks off: calls are counted there, and others need some. */
const INSTEAD_OF_LIST_MAX = 100;

/** What the list says of these contracts, by signId, and of others; and why it broke off. Keeps the place where it did. */
async function readList(
  ctx: Context,
  round: Round,
  sent: readonly ContractRow[],
  { listed, backTo = '', isWhole = false, isPatient, onListed, dryRun }: BulkCheckOptions,
) {
  const signIds = new Set(sent.map(({ signId }) => signId));
  const states = new Map<string, SignatureState>();
  const others: SignatureState[] = [];
  let isFarEnough = backTo === '';
  const isWanted = () => isWhole || !isFarEnough || states.size < sent.length;
  const from = isFarEnough && !listed ? findPlace(ctx.db, LIST) : undefined;
  let page: string | undefined;
  const onPage = (cursor: string | undefined) => void (page = cursor);
  let error: unknown;
  try {
    for await (const state of listed ?? listedSignatures(ctx, round, { isWanted, from, onPage })) {
      // The newest come first.
      if ((state.createdAt ?? backTo) < backTo) isFarEnough = true;
      onListed?.(state);
      if (signIds.has(state.signId)) states.set(state.signId, state);
      else others.push(state);
    }
  } catch (caught) {
    // Where there is no list, "not found" says nothing about contracts either.
    if (isPatient || caught instanceof CallCut || isProviderError(caught, 'not_found')) throw caught;
    error = caught;
    round.listBrokeOff(error);
  }
  // Where nothing was got is no place to begin at again.
  const place = (error !== undefined || round.isOver) && page !== from ? page : undefined;
  if (!dryRun) await ctx.writer.write((db) => setPlace(db, LIST, place));
  return { states, others, error };
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
    await turn();
    const ids = requests.map(({ id }) => id);
    found.push(...[...listNewestContracts(db, ids).values()].filter(isAsked));
  }
  return found;
}

/** Contracts whose start was interrupted: they may have been sent. */
function begunContracts({ db }: Context): ContractRow[] {
  const unfinished = everyById((part) => listUnfinishedContracts(db, part));
  return [...unfinished].filter((contract) => {
    const request = findRequest(db, { id: contract.requestId });
    return request && isBeforeSending(request) && isCurrentContract(db, contract);
  });
}

/**
 * An interrupted start or reset may have got through. If not, a reset continues, because its old contract is closed;
 * a start waits for somebody to repeat it.
 */
async function check(
  ctx: Context,
  contract: ContractRow,
  options: BulkCheckOptions,
  listed?: SignatureState,
): Promise<CheckedContract> {
  const { id: contractId, requestId } = contract;
  const found = await checkContract(ctx, contract, options, { listed });
  const request = getRequest(ctx, requestId);
  const { answer, effects } = found.decision;
  const about = { requestId, contractId, class: ANSWERS[answer].class };
  if (answer === 'not_sent' && !isBeforeSending(request))
    return { ...about, ...(await resume(ctx, requestId, options)) };
  const { changed = false, ...result } = told(found, request);
  const isNews = effects.some((effect) => effect.do === 'tell');
  return { ...about, ...result, type: isNoFailure(answer, isNews) ? 'info' : result.type, changed };
}

async function resume(
  ctx: Context,
  requestId: number,
  { actor, dryRun = false }: BulkCheckOptions,
): Promise<Omit<CheckedContract, 'requestId' | 'contractId' | 'class'>> {
  const isOngoing = { type: 'info', key: 'check_signature_info.ongoing', params: {} } as const;
  // The first bulk check after the takeover resumes it.
  if (isHeld(ctx)) return { ...isOngoing, changed: false };
  await resetSignature(ctx, requestId, { actor, dryRun, reason: 'an unfinished reset is resumed' });
  return { ...isOngoing, words: 'check_signature_caught_up', changed: true };
}

/**
 * No failure: a webhook or another check was faster. A late signature or a foreign document is a case for a person, so only the check that
 * first reports it fails; otherwise every check would until somebody decides.
 */
function isNoFailure(answer: SignatureAnswer, isNews: boolean): boolean {
  const { key } = ANSWERS[answer];
  const isCase = key === 'contract_expired' || key === 'foreign_signature';
  return key === 'not_waiting_signature' || (isCase && !isNews);
}

function failure(ctx: Context, contract: ContractRow, error: unknown): CheckedContract {
  const about = { requestId: contract.requestId, contractId: contract.id };
  const message = describeError(error);
  warnUnchecked(ctx, contract, error);
  const failed = { ...about, class: 'failed', type: 'error', changed: false } as const;
  if (!isProviderError(error)) return { ...failed, key: 'check_failed', params: { error: message } };
  const { words, params } = saidBy(error);
  return { ...failed, key: 'provider_unavailable', words, params: { ...params, error: message } };
}

const isSilent = ({ key }: CheckedContract) => key === 'provider_unavailable';

function summarise(results: CheckedContract[]): Pick<BulkCheckResult, 'checked' | 'changed' | 'failed'> {
  return {
    checked: results.length,
    changed: results.filter(({ changed }) => changed).length,
    failed: results.filter(({ type, key }) => type === 'error' && key !== 'signature_not_found').length,
  };
}
