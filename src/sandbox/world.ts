/** Everything the sandbox knows, in memory, in one place. Routes, pages and actions all work on it. */
import type { FaultList } from './faults.js';
import type { Mailbox } from './mailbox.js';
import type { Settings } from './options.js';
import type { PaymentSession } from './payment/types.js';
import type { Ids } from './seeded.js';
import type { SignatureRequest } from './signature/types.js';
import type { WebhooksOut } from './webhooks-out.js';

export type Counters = {
  /** Calls by `signature.create`, `payment.get` …, those struck by a fault included. */
  calls: Record<string, number>;
  /** Sessions really made, by idempotency key (`-` for calls without one). */
  sessionsByKey: Record<string, number>;
  /** Mails taken over SMTP, by Message-ID: the mailbox itself forgets the oldest. */
  mailsById: Record<string, number>;
};

export type World = {
  settings: Settings;
  now: () => number;
  ids: Ids;
  faults: FaultList;
  signatureRequests: Map<string, SignatureRequest>;
  sessions: Map<string, PaymentSession>;
  mailbox: Mailbox;
  webhooks: WebhooksOut;
  counters: Counters;
  /** Aborted when the sandbox closes: whoever waits stops waiting. */
  closing: AbortSignal;
};

export function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** Waits, but no longer than the sandbox lives or the caller listens. */
export function pause(ms: number, ...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some((signal) => signal.aborted)) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const signal of signals) signal.addEventListener('abort', done);
  });
}
