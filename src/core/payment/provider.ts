/** The payment provider (spec 4.8): Stripe-compatible Checkout Sessions. Every session carries an idempotency key. */
import { z } from 'zod';
import { HttpClient, type HttpClientOptions } from '../http/client.js';
import { provedNotFound } from '../http/provider-error.js';

export interface NewSession {
  /** Names our contract in every event and list of the account. */
  clientReference: string;
  requestId: number;
  contractId: number;
  reference: string;
  /** What the customer reads on the payment page. */
  productName: string;
  /** In minor units. */
  amount: number;
  currency: string;
  customerEmail: string;
  locale: 'en' | 'fr';
  successUrl: string;
}

export interface PaymentSession {
  paymentId: string;
  /** Null once the session is no longer open. */
  paymentUrl: string | null;
  status: string | null;
  paymentStatus: string | null;
  expiresAt: string | null;
}

const sessionSchema = z.object({
  id: z.string().min(1),
  url: z.string().nullish(),
  status: z.string().nullish(),
  payment_status: z.string().nullish(),
  expires_at: z.number().nullish(),
});

/** `{error: {type, code}}`; without a code it may be the address that is not known. */
const ownError = z
  .object({ error: z.object({ type: z.string().min(1), code: z.string().nullish() }) })
  .transform(({ error }) => ({ type: error.code ?? error.type }));

/** A session with what proves whose it is (our-session.ts). */
const listedSchema = sessionSchema.extend({
  created: z.number().nullish(),
  client_reference_id: z.string().nullish(),
  customer_email: z.string().nullish(),
  amount_total: z.number().nullish(),
  currency: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

export interface ListedSession {
  session: PaymentSession;
  facts: z.infer<typeof listedSchema>;
}

const listSchema = z.object({ data: z.array(sessionSchema) });
const pageSchema = z.object({ data: z.array(listedSchema), has_more: z.boolean() });

const SESSIONS = '/v1/checkout/sessions';

export type PaymentProviderOptions = Omit<HttpClientOptions, 'name' | 'ownError'>;

export class PaymentProvider {
  readonly #http: HttpClient;

  constructor(options: PaymentProviderOptions) {
    this.#http = new HttpClient({ name: 'payment provider', ownError, ...options });
  }

  /**
   * Makes a session, or returns the one that the same key has made. Not repeated in here: the waits between tries are
   * the job's (spec 4.8). Everything sent depends on the contract alone, because a key is bound to its first content.
   */
  async createSession(session: NewSession, idempotencyKey: string): Promise<PaymentSession> {
    const { body } = await this.#http.json(
      {
        method: 'POST',
        path: SESSIONS,
        body: String(sessionForm(session)),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': idempotencyKey,
        },
        isSafeToRepeat: false,
      },
      sessionSchema,
    );
    return toSession(body);
  }

  /** Throws a ProviderError: not_found only when the provider itself says that there is no such session. */
  async getSession(paymentId: string): Promise<PaymentSession> {
    const its = sessionSchema.extend({ id: z.literal(paymentId) });
    const call = this.#http.json({ method: 'GET', path: sessionPath(paymentId), isSafeToRepeat: true }, its);
    const { body } = await provedNotFound(call, /^resource_missing$/, () => this.probe());
    return toSession(body);
  }

  /** Asks for one session; throws a ProviderError. */
  async probe(): Promise<void> {
    const path = SESSIONS;
    await this.#http.json({ method: 'GET', path, query: { limit: '1' }, isSafeToRepeat: true }, listSchema);
  }

  /** All sessions made for this address since then, the newest first. Throws a ProviderError. */
  async listSessions({ email, since }: { email: string; since: Date }): Promise<ListedSession[]> {
    const listed = new Map<string, ListedSession>();
    for (let after: string | undefined; ;) {
      const query = {
        limit: '100',
        'customer_details[email]': email,
        'created[gte]': String(Math.floor(since.getTime() / 1000)),
        ...(after && { starting_after: after }),
      };
      const { body } = await this.#http.json(
        { method: 'GET', path: SESSIONS, query, isSafeToRepeat: true },
        pageSchema,
      );
      const known = listed.size;
      for (const facts of body.data) listed.set(facts.id, { session: toSession(facts), facts });
      // A list that leads back to itself has no end.
      if (!body.has_more || listed.size === known) return [...listed.values()];
      after = body.data.at(-1)?.id;
    }
  }

  /** Closes an open session. One that is not open any more is `rejected`. */
  async expireSession(paymentId: string): Promise<void> {
    const its = sessionSchema.extend({ id: z.literal(paymentId) });
    const path = `${sessionPath(paymentId)}/expire`;
    const call = this.#http.json({ method: 'POST', path, isSafeToRepeat: false }, its);
    await provedNotFound(call, /^resource_missing$/, () => this.probe());
  }
}

const sessionPath = (paymentId: string) => `${SESSIONS}/${encodeURIComponent(paymentId)}`;

function sessionForm(session: NewSession): URLSearchParams {
  return new URLSearchParams({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': session.currency,
    'line_items[0][price_data][unit_amount]': String(session.amount),
    'line_items[0][price_data][product_data][name]': session.productName,
    success_url: session.successUrl,
    customer_email: session.customerEmail,
    client_reference_id: session.clientReference,
    'metadata[request_id]': String(session.requestId),
    'metadata[contract_id]': String(session.contractId),
    'metadata[reference]': session.reference,
    locale: session.locale,
  });
}

function toSession(body: z.infer<typeof sessionSchema>): PaymentSession {
  return {
    paymentId: body.id,
    paymentUrl: body.url ?? null,
    status: body.status ?? null,
    paymentStatus: body.payment_status ?? null,
    expiresAt: body.expires_at ? new Date(body.expires_at * 1000).toISOString() : null,
  };
}
