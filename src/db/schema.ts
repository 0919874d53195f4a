/** Written by `npm run schema` from schema.sql, which says what each column means. Not to be edited. */
import type { Generated, GeneratedAlways, Selectable } from 'kysely';

export type UserLocale = 'en' | 'fr';
export type Role = 'ROLE_USER' | 'ROLE_ADMIN';
export type PasswordLinkPurpose = 'invitation' | 'reset';
export type RequestStatus = 'new' | 'in_progress' | 'WAITING_SIGNATURE' | 'WAITING_PAYMENT' | 'COMPLETE' | 'CANCELED';
export type OfferStatus = 'draft' | 'sent' | 'accepted' | 'refused';
export type TroubleshootingStatus = 'open' | 'in_progress' | 'solved';
export type ContractStatus = 'PENDING' | 'SIGNED' | 'EXPIRED';
export type ContractSending = 'unsent' | 'asked' | 'sent';
export type ContractEndReason = 'declined' | 'canceled' | 'rejected' | 'deleted' | 'expired' | 'signer_error' | 'not_found' | 'reset' | 'replaced' | 'request_canceled' | 'date_passed';
export type ContractTold = 'late' | 'foreign' | 'elsewhere';
export type PaymentState = 'open' | 'pending' | 'given_up' | 'over' | 'case' | 'paid' | 'settled';
export type CaseKind = 'payment' | 'signed_late' | 'canceled_signed' | 'replaced_signed' | 'foreign_signature' | 'unknown_document' | 'unknown_payment' | 'recipient_refused';
export type CaseDecision = 'accepted' | 'settled' | 'overtaken';
export type JobState = 'available' | 'running' | 'completed' | 'failed';
export type InboxSource = 'signature' | 'payment';
export type InboxState = 'received' | 'done' | 'refused' | 'ignored';
export type RejectedDeliverySource = 'signature' | 'payment';
export type EventName = 'request.created' | 'request.updated' | 'offer.created' | 'troubleshooting.updated';
export type DeliveryState = 'pending' | 'delivered' | 'failed';
export type RunName = 'expire' | 'reconcile' | 'care' | 'backup' | 'payments' | 'reminders' | 'trails' | 'snapshot' | 'offsite' | 'digest';
export type FailingName = 'expire' | 'reconcile' | 'care' | 'backup' | 'mail' | 'payments' | 'reminders' | 'trails' | 'snapshot' | 'offsite' | 'digest';

export interface UsersTable {
  id: Generated<number>;
  username: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  locale: UserLocale | null;
  role: Role;
  enabled: number;
  tokenVersion: Generated<number>;
  linkVersion: Generated<number>;
  createdAt: string;
  updatedAt: string;
  erasedAt: string | null;
}

export interface RefreshTokensTable {
  id: Generated<number>;
  userId: number;
  family: string;
  tokenHash: string;
  createdAt: string;
  expiresAt: string;
  usedAt: string | null;
  revokedAt: string | null;
}

export interface SessionsTable {
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

export interface PasswordLinksTable {
  id: Generated<number>;
  userId: number;
  purpose: PasswordLinkPurpose;
  tokenHash: string;
  version: number;
  createdAt: string;
  expiresAt: string;
  usedAt: string | null;
}

export interface UserCallsTable {
  userId: number;
  firstAt: string;
  lastAt: string;
  count: number;
}

export interface IdempotencyKeysTable {
  userId: number;
  operation: string;
  key: string;
  fingerprint: string;
  answer: string;
  expiresAt: string;
}

export interface EquipmentsTable {
  id: Generated<number>;
  ownerId: number;
  name: string;
  model: string;
  serialNumber: string;
  createdAt: string;
  updatedAt: string;
}

export interface RequestsTable {
  id: Generated<number>;
  reference: GeneratedAlways<string>;
  ownerId: number;
  equipmentId: number;
  title: string;
  description: string;
  status: RequestStatus;
  statusSince: string;
  dueAt: string | null;
  paymentId: string | null;
  paymentUrl: string | null;
  payToken: string | null;
  remindAt: string | null;
  remindedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface OffersTable {
  id: Generated<number>;
  reference: GeneratedAlways<string>;
  requestId: number;
  ownerId: number;
  description: string;
  status: OfferStatus;
  amount: number;
  currency: string;
  createdAt: string;
  updatedAt: string;
}

export interface TroubleshootingsTable {
  id: Generated<number>;
  reference: GeneratedAlways<string>;
  requestId: number;
  ownerId: number;
  description: string;
  status: TroubleshootingStatus;
  createdAt: string;
  updatedAt: string;
}

export interface ContractsTable {
  id: Generated<number>;
  requestId: number;
  status: ContractStatus;
  key: string;
  externalId: string;
  signId: string | null;
  sending: Generated<ContractSending>;
  signerId: string | null;
  signerEmail: string | null;
  signUrl: string | null;
  signUrlExpiresAt: string | null;
  activationAskedAt: string | null;
  correctedAt: string | null;
  refusal: string | null;
  termsDigest: string | null;
  amount: number;
  currency: string;
  createdAt: string;
  expiredAt: string | null;
  signedAt: string | null;
  pdfSha256: string | null;
  pdfSize: number | null;
  draftSha256: string | null;
  ownPdf: Generated<number>;
  endReason: ContractEndReason | null;
  endedAt: string | null;
  declineReason: string | null;
  told: ContractTold | null;
  failedSigningAt: string | null;
  paymentKey: string | null;
}

export interface AuditTrailsTable {
  contractId: Generated<number>;
  dueAt: string | null;
  files: string | null;
}

export interface PaymentsTable {
  id: Generated<number>;
  contractId: number;
  paymentId: string;
  paymentUrl: string | null;
  state: PaymentState;
  amount: number | null;
  currency: string | null;
  createdAt: string;
  expiresAt: string | null;
  pendingSince: string | null;
  refusedAt: string | null;
  paidAt: string | null;
}

export interface CasesTable {
  id: Generated<number>;
  kind: CaseKind;
  subject: string;
  requestId: number | null;
  contractId: number | null;
  detail: Generated<string>;
  openedAt: string;
  decidedAt: string | null;
  decision: CaseDecision | null;
  decidedBy: string | null;
  reason: string | null;
}

export interface JobsTable {
  id: Generated<number>;
  kind: string;
  payload: string;
  uniqueKey: string | null;
  lane: string | null;
  state: JobState;
  attempt: Generated<number>;
  runAt: string;
  leaseUntil: string | null;
  leaseToken: string | null;
  leaseHolder: string | null;
  requestId: number | null;
  contractId: number | null;
  lastError: string | null;
  errors: Generated<string>;
  replays: Generated<number>;
  createdAt: string;
  finishedAt: string | null;
}

export interface LanesTable {
  name: string;
  dueAt: string | null;
  running: Generated<number>;
  isSlow: Generated<number>;
}

export interface InboxTable {
  id: Generated<number>;
  source: InboxSource;
  eventKey: string;
  eventName: string;
  subjectId: string;
  contractId: number | null;
  body: Buffer | null;
  state: InboxState;
  outcome: string | null;
  receivedAt: string;
  finishedAt: string | null;
}

export interface RejectedDeliveriesTable {
  id: Generated<number>;
  source: RejectedDeliverySource;
  reason: string;
  size: number;
  address: string;
  claimedId: string | null;
  at: string;
}

export interface WebhooksTable {
  id: Generated<number>;
  ownerId: number;
  url: string;
  event: EventName;
  secret: string;
  oldSecret: string | null;
  oldSecretUntil: string | null;
  active: Generated<number>;
  disabledReason: string | null;
  failures: Generated<number>;
  failingSince: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface DeliveriesTable {
  id: Generated<number>;
  webhookId: number;
  messageId: string;
  event: string;
  requestId: number | null;
  content: string;
  signature: string | null;
  state: DeliveryState;
  createdAt: string;
  finishedAt: string | null;
}

export interface DeliveryAttemptsTable {
  id: Generated<number>;
  deliveryId: number;
  at: string;
  ms: number;
  url: string;
  outcome: string;
  status: number | null;
  headers: string | null;
  answer: string | null;
}

export interface SentMailsTable {
  id: Generated<number>;
  requestId: number;
  contractId: number | null;
  at: string;
  mail: string;
  sender: string;
  address: string;
  messageId: string;
  subject: string;
  body: string;
  attachments: string;
}

export interface HistoryTable {
  id: Generated<number>;
  at: string;
  requestId: number | null;
  contractId: number | null;
  actor: string;
  what: string;
  subject: string | null;
  detail: string;
}

export interface InstallationTable {
  one: Generated<number>;
  id: string;
  createdAt: string;
}

export interface HoldTable {
  one: Generated<number>;
  since: string;
  madeAt: string;
  lastJobId: number;
}

export interface RunsTable {
  id: Generated<number>;
  name: RunName;
  startedAt: string;
  finishedAt: string | null;
  result: string | null;
}

export interface FailingRunsTable {
  name: FailingName;
  since: string;
  lastAt: string;
  times: number;
  error: string;
  code: string | null;
}

export interface RoundPlacesTable {
  name: string;
  place: string;
}

export interface LocksTable {
  name: string;
  token: string;
  holder: string;
  until: string;
}

export interface CountersTable {
  name: string;
  value: number;
}

export interface SettingsInForceTable {
  name: string;
  digest: string;
}

export interface ProbesTable {
  id: Generated<number>;
  filler: Buffer;
}

export interface CustomerTextsTable {
  id: number;
  text: string;
}

export interface RequestTextsTable {
  id: number;
  ownerId: number;
  equipmentId: number;
  text: string;
}

export interface CustomerWordsTable {
  rowid: number;
}

export interface RequestWordsTable {
  rowid: number;
}

export interface Schema {
  users: UsersTable;
  refreshTokens: RefreshTokensTable;
  sessions: SessionsTable;
  passwordLinks: PasswordLinksTable;
  userCalls: UserCallsTable;
  idempotencyKeys: IdempotencyKeysTable;
  equipments: EquipmentsTable;
  requests: RequestsTable;
  offers: OffersTable;
  troubleshootings: TroubleshootingsTable;
  contracts: ContractsTable;
  auditTrails: AuditTrailsTable;
  payments: PaymentsTable;
  cases: CasesTable;
  jobs: JobsTable;
  lanes: LanesTable;
  inbox: InboxTable;
  rejectedDeliveries: RejectedDeliveriesTable;
  webhooks: WebhooksTable;
  deliveries: DeliveriesTable;
  deliveryAttempts: DeliveryAttemptsTable;
  sentMails: SentMailsTable;
  history: HistoryTable;
  installation: InstallationTable;
  hold: HoldTable;
  runs: RunsTable;
  failingRuns: FailingRunsTable;
  roundPlaces: RoundPlacesTable;
  locks: LocksTable;
  counters: CountersTable;
  settingsInForce: SettingsInForceTable;
  probes: ProbesTable;
  customerTexts: CustomerTextsTable;
  requestTexts: RequestTextsTable;
  customerWords: CustomerWordsTable;
  requestWords: RequestWordsTable;
}

export type UserRow = Selectable<UsersTable>;
export type RefreshTokenRow = Selectable<RefreshTokensTable>;
export type SessionRow = Selectable<SessionsTable>;
export type PasswordLinkRow = Selectable<PasswordLinksTable>;
export type UserCallRow = Selectable<UserCallsTable>;
export type IdempotencyKeyRow = Selectable<IdempotencyKeysTable>;
export type EquipmentRow = Selectable<EquipmentsTable>;
export type RequestRow = Selectable<RequestsTable>;
export type OfferRow = Selectable<OffersTable>;
export type TroubleshootingRow = Selectable<TroubleshootingsTable>;
export type ContractRow = Selectable<ContractsTable>;
export type AuditTrailRow = Selectable<AuditTrailsTable>;
export type PaymentRow = Selectable<PaymentsTable>;
export type CaseRow = Selectable<CasesTable>;
export type JobRow = Selectable<JobsTable>;
export type LaneRow = Selectable<LanesTable>;
export type InboxRow = Selectable<InboxTable>;
export type RejectedDeliveryRow = Selectable<RejectedDeliveriesTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<DeliveriesTable>;
export type DeliveryAttemptRow = Selectable<DeliveryAttemptsTable>;
export type SentMailRow = Selectable<SentMailsTable>;
export type HistoryRow = Selectable<HistoryTable>;
export type InstallationRow = Selectable<InstallationTable>;
export type HoldRow = Selectable<HoldTable>;
export type RunRow = Selectable<RunsTable>;
export type FailingRunRow = Selectable<FailingRunsTable>;
export type RoundPlaceRow = Selectable<RoundPlacesTable>;
export type LockRow = Selectable<LocksTable>;
export type CounterRow = Selectable<CountersTable>;
export type SettingsInForceRow = Selectable<SettingsInForceTable>;
export type ProbeRow = Selectable<ProbesTable>;
export type CustomerTextRow = Selectable<CustomerTextsTable>;
export type RequestTextRow = Selectable<RequestTextsTable>;
export type CustomerWordRow = Selectable<CustomerWordsTable>;
export type RequestWordRow = Selectable<RequestWordsTable>;
