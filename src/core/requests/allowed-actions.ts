/** The actions a request allows now, by the use-cases' own moves, so that no button leads to a certain refusal. */
import type { RequestRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import type { PaymentStanding } from '../payment/decide.js';
import { ourPayments, shownPayment, standingOfPayments, type OurPayments } from '../payment/our-payments.js';
import { findSignedSecond } from '../signature/unknown-signatures.js';
import { standingOf, type SignatureStanding } from '../signature/standing.js';
import { hasOpenCase } from './settle-request.js';

/** In the order of a request's life. */
export const REQUEST_ACTIONS = [
  'start-signature',
  'check-signature',
  'accept-late',
  'reset-signature',
  'check-payment',
  'renew-payment',
  'give-up-payment',
  'complete',
  'remind',
  'cancel',
  'reopen',
  'settle',
] as const;

export type RequestAction = (typeof REQUEST_ACTIONS)[number];

export function allowedActions(ctx: Context, request: RequestRow): RequestAction[] {
  const ours = { ...ourPayments(ctx.db, request.id), request };
  const allowed = new Set<RequestAction>(byStatus(ctx, ours));
  // A signature or payment that does not count waits for a decision.
  if (hasOpenCase(ctx.db, ours)) allowed.add('settle');
  return REQUEST_ACTIONS.filter((action) => allowed.has(action));
}

function byStatus(ctx: Context, ours: OurPayments): readonly RequestAction[] {
  const { request } = ours;
  switch (request.status) {
    case 'new':
    case 'in_progress':
      return ['start-signature', 'cancel', ...afterLostAnswer(ctx, ours)];
    case 'WAITING_SIGNATURE':
      return ['check-signature', 'reset-signature', 'cancel', ...ofSignature(ctx, ours)];
    case 'WAITING_PAYMENT':
      return ofPayment(ctx, ours);
    case 'COMPLETE':
      return [];
    case 'CANCELED':
      // Nobody is left to sign after erasure.
      return requireUser(ctx.db, { id: request.ownerId }).erasedAt === null ? ['reopen'] : [];
  }
}

function signatureStanding({ clock }: Context, { request, contract }: OurPayments): SignatureStanding {
  return standingOf(request, contract, iso(clock.now()));
}

/** A check also settles a contract that may have been sent. */
function afterLostAnswer(ctx: Context, ours: OurPayments): RequestAction[] {
  return signatureStanding(ctx, ours) === 'asked' ? ['check-signature'] : [];
}

/** Only a signature that came late, or on a second document, is accepted; only a contract that can be signed is reminded of. */
function ofSignature(ctx: Context, ours: OurPayments): RequestAction[] {
  const standing = signatureStanding(ctx, ours);
  const isLate = standing === 'late' || findSignedSecond(ctx.db, ours.request.id) !== undefined;
  return [
    ...(isLate ? (['accept-late'] as const) : []),
    ...(standing === 'open' ? (['remind'] as const) : []),
  ];
}

const WHILE: Readonly<Record<PaymentStanding, readonly RequestAction[]>> = {
  not_due: [],
  paid: [],
  case: ['check-payment', 'renew-payment', 'complete', 'cancel'],
  on_its_way: ['check-payment', 'give-up-payment'],
  payable: ['check-payment', 'complete', 'cancel', 'remind'],
  no_page: ['check-payment', 'renew-payment', 'complete', 'cancel', 'remind'],
};

function ofPayment({ clock }: Context, ours: OurPayments): RequestAction[] {
  const standing = standingOfPayments(ours);
  const endsAt = shownPayment(ours)?.expiresAt ?? null;
  // A page past its time can be renewed, as the check will find.
  const isPast = standing === 'payable' && endsAt !== null && endsAt <= iso(clock.now());
  return WHILE[isPast ? 'no_page' : standing].filter((action) => {
    if (action === 'check-payment') return ours.payments.length > 0;
    return action !== 'remind' || ours.request.payToken !== null;
  });
}
