/** The sandbox from outside: faults on and off, the customer's acts, and all it knows at the end. */
import { FAULT_KINDS, type FaultInput, type FaultTarget } from '../../src/sandbox/faults.js';
import type { SandboxState } from '../../src/sandbox/state.js';

/** Customers whose payment is refused for good; the failed list must hold theirs and no others. */
export const REFUSED_CUSTOMERS = ['refused@soak.test', 'stored-refusal@soak.test'];

/** Chance strikes one payment twice at most: four times would fail it, and then nobody planted that. */
const PAYMENT_STRIKES_MAX = 2;

export class SandboxClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** The failures that stay: one customer's provider always answers 500, the other's has stored its 500. */
  async plantFailures(): Promise<void> {
    const [refused = '', stored = ''] = REFUSED_CUSTOMERS;
    for (const [kind, customer] of [
      ['500', refused],
      ['500_stored', stored],
    ] as const) {
      await this.#add({ target: 'payment', operation: 'create', kind, about: encodeURIComponent(customer) });
    }
  }

  /** Of every call, mail, webhook and PDF that share is struck, by each kind of fault equally often. */
  async switchFaultsOn(share: number): Promise<void> {
    for (const target of Object.keys(FAULT_KINDS) as FaultTarget[]) {
      // Stored refusals are final: those are planted. A payment's "paid" that nobody hears of is planted by the payer.
      const kinds = FAULT_KINDS[target].filter(
        (kind) => kind !== '500_stored' && !(target === 'payment_webhook' && kind === 'lost'),
      );
      for (const kind of kinds) {
        await this.#add({
          target,
          kind,
          rate: share / kinds.length,
          ...(target === 'payment' && { timesPerKey: PAYMENT_STRIKES_MAX }),
        });
      }
    }
  }

  async switchFaultsOff(): Promise<void> {
    await this.#call('DELETE', '/_sandbox/faults');
  }

  act(signId: string, action: 'sign' | 'decline' | 'expire'): Promise<unknown> {
    return this.#call('POST', `/_sandbox/signature_requests/${signId}/${action}`, {});
  }

  async pay(paymentId: string): Promise<void> {
    await this.#call('POST', `/_sandbox/sessions/${paymentId}/pay`, {});
  }

  /** The customer pays, but the provider's word of it gets lost for ever. False: another fault was quicker. */
  async payUnheard(paymentId: string): Promise<boolean> {
    const event = 'checkout.session.completed';
    const lost = await this.#add({ target: 'payment_webhook', operation: event, kind: 'lost', times: 1 });
    await this.pay(paymentId);
    const left = (await this.#call('GET', '/_sandbox/faults')) as { id: number }[];
    if (!left.some(({ id }) => id === lost)) return true;
    await this.#call('DELETE', `/_sandbox/faults/${lost}`);
    return false;
  }

  /** Until no webhook is on its way or waits for a further try. */
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
    // 409: the thing was in no state for it any more.
    if (!answer.ok && answer.status !== 409) throw new Error(`sandbox ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}
