/** Settles a request's case (rules 2): a person has dealt with the signature or payment that does not count. */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history/history.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { RequestRow } from '../../db/schema.js';
import { BLANK } from '../calls/input.js';
import { change, type By, type Change } from '../change.js';
import { command } from '../commands.js';
import type { Context } from '../context.js';
import { invalid, refused, type AppError } from '../errors.js';
import { ofRequest } from '../history/history.js';
import { isBlank } from '../texts/plain.js';
import { openCases } from './open-cases.js';
import { getRequest } from './requests.js';

export interface SettleOptions extends By {
  /** What became of it; never blank. */
  reason: string;
  /** Only check the rules. */
  dryRun?: boolean;
}

/**
 * Returns the request, whose status stays. Throws `invalid` without a reason. Refuses with `nothing_to_settle` when nothing
 * waits for a decision, also the second of two calls.
 */
export async function settleRequest(
  ctx: Context,
  requestId: number,
  { reason, dryRun = false, actor }: SettleOptions,
): Promise<RequestRow> {
  const request = getRequest(ctx, requestId);
  if (isBlank(reason)) throw invalid({ reason: BLANK });
  if (!hasOpenCase(ctx.db, request)) throw nothingToSettle(request);
  if (dryRun) return request;
  return change(ctx, { actor, reason }, (tx) => {
    const fresh = requireRequest(tx.db, { id: requestId });
    if (!settle(tx, fresh)) throw nothingToSettle(fresh);
    return fresh;
  });
}

/** False when nothing waits for a decision. */
export function settle(tx: Change, request: RequestRow): boolean {
  const isOpen = hasOpenCase(tx.db, request);
  if (isOpen) tx.record('request.settled', ofRequest(request.id), { reason: tx.reason });
  return isOpen;
}

/** A signature or payment that does not count is waiting for somebody to settle it. */
export function hasOpenCase(db: Db, request: RequestRow): boolean {
  const about = { requestId: request.id };
  const contract = findCurrentContract(db, about);
  return openCases({ request, contract, history: listHistory(db, about) }).length > 0;
}

function nothingToSettle({ id }: RequestRow): AppError {
  return refused(
    'nothing_to_settle',
    'There is nothing to settle. If the request is waiting for its payment, complete it or renew its payment link to decide about a payment that does not count.',
    ['`', command('explain', id), '` shows how it stands.'],
  );
}
