/** The job that writes and sends a mail. Which one is its payload; its facts are read when it leaves. */
import type { RunName } from '../../db/schema.js';
import type { RoundName } from '../schedule/runs.js';
import { announced } from '../payment/pay-link.js';
import type { Money } from '../texts/format.js';
import type { JobKind, JobOf } from '../jobs/kind.js';
import { PATIENT } from '../jobs/retry-policy.js';
import type { EndReason, OwnEnd } from '../lifecycle.js';

/** The mails about a request, by name, and what the facts of the contract do not say. */
interface OfRequest {
  'contract-signed': object;
  'admin-signed': object;
  'payment-link': { paymentId: string };
  /** The same again, at a person's wish or on its day. */
  'payment-reminder': { at: string };
  'payment-received': { paymentId: string };
  'admin-paid': { paymentId: string };
  'contract-ended': { reason: Exclude<EndReason, OwnEnd>; declineReason: string | null };
  'signed-late': { signedAt: string | null };
  /** `by`: the contract that counts. */
  'replaced-signed': { by: number };
  'canceled-signed': object;
  /** `isServed`: the contract was sent anyway, under another name. */
  'foreign-signature': { signId: string; externalId: string | null; isServed: boolean };
  'payment-trouble': {
    trouble: 'payment_failed' | 'old_session_paid' | 'paid_unsigned' | 'canceled_paid' | 'other_price';
    paymentId: string;
    detail: string | null;
    /** Of money that does not count. */
    paid?: Money;
  };
}

export type RequestMail = keyof OfRequest;
export type RequestOrder<M extends RequestMail = RequestMail> = {
  [K in M]: { mail: K; contractId: number } & OfRequest[K];
}[M];
/** `to`: one of several in the office, each of whom the job `of` tells. */
export type MailOrder = AnyOrder & { to?: string; of?: number };

type AnyOrder =
  | RequestOrder
  | CancelNotice
  | RenewalNotice
  | PasswordOrder
  | WebhookNotice
  | UnknownPaymentNotice
  | RunNotice
  | DigestOrder
  | JobsFailedNotice;

/** To the customer; the request may have no contract. */
export interface CancelNotice {
  mail: 'request-canceled';
  requestId: number;
}

/** To the customer: the request is the one that renews a contract. */
export interface RenewalNotice {
  mail: 'renewal';
  requestId: number;
}

/** To whoever has the account: a link to set a password, made when the mail leaves. */
export type PasswordOrder =
  | { mail: 'invitation'; userId: number; at: string }
  /** Null: nobody has the address that was typed. `version`: the user's `linkVersion` then. */
  | { mail: 'password-reset'; userId: number | null; version: number; at: string };

/** About no request: its facts travel with it, since the subscription may be gone when the mail leaves. */
export interface WebhookNotice {
  mail: 'webhook-disabled';
  webhookId: number;
  url: string;
  event: string;
  cause: 'failing' | 'gone';
  error: string;
}

export interface UnknownPaymentNotice extends Money {
  mail: 'unknown-payment';
  paymentId: string;
}

export interface RunNotice {
  mail: 'run-failing';
  run: Exclude<RunName, RoundName>;
  /** ISO 8601. */
  since: string;
  error: string;
}

/** What needs the office, as it stands when the mail leaves. */
export interface DigestOrder {
  mail: 'digest';
  /** ISO 8601: when it was ordered. */
  at: string;
}

export interface JobsFailedNotice {
  mail: 'jobs-failed';
  /** ISO 8601. */
  since: string;
  /** The hour and the part of it, each told once. */
  part: string;
}

const TO_CUSTOMER: readonly MailOrder['mail'][] = [
  'contract-signed',
  'payment-link',
  'payment-reminder',
  'payment-received',
  'request-canceled',
  'renewal',
];

export function isToCustomer({ mail }: Pick<MailOrder, 'mail'>): boolean {
  return TO_CUSTOMER.includes(mail);
}

export type MailJob = JobOf<'send-mail', MailOrder>;

export const mailJob: JobKind<'send-mail', MailOrder> = {
  name: 'send-mail',
  waitsMs: PATIENT,
  slots: 8,
  uniqueKey: (order, now) => `mail:${subjectOf(order, now)}${order.to === undefined ? '' : `:${order.to}`}`,
  load: async () => ({ run: (await import('./send-mail.js')).sendMail }),
  giveUp(tx, order) {
    if (order.mail === 'contract-signed' && order.contractId !== undefined) announced(tx, order.contractId);
  },
  // A mail about trouble that cannot be sent must not order the next one.
  failsQuietly: ({ mail }) => mail === 'jobs-failed' || mail === 'digest',
};

/** What the keys of somebody's invitations begin with. */
export function invitationKeys(userId: number): string {
  return `mail:invitation:${userId}:`;
}

/** The subject of a mail: one mail is sent about it, however often it is enqueued. */
function subjectOf(order: MailOrder, now: string): string {
  switch (order.mail) {
    case 'payment-reminder':
      return `payment-reminder:${order.contractId}:${order.at}`;
    case 'payment-link':
    case 'payment-received':
    case 'admin-paid':
      return `${order.mail}:${order.paymentId}`;
    case 'payment-trouble':
      return `${order.trouble}:${order.paymentId}`;
    case 'foreign-signature':
      return `foreign-signature:${order.contractId}:${order.signId}`;
    case 'invitation':
    case 'password-reset':
      return `${order.mail}:${order.userId}:${order.at}`;
    case 'request-canceled':
      return `request-canceled:${order.requestId}`;
    case 'renewal':
      return `renewal:${order.requestId}`;
    case 'webhook-disabled':
      return `webhook-disabled:${order.webhookId}:${now}`;
    case 'unknown-payment':
      return `unknown-payment:${order.paymentId}`;
    case 'run-failing':
      return `run-failing:${order.run}:${order.since}`;
    case 'digest':
      return `digest:${order.at}`;
    case 'jobs-failed':
      return `jobs-failed:${order.part}`;
    case 'contract-signed':
    case 'admin-signed':
    case 'contract-ended':
    case 'signed-late':
    case 'replaced-signed':
    case 'canceled-signed':
      return `${order.mail}:${order.contractId}`;
  }
}
