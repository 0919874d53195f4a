/** Settles the case of a closed request (rules 2): a person has dealt with the signature or payment that came too late. */
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history/history.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { RequestRow } from '../../db/schema.js';
import { BLANK } from '../calls/input.js';
import { change, type By } from '../change.js';
import { command } from '../commands.js';
import type { Context } from '../context.js';
import { invalid, refused } from '../errors.js';
import { ofRequest } from '../history/history.js';
import { isBlank } from '../texts/plain.js';
import { closedCase } from './closed-case.js';
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
  mustHaveCase(ctx.db, request);
  if (dryRun) return request;
  return change(ctx, { actor, reason }, (tx) => {
    mustHaveCase(tx.db, request);
    tx.record('request.settled', ofRequest(requestId), { reason: tx.reason });
    return requireRequest(tx.db, { id: requestId });
  });
}

/** Something came after the request was canceled or complete, and nobody has decided about it. */
export function hasClosedCase(db: Db, { id: requestId }: RequestRow): boolean {
  return closedCase(listHistory(db, { requestId })) !== undefined;
}

function mustHaveCase(db: Db, request: RequestRow): void {
  if (hasClosedCase(db, request)) return;
  throw refused(
    'nothing_to_settle',
    'No signature or payment has come since this request was closed: there is nothing to settle.',
    ['`', command('explain', request.id), '` shows how it stands.'],
  );
}
