/**
 * Manual signature check (rules 4): a reconcile of the request's contract, and what its decision means for whoever asked.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { isHeld } from '../installation/hold.js';
import { mustBeOurAccount } from '../installation/identity.js';
import { isBeforeSending } from '../lifecycle.js';
import { isLocked, requestLock } from '../lock.js';
import { Round } from '../calls/round.js';
import { getRequest } from '../requests/requests.js';
import type { TextKey } from '../texts/index.js';
import type { SignatureEffect } from './decide.js';
import { ANSWERS, type CheckKey } from './answers.js';
import { listedSignatures } from './listed-signatures.js';
import { UNASKED } from './observe.js';
import { saidBy } from '../http/refusal.js';
import { reconcile, warnUnchecked, type Reconciled, type Trigger } from './reconcile.js';
import { rememberUnknown, unknownAmong } from './unknown-signatures.js';
import { isSendingUnfinished } from './standing.js';

export interface CheckResult {
  type: 'success' | 'info' | 'error';
  key: CheckKey;
  params: Record<string, string>;
  /** The text to show; by default that of the key. */
  words?: TextKey;
  /** Our records were changed; with `dryRun`: would be. */
  changed?: true;
}

/** Throws only for a request that does not exist, for restored data of another account, and for internal errors. */
export async function checkSignature(ctx: Context, requestId: number, options: Try): Promise<CheckResult> {
  const request = getRequest(ctx, requestId);
  const contract = findCurrentContract(ctx.db, { requestId: request.id });
  // An interrupted start may have sent it out.
  const isBegun = contract !== undefined && isBeforeSending(request) && isSendingUnfinished(contract);
  if (request.status !== 'WAITING_SIGNATURE' && !isBegun) return resultOf('not_waiting_signature');
  if (!contract) return resultOf('contract_not_found');
  if (!contract.signId && !isBegun) return resultOf('no_sign_id');
  try {
    if (isHeld(ctx) && !options.dryRun) await mustNotBeElsewhere(ctx, contract, options);
    const result = told(await checkContract(ctx, contract, options), request);
    const second = result.type === 'success' ? undefined : await findSecond(ctx, contract, options);
    await recordCheck(ctx, contract, second ?? result, options);
    return second ?? result;
  } catch (error) {
    if (!isProviderError(error)) throw error;
    warnUnchecked(ctx, contract, error);
    return { ...resultOf('provider_unavailable'), ...saidBy(error) };
  }
}

/** A contract of restored data is not ended because of an account that has never heard of this installation. */
async function mustNotBeElsewhere(ctx: Context, contract: ContractRow, by: Try): Promise<void> {
  const { decision } = await checkContract(ctx, contract, { ...by, dryRun: true });
  if (decision.answer !== 'not_found') return;
  const listed = listedSignatures(ctx, new Round(), { isWanted: () => true });
  await mustBeOurAccount(ctx.db, 'signature', listed, ({ externalId }) => externalId);
}

/** The customer may sign, or have signed, a second document under the contract's name: a person decides about it. */
async function findSecond(
  ctx: Context,
  { externalId }: ContractRow,
  { actor, dryRun }: Try,
): Promise<CheckResult | undefined> {
  const unknown = unknownAmong(ctx.db, await ctx.provider.findByExternalId(externalId));
  const second = unknown.find(({ status }) => status === 'done') ?? unknown[0];
  if (!second) return undefined;
  if (!dryRun) await change(ctx, { actor }, (tx) => rememberUnknown(tx, unknown));
  const { signId, status } = second;
  return resultOf('second_document', { sign: signId, status });
}

/** Changes record the actor anyway; a check from the command line, or with a reason, is recorded even without changes. */
async function recordCheck(
  ctx: Context,
  contract: ContractRow,
  { key, params, words = key }: CheckResult,
  { actor, reason, dryRun }: Try,
): Promise<void> {
  if (dryRun || (actor.kind !== 'cli' && !reason)) return;
  await change(ctx, { actor, reason }, (tx) =>
    tx.record('signature.checked', ofContract(contract), { answer: words, ...params, reason: tx.reason }),
  );
}

/** Throws a ProviderError, with nothing changed. */
export async function checkContract(
  ctx: Context,
  { id, requestId }: ContractRow,
  { actor, dryRun }: Try,
  trigger: Trigger = {},
): Promise<Reconciled> {
  // Another call is working on the start, and will settle it.
  const isBegun = isBeforeSending(getRequest(ctx, requestId));
  if (isBegun && isLocked(ctx, ctx.db, requestLock(requestId))) return NOTHING;
  return reconcile(ctx, id, { ...trigger, actor, dryRun });
}

const NOTHING: Reconciled = {
  contract: undefined,
  decision: { answer: 'not_waiting', effects: [] },
  seen: UNASKED,
  isPayable: true,
};

/** What changes the record of the contract itself. */
const CHANGES: readonly SignatureEffect['do'][] = ['sign', 'end', 'record_sent'];

/** What it means for whoever asked. */
export function told(found: Reconciled, request: RequestRow): CheckResult {
  const isChanged = found.decision.effects.some((effect) => CHANGES.includes(effect.do));
  return { ...inWords(found, request), ...(isChanged && { changed: true }) };
}

function inWords({ decision, seen, isPayable }: Reconciled, request: RequestRow): CheckResult {
  const { answer, effects } = decision;
  const status = seen.state?.status ?? answer;
  const isUnsent = isBeforeSending(request);
  if (!isPayable) return resultOf('payment_creation_failed');
  if (answer === 'not_sent' && !isUnsent)
    return status === 'draft' ? resultOf('check_signature_info.status', { status }) : resultOf('no_sign_id');
  const { key, unsentWords, hasStatus, words = isUnsent ? unsentWords : undefined } = ANSWERS[answer];
  const isCaughtUp = answer === 'ongoing' && effects.some((effect) => effect.do === 'record_sent');
  const said = isCaughtUp ? 'check_signature_caught_up' : words;
  return { ...resultOf(key, hasStatus ? { status } : {}), ...(said && { words: said }) };
}

function resultOf(key: CheckKey, params: Record<string, string> = {}): CheckResult {
  const isInfo = key.startsWith('check_signature_info');
  return { type: key === 'check_signature_success' ? 'success' : isInfo ? 'info' : 'error', key, params };
}
