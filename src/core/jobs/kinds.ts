/** The kinds of job and what each carries (decided by its kind; stored as JSON). */
import type { JobKind, JobRow, RunName } from '../../db/schema.js';
import type { EndReason, OwnEnd } from '../lifecycle.js';

export interface JobPayloads {
  'create-payment-session': { requestId: number; contractId: number };
  'send-mail': MailOrder;
  'complete-signature': {
    contractId: number;
    /** When the customer signed, as the webhook told it; null: it did not. */
    provedAt: string | null;
  };
  'deliver-webhook': { deliveryId: number };
}

/** Which mail to write; its facts are read when it leaves. */
export type MailOrder =
  | { mail: 'contract-signed' | 'admin-signed'; contractId: number }
  | { mail: 'payment-link'; contractId: number; paymentId: string }
  | {
      mail: 'contract-ended';
      contractId: number;
      reason: Exclude<EndReason, OwnEnd>;
      declineReason: string | null;
    }
  | { mail: 'signed-late'; contractId: number; signedAt: string | null }
  | { mail: 'replaced-signed'; contractId: number; by: number }
  | {
      mail: 'foreign-signature';
      contractId: number;
      signId: string;
      externalId: string | null;
      isServed: boolean;
    }
  | {
      mail: 'payment-trouble';
      contractId: number;
      trouble: 'payment_failed' | 'old_session_paid' | 'other_price';
      paymentId: string;
      detail: string | null;
      /** What was paid instead of the price. */
      paid?: { amount: number | null; currency: string | null };
    }
  | WebhookNotice
  | RunNotice;

/** About no request: its facts travel with it, since the subscription may be gone when the mail leaves. */
export interface WebhookNotice {
  mail: 'webhook-disabled';
  webhookId: number;
  url: string;
  event: string;
  cause: 'failing' | 'gone';
  error: string;
}

/** About scheduled work that fails. */
export interface RunNotice {
  mail: 'run-failing';
  run: RunName;
  /** ISO 8601. */
  since: string;
  error: string;
}

export type Job<K extends JobKind = JobKind> = {
  [P in K]: Omit<JobRow, 'kind' | 'payload'> & { kind: P; payload: JobPayloads[P] };
}[K];

export const JOB_KINDS = [
  'create-payment-session',
  'complete-signature',
  'send-mail',
  'deliver-webhook',
] as const satisfies readonly JobKind[];

export function parseJob(row: JobRow): Job {
  return { ...row, payload: JSON.parse(row.payload) };
}
