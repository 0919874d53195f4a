/**
 * Takes over (rules 14): brings a held installation into line with the providers, by the routines of webhooks and checks, and
 * lets go. Until its last transaction it is held; whatever cut it short, the next one comes to the same end.
 */
import { deleteHold } from '../../db/installation/installation.js';
import { change, type By } from '../change.js';
import type { Context } from '../context.js';
import { isHeld } from '../installation/hold.js';
import { JOBS_TOPIC } from '../jobs/queue.js';
import { reconcilePayment } from '../payment/reconcile.js';
import { checkAllSignatures } from '../signature/check-all-signatures.js';
import { askPayments, mustBeAnswered, NO_ANSWER, referenceOf, type Leaving, newsAmong } from './answered.js';
import type { Takeover } from './survey.js';

export interface TakenOver {
  /** Requests whose signature was brought up to date, and whose payment. */
  signatures: number;
  payments: number;
  /** Documents and payments of this installation that this data does not have. */
  lost: number;
  /** Contracts that could not be checked, those that were left among them; the bulk check tries again. */
  failed: { requestId: number; error: string }[];
}

/** Throws `provider_unavailable` or `payment_unavailable`: what was done stays, and the installation is still held. */
export async function takeOver(
  ctx: Context,
  { plan, states, sessions, unlisted }: Takeover,
  { leave = false, ...by }: By & Leaving,
): Promise<TakenOver> {
  const checked = await checkAllSignatures(ctx, { ...by, listed: states, isPatient: true });
  mustBeAnswered(ctx.db, checked, { leave });
  let payments = 0;
  for (const news of newsAmong(ctx.db, sessions)) {
    await reconcilePayment(ctx, news.requestId, { ...by, answers: news.answers });
    payments += news.sessions.length;
  }
  const about = unlisted.map((requestId) => ({ requestId }));
  const silent = await askPayments(ctx, about, { ...by, leave }, (_, { changed }) => {
    if (changed) payments += 1;
  });
  const { madeAt, since } = plan.hold;
  const failed = [
    ...checked.results
      .filter(({ key }) => key === 'check_failed' || key === 'provider_unavailable')
      .map(({ requestId, params }) => ({ requestId, error: String(params['error']) })),
    ...silent.map((requestId) => ({ requestId, error: NO_ANSWER })),
  ];
  const left = [...new Set(failed.map(({ requestId }) => referenceOf(ctx.db, requestId)))];
  const done = {
    signatures: checked.changed,
    payments,
    lost: plan.lostSignatures.length + plan.lostPayments.length,
  };
  await change(ctx, by, (tx) => {
    // Somebody else's takeover may have ended it meanwhile, and has said so.
    if (!isHeld(tx)) return;
    deleteHold(tx.db);
    tx.record('data.taken_over', null, { madeAt, restoredAt: since, ...done, left, reason: tx.reason });
    tx.db.announce(JOBS_TOPIC);
  });
  return { ...done, failed };
}
