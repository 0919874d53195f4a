/** What can happen to a Checkout Session, and the events that tell about it. */
import type { World } from '../world.js';
import { sessionView, type Charged, type PaymentSession } from './session.js';

const API_VERSION = '2026-10-28.endive';

export type PayOptions = {
  /** The money comes later: the session completes unpaid, and `settlePayment` decides. */
  async?: boolean | undefined;
  /** By default the price. */
  charged?: Charged | undefined;
};

export type Outcome = 'succeeded' | 'failed';

/** Undefined when there is no such session. Expires one whose time has passed. */
export function findSession(world: World, id: string): PaymentSession | undefined {
  const session = world.sessions.get(id);
  if (session) sweep(world, session);
  return session;
}

/** Newest first, as the provider lists them. */
export function listSessions(world: World): PaymentSession[] {
  const sessions = [...world.sessions.values()].toReversed();
  for (const session of sessions) sweep(world, session);
  return sessions;
}

/** False, with nothing changed, when the session is no longer open. */
export function pay(world: World, session: PaymentSession, options: PayOptions = {}): boolean {
  sweep(world, session);
  if (session.status !== 'open') return false;
  session.status = 'complete';
  session.payment_intent = `pi_${world.ids.token(24)}`;
  session.charged = options.charged ?? null;
  if (!options.async) session.payment_status = 'paid';
  publish(world, session, 'checkout.session.completed');
  return true;
}

/** Decides an `async` payment; false when there is none to decide. */
export function settlePayment(world: World, session: PaymentSession, outcome: Outcome): boolean {
  if (session.status !== 'complete' || session.payment_status === 'paid') return false;
  if (outcome === 'succeeded') session.payment_status = 'paid';
  publish(world, session, `checkout.session.async_payment_${outcome}`);
  return true;
}

/** False, with nothing changed, when the session is no longer open. */
export function expireSession(world: World, session: PaymentSession): boolean {
  if (session.status !== 'open') return false;
  session.status = 'expired';
  publish(world, session, 'checkout.session.expired');
  return true;
}

function sweep(world: World, session: PaymentSession): void {
  if (session.expires_at * 1000 <= world.now()) expireSession(world, session);
}

function publish(world: World, session: PaymentSession, type: string): void {
  const eventId = `evt_${world.ids.token(24)}`;
  const isThin = world.faults.take('payment_webhook', type, ['thin']) !== undefined;
  const body = JSON.stringify({
    id: eventId,
    livemode: false,
    ...(isThin ? thin(world, session, type) : snapshot(world, session, type)),
  });
  // Every endpoint gets the same event.
  world.webhooks.send({ side: 'payment', event: type, eventId, subjectId: session.id, body: () => body });
}

function snapshot(world: World, session: PaymentSession, type: string) {
  return {
    object: 'event',
    api_version: API_VERSION,
    created: Math.floor(world.now() / 1000),
    data: { object: sessionView(world, session) },
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

/** What an endpoint gets that was set up for thin payloads: it has to fetch the session. */
function thin(world: World, { id }: PaymentSession, type: string) {
  return {
    object: 'v2.core.event',
    created: new Date(world.now()).toISOString(),
    context: null,
    reason: null,
    related_object: { id, type: 'checkout.session', url: `/v1/checkout/sessions/${id}` },
    type: `v1.${type}`,
  };
}
