/** Webhook deliveries as the providers make them. */
import { createHmac, randomUUID } from 'node:crypto';
import { receivePaymentWebhook } from '../../src/core/payment/receive-payment-webhook.js';
import { receiveWebhook } from '../../src/core/signature/receive-webhook.js';
import { PAYMENT_WEBHOOK_SECRET, WEBHOOK_SECRET, type TestApp } from './app.js';

export function sign(body: string | Buffer, secret = WEBHOOK_SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export interface EventChanges {
  name?: string;
  eventId?: string | null;
  /** Epoch seconds; null leaves it out. */
  time?: string | null;
  signature?: Record<string, unknown>;
}

export function eventBody(
  app: TestApp,
  signId: string,
  { name = 'signature_request.done', eventId, time, signature }: EventChanges = {},
): string {
  const seconds = String(Math.floor(app.ctx.clock.now().getTime() / 1000));
  return JSON.stringify({
    ...(eventId !== null && { event_id: eventId ?? randomUUID() }),
    event_name: name,
    ...(time !== null && { event_time: time ?? seconds }),
    data: { signature_request: { id: signId, status: 'done', ...signature } },
  });
}

/** A genuine delivery handed to the use-case; when it returns, the work that it began has ended, whatever the answer. */
export async function deliver(app: TestApp, signId: string, changes: EventChanges = {}): Promise<number> {
  const body = Buffer.from(eventBody(app, signId, changes));
  const answer = await receiveWebhook(app.ctx, {
    rawBody: body,
    signature: sign(body),
    address: '192.0.2.7',
  });
  // On a busy machine the answer comes before the end.
  await app.ctx.jobs.idle();
  return answer.status;
}

export async function deliverRaw(
  app: TestApp,
  rawBody: Buffer | string,
  signature: string | undefined,
): Promise<number> {
  const answer = await receiveWebhook(app.ctx, {
    rawBody: Buffer.from(rawBody),
    signature,
    address: '192.0.2.7',
  });
  return answer.status;
}

export function stripeSignature(app: TestApp, body: string, secret = PAYMENT_WEBHOOK_SECRET): string {
  const t = Math.floor(app.ctx.clock.now().getTime() / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

export interface PaymentChanges {
  eventId?: string;
  type?: string;
  paymentStatus?: string;
  /** Epoch seconds of the event. */
  created?: number;
  object?: Record<string, unknown>;
}

/** The customer signs, the webhook for the signature arrives, and the payment job uses up all its tries. */
export async function signWithAllTries(app: TestApp, signId: string): Promise<void> {
  app.sandbox.sign(signId);
  await deliver(app, signId);
  for (const seconds of [0, 1, 2, 4]) {
    app.clock.advance(seconds * 1000);
    await app.drain();
  }
}

/** A session is made, but every answer is lost, and the list does not show it in time: the payment job fails, and nobody has the link. */
export async function loseAllAnswers(app: TestApp, signId: string): Promise<void> {
  const { payment } = app.ctx;
  const list = payment.listSessions.bind(payment);
  payment.listSessions = () => Promise.resolve([]);
  app.sandbox.faults.add('payment.create:answer_lost:4');
  await signWithAllTries(app, signId);
  payment.listSessions = list;
}

export async function deliverPayment(
  app: TestApp,
  paymentId: string,
  {
    eventId,
    type = 'checkout.session.completed',
    paymentStatus = 'paid',
    created,
    object,
  }: PaymentChanges = {},
): Promise<number> {
  // The whole session, as the provider holds it; one it does not hold is as bare as the test makes it.
  const {
    price,
    idempotency_key: _,
    ...session
  } = app.sandbox.state().sessions.find(({ id }) => id === paymentId) ?? NO_SESSION;
  const total = price && { amount_total: price.amount, currency: price.currency };
  const body = JSON.stringify({
    id: eventId ?? `evt_${randomUUID()}`,
    object: 'event',
    type,
    ...(created && { created }),
    data: {
      object: {
        ...total,
        ...said(session),
        id: paymentId,
        payment_status: paymentStatus,
        ...said(object),
      },
    },
  });
  const signature = stripeSignature(app, body);
  const answer = await receivePaymentWebhook(app.ctx, {
    rawBody: Buffer.from(body),
    signature,
    address: '192.0.2.8',
  });
  return answer.status;
}

type Session = ReturnType<TestApp['sandbox']['state']>['sessions'][number];
const NO_SESSION: Partial<Session> = { object: 'checkout.session' };

/** Without what was not known yet when a session was looked at. */
function said(object: object = {}): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** Reports a payment of the request's contract with another amount and currency: a case for a person. */
export function deliverOtherAmount(app: TestApp, requestId: number, paymentId = 'cs_other'): Promise<number> {
  const { externalId: client_reference_id } = app.contract(requestId);
  return deliverPayment(app, paymentId, {
    object: { client_reference_id, amount_total: 9900, currency: 'usd' },
  });
}

/** Makes a session with customer and price of the first one, and with its name or another. */
export async function aSessionLike(app: TestApp, name?: string, amount?: number): Promise<void> {
  const [made] = app.sandbox.state().sessions;
  const answer = await fetch(`${app.sandbox.paymentUrl}/v1/checkout/sessions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-payment-key' },
    body: new URLSearchParams({
      mode: 'payment',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': made?.price.currency as string,
      'line_items[0][price_data][unit_amount]': String(amount ?? made?.price.amount),
      'line_items[0][price_data][product_data][name]': 'The same',
      success_url: 'https://example.org/paid',
      customer_email: made?.customer_email as string,
      client_reference_id: name ?? (made?.client_reference_id as string),
    }),
  });
  if (answer.status !== 200) throw new Error(`no session was made: ${answer.status}`);
}
