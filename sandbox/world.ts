/** All of the sandbox's state, in memory. Routes, pages and actions work on it. */
import { setTimeout } from 'node:timers/promises';
import type { FaultList } from './faults.js';
import type { Mailbox } from './mailbox.js';
import type { Settings } from './options.js';
import type { PaymentSession } from './payment/session.js';
import type { Ids } from './seeded.js';
import type { SignatureRequest } from './signature/types.js';
import type { WebhooksOut } from './webhooks-out.js';

export type Counters = {
  /** Calls by `signature.create`, `payment.get` …, including those struck by a fault. */
  calls: Record<string, number>;
  /** Sessions really made, by idempotency key (`-` for calls without one). */
  sessionsByKey: Record<string, number>;
  /** Mails received over SMTP, by Message-ID; the mailbox itself forgets the oldest. */
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
  /** Aborted when the sandbox closes, to end every wait. */
  closing: AbortSignal;
};

export function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** Waits until the time is over, the sandbox closes or a signal aborts. */
export function pause(ms: number, ...signals: AbortSignal[]): Promise<void> {
  return setTimeout(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
}
