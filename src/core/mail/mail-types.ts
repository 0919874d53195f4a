/** What the templates are told, and what they give back. */
import type { RunName } from '../../db/schema.js';
import type { Reader } from '../texts/format.js';
import type { Locale } from '../texts/index.js';

/** A written mail; the sender adds who gets it, the message id and attachments. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** What every mail about a request knows. */
export interface RequestFacts extends Reader {
  /** The firm's name. */
  issuer: string;
  /** `ESIGN_BASE_URL`: links start with it. */
  baseUrl: string;
  requestId: number;
  reference: string;
  title: string;
  customer: { firstName: string; lastName: string; username: string };
}

export interface SignedFacts extends RequestFacts {
  contractId: number;
  /** ISO 8601. */
  signedAt: string;
}

export interface PaymentLinkFacts extends RequestFacts {
  /** In minor units. */
  amount: number;
  currency: string;
  paymentUrl: string;
  /** ISO 8601; null: the payment provider named no end. */
  validUntil: string | null;
}

export type EndReason = 'declined' | 'canceled' | 'rejected' | 'deleted' | 'expired' | 'not_found';

export interface ContractEndedFacts extends RequestFacts {
  contractId: number;
  reason: EndReason;
  /** What the customer wrote when declining. */
  declineReason?: string | null;
  /** Its start had stopped half-way: the request is still, or again, to be started. */
  isToStart?: boolean;
}

export interface SignedLateFacts extends RequestFacts {
  contractId: number;
  /** ISO 8601; null: the provider did not say when. */
  signedAt: string | null;
  expiredAt: string;
}

export interface ReplacedSignedFacts extends RequestFacts {
  contractId: number;
  /** The contract that counts. */
  by: number;
}

export interface ForeignSignatureFacts extends RequestFacts {
  contractId: number;
  /** Of the record that is not ours. */
  signId: string;
  externalId: string | null;
  /** The contract goes out all the same, under another name. */
  isServed: boolean;
}

export interface PaymentTroubleFacts extends RequestFacts {
  trouble: 'payment_failed' | 'old_session_paid' | 'other_price';
  amount: number;
  currency: string;
  paymentId: string | null;
  /** What was paid instead; undefined: nothing else. */
  paid?: { amount: number | null; currency: string | null } | undefined;
  /** What the payment provider said, if anything. */
  detail?: string | null;
}

export interface RunFailingFacts extends Reader {
  issuer: string;
  run: RunName;
  /** ISO 8601. */
  since: string;
  error: string;
}

export interface WebhookDisabledFacts {
  locale: Locale;
  issuer: string;
  baseUrl: string;
  subscriptionId: number;
  url: string;
  event: string;
  cause: 'failing' | 'gone';
  lastError: string | null;
}
