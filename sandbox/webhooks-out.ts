/**
 * Sends webhooks as both providers do, to every subscription of the account: a short time-out for the first attempt,
 * longer ones after it, the same bytes each time. Every attempt is logged.
 */
import { createHmac } from 'node:crypto';
import type { FaultList } from './faults.js';
import { post } from './http-post.js';
import type { Settings, Subscriptions, WebhookTargets } from './options.js';
import { pause } from './world.js';

export type Attempt = { at: number; ms: number; status: number | null; answer: string; error: string | null };

export type Delivery = {
  number: number;
  /** The index of the subscription, from 0. */
  subscription: number;
  side: 'signature' | 'payment';
  event: string;
  eventId: string;
  /** The signature request or session it is about. */
  subjectId: string;
  url: string;
  body: string;
  state: 'sending' | 'waiting' | 'delivered' | 'given_up' | 'lost';
  attempts: Attempt[];
};

export type WebhookEvent = Pick<Delivery, 'side' | 'event' | 'eventId' | 'subjectId'> & {
  /** Bodies name their subscription. */
  body: (subscription: number) => string;
};

/** An accepted event with the time of the answer. Kept forever, unlike the log of attempts. */
export type Acknowledged = Omit<WebhookEvent, 'body'> & { at: number };

/** A delivery to one subscription, not yet sent. */
type Unsent = Omit<Delivery, 'number' | 'url' | 'state' | 'attempts'>;

type Wiring = { settings: Settings; faults: FaultList; now: () => number; closing: AbortSignal };

const KEPT = 500;
const DEFAULT_HEADER = 'X-Esign-Signature-256';

export class WebhooksOut {
  readonly deliveries: Delivery[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly #wiring: Wiring;
  /** By subscription. */
  readonly #targets: WebhookTargets[];
  #lastNumber = 0;
  /** Runs to their end; `#tries` only the tries that run at this moment. */
  readonly #runs = new Set<Promise<void>>();
  readonly #tries = new Set<Promise<unknown>>();

  constructor(wiring: Wiring, subscriptions: Subscriptions) {
    this.#wiring = wiring;
    this.#targets = [...subscriptions];
  }

  /** Changes the named members of the first subscription; deliveries that wait for a retry go to the new address. */
  setTargets(targets: WebhookTargets): void {
    const named = Object.entries(targets).filter(([, value]) => value !== undefined);
    this.#targets[0] = { ...this.#targets[0], ...Object.fromEntries(named) };
  }

  /** One more service on the account. */
  subscribe(targets: WebhookTargets): void {
    this.#targets.push(targets);
  }

  /** Sends at once, in the background. A subscription without an address for that side gets nothing. */
  send(event: WebhookEvent): void {
    for (const subscription of this.#targets.keys()) this.#sendTo(subscription, event);
  }

  #sendTo(subscription: number, { body, ...event }: WebhookEvent): void {
    const { faults } = this.#wiring;
    if (!this.#urlFor(event.side, subscription)) return;
    const delivery: Unsent = { ...event, subscription, body: body(subscription) };
    const fault = faults.take(faultTarget(event), event.event, ['lost', 'duplicate', 'late']);
    if (fault?.kind === 'lost') {
      this.#remember(delivery).state = 'lost';
      return;
    }
    const delayMs = fault?.delayMs ?? 0;
    void this.#track(this.#runs, this.#run(delivery, fault?.kind === 'late' ? (fault.delayMs ?? 2000) : 0));
    if (fault?.kind === 'duplicate') void this.#track(this.#runs, this.#run(delivery, delayMs));
  }

  /** Resolves when no attempt is running and, with `retries`, none is still to come. */
  async settled({ retries = false }: { retries?: boolean } = {}): Promise<void> {
    const open = retries ? this.#runs : this.#tries;
    while (open.size > 0) await Promise.allSettled(open);
  }

  async #run(event: Unsent, delayMs: number): Promise<void> {
    const { settings, closing } = this.#wiring;
    const delivery = this.#remember(event);
    const waits = [delayMs, ...settings.retryDelaysMs];
    for (const [retry, waitMs] of waits.entries()) {
      if (retry > 0) delivery.state = 'waiting';
      // A delayed delivery counts as running, a retry does not.
      if (waitMs > 0)
        await (retry === 0 ? this.#track(this.#tries, pause(waitMs, closing)) : pause(waitMs, closing));
      if (closing.aborted) return;
      delivery.state = 'sending';
      if (await this.#track(this.#tries, this.#try(delivery, retry))) {
        delivery.state = 'delivered';
        const { side, event: name, eventId, subjectId } = event;
        this.acknowledged.push({ side, event: name, eventId, subjectId, at: this.#wiring.now() });
        return;
      }
    }
    delivery.state = 'given_up';
  }

  async #try(delivery: Delivery, retry: number): Promise<boolean> {
    const { settings, closing, now } = this.#wiring;
    const attempt: Attempt = { at: now(), ms: 0, status: null, answer: '', error: null };
    delivery.attempts.push(attempt);
    delivery.url = this.#urlFor(delivery.side, delivery.subscription) ?? delivery.url;
    const started = performance.now();
    try {
      const answer = await post({
        url: delivery.url,
        headers: this.#headers(delivery, retry),
        body: Buffer.from(delivery.body),
        timeoutMs: retry === 0 ? settings.firstTimeoutMs : settings.retryTimeoutMs,
        signal: closing,
      });
      attempt.status = answer.status;
      attempt.answer = answer.text;
    } catch (error) {
      attempt.error = error instanceof Error ? error.message : String(error);
    }
    attempt.ms = Math.round(performance.now() - started);
    settings.log(`webhook ${delivery.event} try ${retry + 1}: ${attempt.status ?? attempt.error}`);
    return attempt.status !== null && attempt.status >= 200 && attempt.status < 400;
  }

  #headers(delivery: Delivery, retry: number): Record<string, string> {
    const sentAt = Math.floor(this.#wiring.now() / 1000);
    const forged =
      this.#wiring.faults.take(faultTarget(delivery), delivery.event, ['bad_hmac']) !== undefined;
    const sign = (secret: string | undefined, text: string): string =>
      createHmac('sha256', forged ? 'somebody else' : (secret ?? ''))
        .update(text)
        .digest('hex');
    const { paymentWebhookSecret, webhookHeader, webhookSecret } = this.#targets[delivery.subscription] ?? {};
    if (delivery.side === 'payment') {
      const v1 = sign(paymentWebhookSecret, `${sentAt}.${delivery.body}`);
      return {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'Sandbox-Payments/1.0',
        'Stripe-Signature': `t=${sentAt},v1=${v1}`,
      };
    }
    return {
      'Content-Type': 'application/json',
      'User-Agent': 'Esign Webhook Bot',
      [webhookHeader ?? DEFAULT_HEADER]: `sha256=${sign(webhookSecret, delivery.body)}`,
      'X-Esign-Retry': String(retry),
      'X-Esign-Issued-At': String(sentAt),
    };
  }

  #urlFor(side: Delivery['side'], subscription: number): string | undefined {
    const { webhookUrl, paymentWebhookUrl, paymentWebhookSecret } = this.#targets[subscription] ?? {};
    // Without a secret the payment provider has no endpoint.
    if (side === 'payment') return paymentWebhookSecret ? paymentWebhookUrl : undefined;
    return webhookUrl;
  }

  #remember(unsent: Unsent): Delivery {
    const number = (this.#lastNumber += 1);
    const url = this.#urlFor(unsent.side, unsent.subscription) ?? '';
    const delivery: Delivery = { number, ...unsent, url, state: 'sending', attempts: [] };
    this.deliveries.push(delivery);
    if (this.deliveries.length > KEPT) this.deliveries.shift();
    return delivery;
  }

  #track<T>(open: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
    open.add(work);
    void work.finally(() => open.delete(work));
    return work;
  }
}

function faultTarget({ side }: Pick<Delivery, 'side'>): 'webhook' | 'payment_webhook' {
  return side === 'signature' ? 'webhook' : 'payment_webhook';
}
