/** The tables as Kysely sees them. Names and statuses are spelled as on the wire (rules 1, 2); times are ISO 8601 UTC text with milliseconds. */
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';

export type RequestStatus =
  | 'new'
  | 'in_progress'
  | 'WAITING_SIGNATURE'
  | 'WAITING_PAYMENT'
  | 'COMPLETE'
  | 'CANCELED';
export type ContractStatus = 'PENDING' | 'SIGNED' | 'EXPIRED';
export type Role = 'ROLE_USER' | 'ROLE_ADMIN';
export type JobState = 'available' | 'running' | 'completed' | 'failed';
export type PaymentStatus = 'open' | 'paid' | 'expired';
export type InboxSource = 'signature' | 'payment';
/** received: its work is not finished. done, refused, ignored: nothing more will happen. */
export type InboxState = 'received' | 'done' | 'refused' | 'ignored';
/** Runs that ask a provider about many things. */
export type RoundName = 'reconcile' | 'trails' | 'payments' | 'reminders';
export type RunName = RoundName | 'expire' | 'care' | 'backup' | 'digest' | 'snapshot' | 'offsite';
/** `mail`: the mail server refuses us. */
export type FailingName = RunName | 'mail';
/** The events that subscriptions can receive (rules 8). */
export type OfferStatus = 'draft' | 'sent' | 'accepted' | 'refused';
export type TroubleshootingStatus = 'open' | 'in_progress' | 'solved';
export type EventName = 'request.created' | 'request.updated' | 'offer.created' | 'troubleshooting.updated';
/** pending: another attempt will follow. failed: none will, or the subscription was disabled. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

interface UsersTable {
  id: Generated<number>;
  username: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  /** Null: that of the settings. */
  locale: 'en' | 'fr' | null;
  role: Role;
  enabled: number;
  /** Raised when the password changes or the user is disabled; older access tokens are void. */
  tokenVersion: Generated<number>;
  /** Raised when the password, the address or `enabled` changes; older links to set a password are void. */
  linkVersion: Generated<number>;
  createdAt: string;
  updatedAt: string;
  /** When the personal data were erased. */
  erasedAt: string | null;
}

interface RefreshTokensTable {
  id: Generated<number>;
  userId: number;
  /** The log-in from which the token descends. */
  family: string;
  tokenHash: string;
  createdAt: string;
  expiresAt: string;
  usedAt: string | null;
  revokedAt: string | null;
}

interface PasswordLinksTable {
  id: Generated<number>;
  userId: number;
  purpose: 'invitation' | 'reset';
  /** Of its token: SHA-256 in hex. */
  tokenHash: string;
  /** The user's `linkVersion` for which it was made. */
  version: number;
  createdAt: string;
  expiresAt: string;
  usedAt: string | null;
}

interface EquipmentsTable {
  id: Generated<number>;
  ownerId: number;
  name: string;
  model: string;
  serialNumber: string;
  createdAt: string;
  updatedAt: string;
}

interface RequestsTable {
  id: Generated<number>;
  reference: GeneratedAlways<string>;
  ownerId: number;
  equipmentId: number;
  title: string;
  description: string;
  status: RequestStatus;
  paymentUrl: string | null;
  paymentId: string | null;
  createdAt: string;
  updatedAt: string;
  statusSince: string;
  /** From when on the office has to look at it, unless something happens before (core/requests/due-date.ts). */
  dueAt: string | null;
  /** Of the lasting link to pay; null until there is something to pay. */
  payToken: string | null;
  /** When the customer is next reminded to pay; null: not again. */
  remindAt: string | null;
}

interface ContractsTable {
  id: Generated<number>;
  requestId: number;
  status: ContractStatus;
  signId: string | null;
  signerId: string | null;
  signUrl: string | null;
  signUrlExpiresAt: string | null;
  /** When the provider was first asked to send it; from then on the customer may have it. */
  activationAskedAt: string | null;
  /** The digest of its terms. Null: made by an older version. */
  termsDigest: string | null;
  amount: number;
  currency: string;
  createdAt: string;
  expiredAt: string | null;
  signedAt: string | null;
  /** Of the stored signed PDF: SHA-256 in hex, and bytes. */
  pdfSha256: string | null;
  pdfSize: number | null;
  /** Of the stored PDF to sign: SHA-256 in hex. Null: none is stored. Empty: stored by an older version. */
  draftSha256: string | null;
  /** 1 when the PDF to sign was supplied rather than generated. */
  ownPdf: ColumnType<number, boolean | undefined, number>;
  /** Part of the payment's idempotency key; raised only when a person replays. */
  paymentGeneration: Generated<number>;
  /** Random; the contract's part of our names at the providers. */
  key: string;
  /** Its name at the signature provider. */
  externalId: string;
  /** The idempotency key of the next payment call; changes with the generation. */
  paymentKey: string;
  /** The address it was sent to; the customer's may have changed since. Null: not sent, or sent by an older version. */
  signerEmail: string | null;
  /** Why the last attempt to send it failed, as words and params in JSON; null: not by the provider's answer, or it may have been sent. */
  refusal: string | null;
}

interface InstallationTable {
  one: number;
  id: string;
  createdAt: string;
}

interface HoldTable {
  one: number;
  /** When it was restored. */
  since: string;
  /** When the backup was made. */
  madeAt: string;
  /** The newest job of the backup: those up to it may have been done elsewhere. */
  lastJobId: number;
}

interface PaymentsTable {
  id: Generated<number>;
  contractId: number;
  generation: number;
  paymentId: string;
  paymentUrl: string | null;
  status: PaymentStatus;
  /** What it costs; once it is paid, what was paid. */
  amount: number;
  currency: string;
  createdAt: string;
  expiresAt: string | null;
  paidAt: string | null;
  /** Since when the customer has paid by a means that takes days; null when not known to. */
  pendingSince: string | null;
  /** When a person gave it up while its money was on its way; null when it was not, or the money has arrived or failed. */
  givenUpAt: string | null;
}

interface JobsTable {
  id: Generated<number>;
  /** Declared in the program (core/jobs/kinds.ts). */
  kind: string;
  payload: string;
  uniqueKey: string | null;
  state: JobState;
  attempt: Generated<number>;
  runAt: string;
  leaseUntil: string | null;
  leaseToken: string | null;
  /** The process that runs it (core/installation/process.ts). */
  leaseHolder: string | null;
  requestId: number | null;
  contractId: number | null;
  lastError: string | null;
  /** JSON list of {attempt, at, error, reason?}: the first and the last nine. */
  errors: Generated<string>;
  replays: Generated<number>;
  createdAt: string;
  finishedAt: string | null;
  /** Jobs of one lane run one after the other; null: in parallel, up to the kind's slots. */
  lane: string | null;
}

interface LanesTable {
  name: string;
  /** When its first waiting job is due; kept by triggers on jobs, like `running`. */
  dueAt: string | null;
  running: Generated<number>;
  /** 1 when the last attempt was slow. */
  isSlow: Generated<number>;
}

interface WebhooksTable {
  id: Generated<number>;
  ownerId: number;
  url: string;
  event: EventName;
  /** Encrypted, like the previous one, which stays valid for a day. */
  secret: string;
  oldSecret: string | null;
  oldSecretUntil: string | null;
  active: Generated<number>;
  /** Why it was disabled; null when its owner did it. */
  disabledReason: string | null;
  /** Deliveries in a row that failed for good, and since when no attempt succeeded. */
  failures: Generated<number>;
  failingSince: string | null;
  /** Of the last attempt that failed, also when later ones succeeded: a word such as http_503. */
  lastError: string | null;
  lastErrorAt: string | null;
  createdAt: string;
  updatedAt: string;
}

interface DeliveriesTable {
  id: Generated<number>;
  webhookId: number;
  /** The `webhook-id` of every attempt; sortable by time. */
  messageId: string;
  /** One of EventName, or ping. */
  event: string;
  /** The request it is about, or the one that its offer or troubleshooting belongs to. */
  requestId: number | null;
  /** The body without its signature, frozen when the event happened. */
  content: string;
  /** The signature inside the body, made at the first attempt; then the bytes stay the same. */
  signature: string | null;
  state: DeliveryState;
  createdAt: string;
  finishedAt: string | null;
}

interface DeliveryAttemptsTable {
  id: Generated<number>;
  deliveryId: number;
  at: string;
  ms: number;
  url: string;
  /** delivered, or a word for the trouble: timeout, connection_refused, http_503 … */
  outcome: string;
  status: number | null;
  /** JSON object of the headers worth knowing. */
  headers: string | null;
  /** The beginning of the answer's body. */
  answer: string | null;
}

interface InboxTable {
  id: Generated<number>;
  source: InboxSource;
  /** The provider's event id, or the body's digest if there is none. */
  eventKey: string;
  eventName: string;
  /** signId or paymentId. */
  subjectId: string;
  contractId: number | null;
  body: Buffer | null;
  state: InboxState;
  outcome: string | null;
  receivedAt: string;
  finishedAt: string | null;
}

interface RejectedDeliveriesTable {
  id: Generated<number>;
  source: InboxSource;
  reason: string;
  size: number;
  address: string;
  /** What the body claims to be about; unverified, kept so that `explain` can show it. */
  claimedId: string | null;
  at: string;
}

interface HistoryTable {
  id: Generated<number>;
  at: string;
  requestId: number | null;
  contractId: number | null;
  /** Who: system, webhook, schedule, user:<username>, cli:<login>. */
  actor: string;
  /** What: a word such as request.moved or contract.ended. */
  what: string;
  /** `user:5`, `webhook:3`, `equipment:2`; null for anything else. */
  subject: string | null;
  /** JSON object. */
  detail: string;
}

/** A document at the signature provider that bears our name and is unknown here. */
interface UnknownSignaturesTable {
  signId: string;
  externalId: string;
  /** The provider's word when it was last seen. */
  status: string;
  name: string | null;
  /** When it was first found. */
  seenAt: string;
  /** Somebody has dealt with it; null: it needs the office. */
  settledAt: string | null;
}

/** Of a signed contract. */
interface AuditTrailsTable {
  contractId: number;
  /** When the provider is asked next; null: it is kept, or given up. */
  dueAt: string | null;
  /** JSON list of {name, sha256}; null: not kept. */
  files: string | null;
}

/** The settings with which the daemon last ran. */
interface SettingsInForceTable {
  name: string;
  /** Keyed, because some settings are secrets. */
  digest: string;
}

/** A mail about a request as it was sent. */
interface SentMailsTable {
  id: Generated<number>;
  requestId: number;
  contractId: number | null;
  at: string;
  /** Which one: payment-link, contract-signed … */
  mail: string;
  sender: string;
  address: string;
  messageId: string;
  subject: string;
  body: string;
  /** JSON list of {filename, sha256}. */
  attachments: string;
}

interface LocksTable {
  name: string;
  token: string;
  /** The process that works under it (core/installation/process.ts). */
  holder: string;
  until: string;
}

interface RunsTable {
  id: Generated<number>;
  name: RunName;
  startedAt: string;
  finishedAt: string | null;
  result: string | null;
}

/** A failing run; removed by a successful one. */
interface FailingRunsTable {
  name: FailingName;
  since: string;
  lastAt: string;
  times: number;
  error: string;
  /** Of a file error, such as `EACCES`. */
  code: string | null;
}

/** Where a round of calls broke off; removed by one that is whole. */
interface RoundPlacesTable {
  name: string;
  /** Of a list: the cursor of the page that failed. Else the key of the last one that was tried. */
  place: string;
}

interface CountersTable {
  name: string;
  value: number;
}

/** Calls of a user that leave the hourly window together, an hour after `lastAt`. */
interface UserCallsTable {
  userId: number;
  firstAt: string;
  lastAt: string;
  count: number;
}

interface IdempotencyKeysTable {
  userId: number;
  /** Method and path. */
  operation: string;
  key: string;
  /** Of the body. */
  fingerprint: string;
  /** JSON. */
  answer: string;
  expiresAt: string;
}

/** A log-in to the back office; the cookie's token is kept as a digest. */
interface SessionsTable {
  id: Generated<number>;
  userId: number;
  tokenHash: string;
  tokenVersion: number;
  address: string;
  agent: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  flash: string | null;
}

/** The search index of requests, or of customers, by trigrams (FTS5): `rowid` is the id. */
interface WordsTable {
  rowid: number;
}

/** All that a request, or a customer, is known by: what is indexed. */
interface TextsView {
  id: number;
  text: string;
}

/** Goes with its request. */
interface AttachedTable {
  id: Generated<number>;
  reference: GeneratedAlways<string>;
  requestId: number;
  /** Of the request. */
  ownerId: number;
  description: string;
  createdAt: string;
  updatedAt: string;
}

interface OffersTable extends AttachedTable {
  status: OfferStatus;
  amount: number;
  currency: string;
}

interface TroubleshootingsTable extends AttachedTable {
  status: TroubleshootingStatus;
}

export interface Schema {
  users: UsersTable;
  refreshTokens: RefreshTokensTable;
  passwordLinks: PasswordLinksTable;
  equipments: EquipmentsTable;
  requests: RequestsTable;
  contracts: ContractsTable;
  installation: InstallationTable;
  hold: HoldTable;
  payments: PaymentsTable;
  jobs: JobsTable;
  inbox: InboxTable;
  rejectedDeliveries: RejectedDeliveriesTable;
  history: HistoryTable;
  sentMails: SentMailsTable;
  auditTrails: AuditTrailsTable;
  unknownSignatures: UnknownSignaturesTable;
  settingsInForce: SettingsInForceTable;
  locks: LocksTable;
  runs: RunsTable;
  failingRuns: FailingRunsTable;
  roundPlaces: RoundPlacesTable;
  counters: CountersTable;
  userCalls: UserCallsTable;
  lanes: LanesTable;
  webhooks: WebhooksTable;
  deliveries: DeliveriesTable;
  deliveryAttempts: DeliveryAttemptsTable;
  idempotencyKeys: IdempotencyKeysTable;
  sessions: SessionsTable;
  requestWords: WordsTable;
  requestTexts: TextsView;
  customerWords: WordsTable;
  customerTexts: TextsView;
  offers: OffersTable;
  troubleshootings: TroubleshootingsTable;
}

export type UserRow = Selectable<UsersTable>;
export type RefreshTokenRow = Selectable<RefreshTokensTable>;
export type PasswordLinkRow = Selectable<PasswordLinksTable>;
export type EquipmentRow = Selectable<EquipmentsTable>;
export type RequestRow = Selectable<RequestsTable>;
export type ContractRow = Selectable<ContractsTable>;
export type PaymentRow = Selectable<PaymentsTable>;
export type HoldRow = Selectable<HoldTable>;
export type JobRow = Selectable<JobsTable>;
export type InboxRow = Selectable<InboxTable>;
export type RejectedDeliveryRow = Selectable<RejectedDeliveriesTable>;
export type HistoryRow = Selectable<HistoryTable>;
export type SentMailRow = Selectable<SentMailsTable>;
export type RunRow = Selectable<RunsTable>;
export type FailingRunRow = Selectable<FailingRunsTable>;
export type UnknownSignatureRow = Selectable<UnknownSignaturesTable>;
export type UserCallsRow = Selectable<UserCallsTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<DeliveriesTable>;
export type DeliveryAttemptRow = Selectable<DeliveryAttemptsTable>;
export type IdempotencyKeyRow = Selectable<IdempotencyKeysTable>;
export type SessionRow = Selectable<SessionsTable>;
export type OfferRow = Selectable<OffersTable>;
export type TroubleshootingRow = Selectable<TroubleshootingsTable>;
