/**
 * Where the lasting link to pay leads (rules 2): the provider is asked first, so that nobody is sent to a page that is
 * over, or to one that is paid. A page that is over is replaced.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { findJobByKey } from '../../db/jobs/jobs.js';
import { findRequestByPayToken } from '../../db/requests/requests.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { CUSTOMER } from '../actor.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { isAppError } from '../errors.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { isHeld } from '../installation/hold.js';
import { dropJob } from '../jobs/queue.js';
import { busyWith, requestLock, withLock } from '../lock.js';
import { askAboutPayment } from './check-payment.js';
import { ourPayments, paymentStanding, shownPayment, standingOfPayments } from './our-payments.js';
import { isPayToken } from './pay-link.js';
import { paymentJob, paymentJobKey } from './payment-job.js';
import { reconcilePayment } from './reconcile.js';

export type PayPlace =
  | { place: 'payment_page'; url: string }
  /** in_review: money has come that a person must look at first; asked again, the customer might pay twice. */
  | { place: 'unknown' | 'paid' | 'pending' | 'in_review' }
  /** Another process is working on it: again in a moment. */
  | { place: 'busy' | 'unavailable' };

export async function followPayLink(ctx: Context, token: string): Promise<PayPlace> {
  const known = placeOf(ctx, token);
  if ('place' in known) return known;
  try {
    return await leadOn(ctx, known.contract);
  } catch (error) {
    if (isProviderError(error)) return { place: 'unavailable' };
    if (isAppError(error, 'in_progress')) return { place: 'busy' };
    throw error;
  }
}

async function leadOn(ctx: Context, contract: ContractRow): Promise<PayPlace> {
  const { requestId } = contract;
  const by = { actor: CUSTOMER };
  if (paymentStanding(ctx.db, requestId) !== 'case') {
    const { standing } = await askAboutPayment(ctx, requestId, by);
    if (standing === 'no_page') await makePage(ctx, contract);
  }
  // What has come while the provider was asked decides.
  const ours = ourPayments(ctx.db, requestId);
  switch (standingOfPayments(ours)) {
    case 'payable':
      return toPage(shownPayment(ours)?.paymentUrl ?? '');
    case 'case':
      return { place: 'in_review' };
    case 'on_its_way':
      return { place: 'pending' };
    case 'paid':
      return { place: 'paid' };
    case 'not_due':
      return { place: 'unknown' };
    case 'no_page':
      return { place: 'unavailable' };
  }
}

/** Unless the installation is held. The customer stands before it, and needs no mail. If it cannot be made now, the job makes it, and its mail brings the customer back. */
async function makePage(ctx: Context, contract: ContractRow): Promise<void> {
  if (isHeld(ctx)) return;
  const { id: contractId, requestId } = contract;
  const about = ofContract(contract);
  const uniqueKey = paymentJobKey(contractId);
  if (findJobByKey(ctx.db, { uniqueKey })?.state === 'running')
    throw busyWith('The payment page is being made.');
  await withLock(ctx, requestLock(requestId), async (ctx) => {
    try {
      await reconcilePayment(ctx, requestId, { actor: CUSTOMER, wants: 'page', isQuiet: true });
      if (findJobByKey(ctx.db, { uniqueKey }))
        await change(ctx, { actor: CUSTOMER }, (tx) => dropJob(tx, uniqueKey, about));
    } catch (error) {
      await change(ctx, { actor: CUSTOMER }, (tx) =>
        tx.enqueueAgain(paymentJob, { requestId, contractId }, about),
      );
      throw error;
    }
  });
}

/** What is known without asking the provider: the contract to pay, or where the link leads anyway. */
export function placeOf({ db }: Context, token: string): PayPlace | { contract: ContractRow } {
  const request = requestOfLink(db, token);
  if (request?.status === 'COMPLETE') return { place: 'paid' };
  const contract =
    request?.status === 'WAITING_PAYMENT' ? findCurrentContract(db, { requestId: request.id }) : undefined;
  return contract ? { contract } : { place: 'unknown' };
}

/** Whose link it is; undefined: there is no such link. */
export function customerOfLink({ db }: Context, token: string): UserRow | undefined {
  const request = requestOfLink(db, token);
  return request && requireUser(db, { id: request.ownerId });
}

function requestOfLink(db: Db, token: string): RequestRow | undefined {
  return isPayToken(token) ? findRequestByPayToken(db, { payToken: token }) : undefined;
}

function toPage(url: string): PayPlace {
  return /^https?:\/\//.test(url) ? { place: 'payment_page', url } : { place: 'unavailable' };
}
