/** Controls the sandbox from outside: faults, the customer's actions, and its final state. */
import { FAULT_KINDS, type FaultInput, type FaultTarget } from '../../src/sandbox/faults.js';
import type { SandboxState } from '../../src/sandbox/state.js';

/** Customers whose payment is refused for good; the failed list must hold exactly theirs. */
export const REFUSED_CUSTOMERS = ['refused@soak.test', 'stored-refusal@soak.test'];

/** Random faults strike a payment twice at most: four times would fail it without having been planted. */
const PAYMENT_STRIKES_MAX = 2;

export class SandboxClient {
  readonly #url: string;
  /** The faults that strike by chance. */
  readonly #chances: number[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** The lasting failures: one customer's provider always answers 500, the other's has stored its 500. */
  async plantFailures(): Promise<void> {
    const [refused = '', stored = ''] = REFUSED_CUSTOMERS;
    for (const [kind, customer] of [
      ['500', refused],
      ['500_stored', stored],
    ] as const) {
      await this.#add({ target: 'payment', operation: 'create', kind, about: encodeURIComponent(customer) });
    }
  }

  /** Strikes this share of all calls, mails, webhooks and PDFs, with each kind of fault equally often. */
  async switchFaultsOn(share: number): Promise<void> {
    for (const target of Object.keys(FAULT_KINDS) as FaultTarget[]) {
      // Stored refusals are final, so they are only planted. The payer plants payments whose webhook is lost.
      const kinds = FAULT_KINDS[target].filter(
        (kind) => kind !== '500_stored' && !(target === 'payment_webhook' && kind === 'lost'),
      );
      for (const kind of kinds) {
        const once = target === 'payment' && { timesPerKey: PAYMENT_STRIKES_MAX };
        this.#chances.push(await this.#add({ target, kind, rate: share / kinds.length, ...once }));
      }
    }
  }

  /** The planted failures stay. */
  async switchFaultsOff(): Promise<void> {
    for (const id of this.#chances.splice(0)) await this.#call('DELETE', `/_sandbox/faults/${id}`);
  }

  act(signId: string, action: 'sign' | 'decline' | 'expire'): Promise<unknown> {
    return this.#call('POST', `/_sandbox/signature_requests/${signId}/${action}`, {});
  }

  async pay(paymentId: string): Promise<void> {
    await this.#call('POST', `/_sandbox/sessions/${paymentId}/pay`, {});
  }

  /** Pays, but the provider's webhook is lost for ever. False when another fault was faster. */
  async payUnheard(paymentId: string): Promise<boolean> {
    const event = 'checkout.session.completed';
    const lost = await this.#add({ target: 'payment_webhook', operation: event, kind: 'lost', times: 1 });
    await this.pay(paymentId);
    const left = (await this.#call('GET', '/_sandbox/faults')) as { id: number }[];
    if (!left.some(({ id }) => id === lost)) return true;
    await this.#call('DELETE', `/_sandbox/faults/${lost}`);
    return false;
  }

  /** Waits until no webhook is being sent or retried. */
  async settled(): Promise<void> {
    await this.#call('POST', '/_sandbox/settled?retries=true');
  }

  async state(): Promise<SandboxState> {
    return (await this.#call('GET', '/_sandbox/state')) as SandboxState;
  }

  async #add(fault: FaultInput): Promise<number> {
    return ((await this.#call('POST', '/_sandbox/faults', fault)) as { id: number }).id;
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(this.#url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    // 409: its state no longer allowed it.
    if (!answer.ok && answer.status !== 409) throw new Error(`sandbox ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}
