/**
 * Watches the providers' webhooks and the calls for payment sessions. What is answered as a success must be on disk by
 * then, what is genuine must not be refused, and nothing is done twice at once.
 */
import { createHmac } from 'node:crypto';
import type { Process } from '../machine/scheduler.js';
import type { Answer, Call } from '../network.js';
import { SECRETS } from '../providers.js';
import { isOnDisk } from '../rules/history.js';
import { thankedWrongly } from '../rules/money.js';
import { awaitedBy } from '../rules/signatures.js';
import type { Evidence } from './evidence.js';

/** What the page behind a link to pay says to who has paid. */
const THANKS = /Paid, thank you|C’est payé, merci/;

export class Answers {
  readonly #of: Evidence;
  /** By idempotency key, who asks for a payment session at the moment. */
  readonly #asking = new Map<string, Process>();
  /** Signature requests whose "signed" was answered 200. */
  readonly #acknowledged = new Set<string>();

  constructor(of: Evidence) {
    this.#of = of;
    of.world.network.watch({
      begun: (call, caller) => this.#begun(call, caller),
      answered: (call, answer) => this.#answered(call, answer),
    });
  }

  /** Returns what is to be done when the caller waits no longer. */
  #begun({ method, url, headers }: Call, caller: Process): () => void {
    const key = headers['idempotency-key'];
    if (method !== 'POST' || key === undefined || !url.endsWith('/v1/checkout/sessions'))
      return () => undefined;
    const other = this.#asking.get(key);
    if (other?.isAlive && this.#of.world.areLeasesKept())
      this.#of.broken(`two at once ask for the payment session ${key}: ${other.name} and ${caller.name}`);
    this.#asking.set(key, caller);
    return () => {
      if (this.#asking.get(key) === caller) this.#asking.delete(key);
    };
  }

  #answered(call: Call, { status, body }: Answer): void {
    const { hostname, pathname } = new URL(call.url);
    if (hostname !== `${this.#of.world.name}.sim`) return;
    const [, token] = /^\/pay\/(\w+)$/.exec(pathname) ?? [];
    if (token !== undefined && status === 200 && THANKS.test(body.toString()))
      this.#of.tell(thankedWrongly(this.#of.rows, token));
    if (call.method !== 'POST') return;
    if (pathname === '/webhook/contract-signed') this.#ofSignature(call, status);
    if (pathname === '/webhook/payment' && status === 200) this.#ofPayment(call);
  }

  #ofSignature({ body = Buffer.alloc(0), headers }: Call, status: number): void {
    const { rows, outside, broken, world } = this.#of;
    const secret = SECRETS[world.name].ESIGN_WEBHOOK_SECRET;
    const hmac = createHmac('sha256', secret).update(body).digest('hex');
    if (!Object.values(headers).includes(`sha256=${hmac}`)) return;
    const event = JSON.parse(body.toString()) as {
      event_id: string;
      event_name: string;
      data: { signature_request: { id: string } };
    };
    const { id } = event.data.signature_request;
    const isSigned = event.event_name === 'signature_request.done';
    const [waiting] = isSigned ? awaitedBy(rows, outside, id) : [];
    const what = `"${event.event_name}" about ${id}`;
    if (waiting && status === 200) broken(`${what} was answered 200, and contract ${waiting.id} waits`);
    if (waiting && [404, 422].includes(status))
      broken(`${what} was answered ${status}, and contract ${waiting.id} waits for it`);
    if (isSigned && status === 200) this.#acknowledge(id, what);
    if ([200, 202].includes(status) && !isOnDisk(rows, 'signature', event.event_id))
      broken(`${what} was answered ${status} and is not on disk`);
  }

  /** Of several deliveries, one is answered 200; the others are repeats. */
  #acknowledge(signId: string, what: string): void {
    // The other firm's are ignored, each with a 200.
    if (this.#of.rows('SELECT 1 FROM contracts WHERE signId = ?', signId).length === 0) return;
    if (this.#acknowledged.has(signId)) this.#of.broken(`${what} was answered 200 twice`);
    this.#acknowledged.add(signId);
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#acknowledged.clear();
  }

  #ofPayment({ body = Buffer.alloc(0) }: Call): void {
    const { id } = JSON.parse(body.toString()) as { id: string };
    if (!isOnDisk(this.#of.rows, 'payment', id))
      this.#of.broken(`the payment's event ${id} was answered 200 and is not on disk`);
  }
}
