/** The state of the signature side. Times are in milliseconds; views.ts makes the wire forms. */
import type { Page } from '../pdf/page.js';
import type { Anchor } from '../pdf/read.js';
import type { SignerField, SignerInfo } from './schemas.js';

type SignerStatus = 'initiated' | 'notified' | 'signed' | 'declined' | 'aborted' | 'error';

export type Signer = {
  id: string;
  status: SignerStatus;
  info: SignerInfo;
  level: string;
  authenticationMode: string;
  fields: SignerField[];
  linkToken: string | null;
  linkExpiresAt: number | null;
  signedAt: number | null;
};

export type SignatureDocument = {
  id: string;
  filename: string;
  nature: string;
  content: Buffer;
  sha256: string;
  createdAt: number;
  pages: Page[];
  /** Encrypted: the provider takes it, but wants the password before it takes a signer. */
  isProtected: boolean;
  /** Those that count: none unless the upload asks for them. */
  anchors: Anchor[];
};

export type SignatureRequest = {
  id: string;
  name: string;
  /** draft approval rejected ongoing declined expired deleted canceled done, or any word set by a test. */
  status: string;
  deliveryMode: string;
  externalId: string | null;
  /** IANA name. */
  timezone: string;
  orderedSigners: boolean;
  signersAllowedToDecline: boolean;
  emailCustomNote: string | null;
  auditTrailLocale: string | null;
  createdAt: number;
  /** Calendar day; the request expires when that day has ended in its time zone. */
  expirationDate: string;
  activatedAt: number | null;
  completedAt: number | null;
  deletedAt: number | null;
  decline: { signerId: string; reason: string; at: number } | null;
  cancelReason: string | null;
  reminders: { interval_in_days: number; max_occurrences: number } | null;
  /** Automatic ones. */
  remindersSent: number;
  documents: SignatureDocument[];
  signers: Signer[];
};
