/** What the signature side remembers. Times are milliseconds; the wire forms are made in views.ts. */

type SignerStatus = 'initiated' | 'notified' | 'signed' | 'declined' | 'aborted';

export type SignerInfo = {
  first_name: string;
  last_name: string;
  email: string;
  locale: string;
  phone_number: string | null;
};

type SignerField = {
  document_id: string;
  type: string;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
};

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
  parseAnchors: boolean;
  totalPages: number;
  totalAnchors: number;
};

export type SignatureRequest = {
  id: string;
  name: string;
  /** draft approval rejected ongoing declined expired deleted canceled done, or a word that a test has put there. */
  status: string;
  deliveryMode: string;
  externalId: string | null;
  /** IANA name. */
  timezone: string;
  orderedSigners: boolean;
  signersAllowedToDecline: boolean;
  emailCustomNote: string | null;
  createdAt: number;
  /** Calendar day; the request expires when that day has ended in its time zone. */
  expirationDate: string;
  activatedAt: number | null;
  completedAt: number | null;
  deletedAt: number | null;
  decline: { signerId: string; reason: string; at: number } | null;
  cancelReason: string | null;
  documents: SignatureDocument[];
  signers: Signer[];
};
