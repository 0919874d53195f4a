/** How a request stands, and the acts that are open then: no button leads to a certain refusal. */
import type { RequestRow } from '../../db/schema.js';
import { findRenewal } from '../../db/requests/requests.js';
import { requireUser } from '../../db/users/users.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { ourPayments, shownPayment, standingOfPayments, type OurPayments } from '../payment/our-payments.js';
import { standingOf } from '../signature/standing.js';
import { findSignedSecond } from '../signature/unknown-signatures.js';
import { ACTS, type Act, type RequestStanding } from './acts.js';
import { isRenewable, isTermOver } from './renew-request.js';
import { openCase } from './settle-request.js';

export function openActs(ctx: Context, request: RequestRow): Act[] {
  const standing = requestStanding(ctx, ourPayments(ctx.db, request.id));
  return ACTS.filter((act) => act.isOpen(standing));
}

export function requestStanding({ db, clock }: Context, ours: OurPayments): RequestStanding {
  const { request } = ours;
  const now = iso(clock.now());
  const signature = standingOf(request, ours.contract, now);
  const toDecide = openCase(db, ours);
  const isOnSecond = request.status === 'WAITING_SIGNATURE' && findSignedSecond(db, request.id) !== undefined;
  return {
    status: request.status,
    signature,
    payment: paymentNow(ours, now),
    isLate: signature === 'late' || isOnSecond,
    isOnSecond,
    hasPayments: ours.payments.length > 0,
    hasPayLink: request.payToken !== null,
    case: toDecide,
    isRenewable:
      isRenewable(request, ours.contract) &&
      (toDecide.term || isTermOver(ours.contract)) &&
      !findRenewal(db, { renewsId: request.id }),
    isErased: requireUser(db, { id: request.ownerId }).erasedAt !== null,
  };
}

function paymentNow(ours: OurPayments, now: string): RequestStanding['payment'] {
  const standing = standingOfPayments(ours);
  const endsAt = shownPayment(ours)?.expiresAt ?? null;
  return standing === 'payable' && endsAt !== null && endsAt <= now ? 'no_page' : standing;
}
