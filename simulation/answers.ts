/**
 * Watches the providers' webhooks and the calls for payment sessions. What is answered as a success must be on disk by
 * then, what is genuine must not be refused, and nothing is done twice at once.
 */
import { createHmac } from 'node:crypto';
import type { Process } from './machine/scheduler.js';
import type { Answer, Call } from './network.js';
import { SECRETS } from './providers.js';
import type { Rows } from './rules/facts.js';
import { isOnDisk } from './rules/inbox.js';
import type { World } from './world.js';

interface Waiting {
  id: number;
  requestId: number;
  expiredAt: string;
}

export class Answers {
  readonly #world: World;
  readonly #rows: Rows;
  /** By idempotency key, who asks for a payment session at the moment. */
  readonly #asking = new Map<string, Process>();
  /** Signature requests whose "signed" was answered 200. */
  readonly #acknowledged = new Set<string>();

  constructor(world: World, rows: Rows) {
    this.#world = world;
    this.#rows = rows;
    world.network.watch({
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
    if (other?.isAlive && this.#world.areLeasesKept())
      this.#broken(`two at once ask for the payment session ${key}: ${other.name} and ${caller.name}`);
    this.#asking.set(key, caller);
    return () => {
      if (this.#asking.get(key) === caller) this.#asking.delete(key);
    };
  }

  #answered(call: Call, { status }: Answer): void {
    const { hostname, pathname } = new URL(call.url);
    if (hostname !== `${this.#world.name}.sim` || call.method !== 'POST') return;
    if (pathname === '/webhook/contract-signed') this.#ofSignature(call, status);
    if (pathname === '/webhook/payment' && status === 200) this.#ofPayment(call);
  }

  #ofSignature({ body = Buffer.alloc(0), headers }: Call, status: number): void {
    const hmac = createHmac('sha256', SECRETS[this.#world.name].ESIGN_WEBHOOK_SECRET)
      .update(body)
      .digest('hex');
    if (!Object.values(headers).includes(`sha256=${hmac}`)) return;
    const event = JSON.parse(body.toString()) as {
      event_id: string;
      event_name: string;
      data: { signature_request: { id: string } };
    };
    const { id } = event.data.signature_request;
    const isSigned = event.event_name === 'signature_request.done';
    const [waiting] = isSigned ? this.#waiting(id) : [];
    const what = `"${event.event_name}" about ${id}`;
    switch (status) {
      case 200:
      case 202:
        if (waiting && status === 200)
          this.#broken(`${what} was answered 200, and contract ${waiting.id} waits`);
        if (isSigned && status === 200) this.#acknowledge(id, what);
        if (!isOnDisk(this.#rows, 'signature', event.event_id))
          this.#broken(`${what} was answered ${status} and is not on disk`);
        break;
      case 404:
      case 422:
        if (waiting) this.#broken(`${what} was answered ${status}, and contract ${waiting.id} waits for it`);
        break;
    }
  }

  /** Of several deliveries, one is answered 200; the others are repeats. */
  #acknowledge(signId: string, what: string): void {
    // The other firm's are ignored, each with a 200.
    if (this.#rows('SELECT 1 FROM contracts WHERE signId = ?', signId).length === 0) return;
    if (this.#acknowledged.has(signId)) this.#broken(`${what} was answered 200 twice`);
    this.#acknowledged.add(signId);
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#acknowledged.clear();
  }

  /** The contract that counts, not yet signed here, of a signature that was made in time. */
  #waiting(signId: string): Waiting[] {
    const completedAt = this.#world.providers.world.signatureRequests.get(signId)?.completedAt ?? Infinity;
    return this.#rows<Waiting>(
      `SELECT c.id, c.requestId, c.expiredAt FROM contracts c JOIN requests r ON r.id = c.requestId
       WHERE c.signId = ? AND c.signedAt IS NULL AND r.status IN ('new', 'in_progress', 'WAITING_SIGNATURE')
         AND c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)
         AND NOT EXISTS (SELECT 1 FROM history WHERE contractId = c.id AND what = 'contract.foreign_signature')`,
      signId,
    ).filter(({ expiredAt }) => Math.floor(completedAt / 1000) <= Math.floor(Date.parse(expiredAt) / 1000));
  }

  #ofPayment({ body = Buffer.alloc(0) }: Call): void {
    const { id } = JSON.parse(body.toString()) as { id: string };
    if (!isOnDisk(this.#rows, 'payment', id))
      this.#broken(`the payment's event ${id} was answered 200 and is not on disk`);
  }

  #broken(words: string): void {
    this.#world.trace.broken(words);
  }
}
