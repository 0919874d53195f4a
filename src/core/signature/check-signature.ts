/**
 * Manual signature check (rules 4): a reconcile of the request's contract, and what its decision means for whoever asked.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { ContractRow, RequestRow } from '../../db/schema.js';
import { change, type By } from '../change.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { isBeforeSending } from '../lifecycle.js';
import { isLocked, requestLock } from '../lock.js';
import { getRequest } from '../requests/requests.js';
import type { TextKey } from '../texts/index.js';
import type { SignatureEffect } from './decide.js';
import { UNASKED } from './observe.js';
import { saidBy } from './provider-says.js';
import { reconcile, type Reconciled, type Trigger } from './reconcile.js';
import { rememberUnknown, unknownAmong } from './unknown-signatures.js';
import { isStartUnderWay } from './sent.js';

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
    const result = told(await checkContract(ctx, contract, options), request);
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

/** Throws a ProviderError, with nothing changed. */
export async function checkContract(
  ctx: Context,
  { id, requestId }: ContractRow,
  { actor, dryRun }: CheckOptions,
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
  switch (answer) {
    case 'signed':
      return isPayable ? SUCCESS : problem('payment_creation_failed');
    case 'repeat':
    case 'not_waiting':
    case 'unavailable':
    case 'unconfirmed':
      return problem('not_waiting_signature');
    case 'not_sent':
      if (isBeforeSending(request))
        return { ...problem('not_waiting_signature'), words: 'check_signature_not_sent' };
      return seen.state ? info('check_signature_info.status', { status }) : problem('no_sign_id');
    case 'not_found':
      return problem('signature_not_found');
    case 'foreign':
      return problem('foreign_signature');
    case 'late':
      return { ...problem('contract_expired'), words: 'check_signature_late' };
    case 'ongoing_but_closed':
      return problem('contract_expired', { status });
    case 'ongoing': {
      const isCaughtUp = effects.some((effect) => effect.do === 'record_sent');
      return {
        ...info('check_signature_info.ongoing'),
        ...(isCaughtUp && { words: 'check_signature_caught_up' }),
      };
    }
    case 'expired':
      return {
        ...info('check_signature_info.expired'),
        ...(isBeforeSending(request) && { words: 'check_signature_start_expired' }),
      };
    case 'signer_error':
      return {
        ...info('check_signature_info.status', { status }),
        words: 'check_signature_signer_error',
      };
    case 'other':
    case 'declined':
    case 'canceled':
    case 'rejected':
    case 'deleted':
      return info('check_signature_info.status', { status });
  }
}

const SUCCESS: CheckResult = { type: 'success', key: 'check_signature_success', params: {} };

function problem(key: CheckKey, params: Record<string, string> = {}): CheckResult {
  return { type: 'error', key, params };
}

function info(key: CheckKey, params: Record<string, string> = {}): CheckResult {
  return { type: 'info', key, params };
}
