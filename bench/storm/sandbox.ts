/** Controls the sandbox from outside: faults, the customer's actions, and its final state. */
import { ofetch } from 'ofetch';
import { FAULT_KINDS } from '../../sandbox/faults.js';
import type { SandboxState } from '../../sandbox/state.js';
import { keysOf } from '../../src/core/pick.js';

/** Faults strike a payment twice at most: four times would fail it. */
const PAYMENT_STRIKES_MAX = 2;

export function sandboxAt(url: string) {
  /** The faults that strike at present. */
  const striking: number[] = [];
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const options = { method, retry: false as const, ignoreResponseError: true, ...(body && { body }) };
    const { ok, status, _data } = await ofetch.raw<T>(`${url}/_sandbox/${path}`, options);
    // 409: its state no longer allowed it.
    if (!ok && status !== 409) throw new Error(`sandbox ${path}: ${status} ${JSON.stringify(_data)}`);
    return _data as T;
  };
  return {
    /** Strikes this share of all calls, mails, webhooks and PDFs, with each kind of fault equally often. */
    async switchFaultsOn(share: number): Promise<void> {
      for (const target of keysOf(FAULT_KINDS)) {
        // A stored refusal is final.
        const kinds = FAULT_KINDS[target].filter((kind) => kind !== '500_stored');
        for (const kind of kinds) {
          const few = target === 'payment' && { timesPerKey: PAYMENT_STRIKES_MAX };
          const fault = { target, kind, rate: share / kinds.length, ...few };
          striking.push((await call<{ id: number }>('POST', 'faults', fault)).id);
        }
      }
    },
    async switchFaultsOff(): Promise<void> {
      for (const id of striking.splice(0)) await call('DELETE', `faults/${id}`);
    },
    act: (signId: string, action: 'sign' | 'decline') =>
      call('POST', `signature_requests/${signId}/${action}`, {}),
    pay: (paymentId: string) => call('POST', `sessions/${paymentId}/pay`, {}),
    /** Waits until no webhook is being sent or retried. */
    settled: () => call('POST', 'settled?retries=true'),
    state: () => call<SandboxState>('GET', 'state'),
  };
}
