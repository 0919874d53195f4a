/** Controls the sandbox from outside: faults, the customer's actions, and its final state. */
import { FAULT_KINDS, type FaultTarget } from '../../sandbox/faults.js';
import type { SandboxState } from '../../sandbox/state.js';

/** Faults strike a payment twice at most: four times would fail it. */
const PAYMENT_STRIKES_MAX = 2;

export class SandboxClient {
  readonly #url: string;
  /** The faults that strike at present. */
  readonly #chances: number[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** Strikes this share of all calls, mails, webhooks and PDFs, with each kind of fault equally often. */
  async switchFaultsOn(share: number): Promise<void> {
    for (const target of Object.keys(FAULT_KINDS) as FaultTarget[]) {
      // A stored refusal is final.
      const kinds = FAULT_KINDS[target].filter((kind) => kind !== '500_stored');
      for (const kind of kinds) {
        const once = target === 'payment' && { timesPerKey: PAYMENT_STRIKES_MAX };
        const fault = { target, kind, rate: share / kinds.length, ...once };
        this.#chances.push(((await this.#call('POST', '/_sandbox/faults', fault)) as { id: number }).id);
      }
    }
  }

  async switchFaultsOff(): Promise<void> {
    for (const id of this.#chances.splice(0)) await this.#call('DELETE', `/_sandbox/faults/${id}`);
  }

  act(signId: string, action: 'sign' | 'decline' | 'expire'): Promise<unknown> {
    return this.#call('POST', `/_sandbox/signature_requests/${signId}/${action}`, {});
  }

  async pay(paymentId: string): Promise<void> {
    await this.#call('POST', `/_sandbox/sessions/${paymentId}/pay`, {});
  }

  /** Waits until no webhook is being sent or retried. */
  async settled(): Promise<void> {
    await this.#call('POST', '/_sandbox/settled?retries=true');
  }

  async state(): Promise<SandboxState> {
    return (await this.#call('GET', '/_sandbox/state')) as SandboxState;
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
