/** The payment-session job (rules 5): the page on which the contract is paid, one even after lost answers. */
import { JOB } from '../actor.js';
import type { Db } from '../../db/db.js';
import type { Context } from '../context.js';
import type { JobResult } from '../jobs/kind.js';
import { decidePayment, type PaymentStanding } from './decide.js';
import { factsOf, ourPayments, paymentStanding } from './our-payments.js';
import type { PaymentJob } from './payment-job.js';
import { reconcilePayment } from './reconcile.js';

/** The handler: makes the page, or finds nothing to do. Throws a ProviderError; the job is retried. */
export async function createPaymentSession(
  ctx: Context,
  { payload: { requestId, closesOnly }, replays }: PaymentJob,
): Promise<JobResult> {
  const { effects, silences } = await reconcilePayment(ctx, requestId, {
    actor: JOB,
    wants: closesOnly ? null : 'page',
    replays,
  });
  const [silence] = silences;
  if (silence && isClosingOwed(ctx.db, requestId)) throw silence.error;
  const isMade = effects.some((each) => each.do === 'make');
  return {
    settle(tx) {
      const standing = paymentStanding(tx.db, requestId);
      // Somebody has decided meanwhile, or a page has ended: the next attempt makes one.
      if (standing === 'no_page' && !closesOnly) throw new Error('the customer has to pay after all');
      return isMade && standing === 'payable' ? 'created' : OUTCOMES[standing];
    },
  };
}

/** By our rows, a page is open that nobody shall pay on. */
function isClosingOwed(db: Db, requestId: number): boolean {
  const { effects } = decidePayment(factsOf(db, ourPayments(db, requestId), new Map()));
  return effects.some((each) => each.do === 'close');
}

const OUTCOMES: Readonly<Record<PaymentStanding, string>> = {
  not_due: 'not_waiting_payment',
  paid: 'paid',
  case: 'in_review',
  on_its_way: 'exists',
  payable: 'exists',
  no_page: 'nothing_to_close',
};
