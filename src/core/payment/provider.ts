/** Client of the payment provider (rules 5): Stripe-compatible Checkout Sessions, created with idempotency keys. */
import { z } from 'zod';
import { get, HttpClient, type ProviderOptions } from '../http/client.js';
import { newOnEachPage } from '../http/pages.js';
import { provedNotFound } from '../http/provider-error.js';
import { SESSION, toSession, type PaymentSession } from './session.js';

export interface NewSession {
  /** Identifies our contract in the account's events and lists. */
  clientReference: string;
  requestId: number;
  contractId: number;
  reference: string;
  /** Shown to the customer on the payment page. */
  productName: string;
  /** In minor units. */
  amount: number;
  currency: string;
  customerEmail: string;
  locale: 'en' | 'fr';
  successUrl: string;
}

/** `{error: {type, code}}`; without a code the address itself may be wrong. */
const ownError = z
  .object({ error: z.object({ type: z.string().min(1), code: z.string().nullish() }) })
  .transform(({ error }) => error.code ?? error.type);
const typeOfError = (body: unknown) => ownError.safeParse(body).data;

const listSchema = z.object({ data: z.array(SESSION) });
const pageSchema = listSchema.extend({ has_more: z.boolean() });

const SESSIONS = '/v1/checkout/sessions';

export class PaymentProvider {
  readonly #http: HttpClient;

  constructor(options: ProviderOptions) {
    this.#http = new HttpClient({ name: 'payment provider', typeOfError, ...options });
  }

  /**
   * Creates a session, or returns the one created with the same key. Not repeated here: retries are the job's (rules
   * 5). A key is bound to its first content; another one is `rejected` as `idempotency_error`.
   */
  async createSession(session: NewSession, idempotencyKey: string): Promise<PaymentSession> {
    const { body } = await this.#http.json(
      {
        method: 'POST',
        path: SESSIONS,
        body: sessionForm(session),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': idempotencyKey,
        },
        isSafeToRepeat: false,
      },
      SESSION,
    );
    return toSession(body);
  }

  /** Throws a ProviderError, `not_found` only when the provider itself says so. */
  async getSession(paymentId: string): Promise<PaymentSession> {
    const call = this.#http.json(get(sessionPath(paymentId)), SESSION, paymentId);
    const { body } = await provedNotFound(call, /^resource_missing$/, () => this.probe());
    return toSession(body);
  }

  /** Asks for one session; throws a ProviderError. */
  async probe(): Promise<void> {
    await this.#http.json(get(SESSIONS, { limit: '1' }), listSchema);
  }

  /** All sessions since then, newest first; by e-mail the provider finds only those that were completed. Throws a ProviderError. */
  async listSessions(since: Date): Promise<PaymentSession[]> {
    const read = async (after: string | undefined) => {
      const query = {
        limit: '100',
        'created[gte]': String(Math.floor(since.getTime() / 1000)),
        ...(after && { starting_after: after }),
      };
      const { body } = await this.#http.json(get(SESSIONS, query), pageSchema);
      const items = body.data.map(toSession);
      return { items, next: body.has_more ? body.data.at(-1)?.id : undefined };
    };
    const listed: PaymentSession[] = [];
    for await (const page of newOnEachPage(read, ({ paymentId }) => paymentId)) listed.push(...page);
    return listed;
  }

  /** Closes an open session; `rejected` when it is no longer open. */
  async expireSession(paymentId: string): Promise<void> {
    const path = `${sessionPath(paymentId)}/expire`;
    const call = this.#http.json({ method: 'POST', path, isSafeToRepeat: false }, SESSION, paymentId);
    await provedNotFound(call, /^resource_missing$/, () => this.probe());
  }
}

const sessionPath = (paymentId: string) => `${SESSIONS}/${encodeURIComponent(paymentId)}`;

function sessionForm(session: NewSession): Record<string, string> {
  return {
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
  };
}
