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
export type CaseKind = 'payment' | 'signed_late' | 'canceled_signed' | 'replaced_signed' | 'foreign_signature' | 'unknown_document' | 'unknown_payment' | 'recipient_refused' | 'term_ends';
export type CaseDecision = 'accepted' | 'settled' | 'overtaken';
export type JobState = 'available' | 'running' | 'completed' | 'failed';
export type InboxSource = 'signature' | 'payment';
export type InboxState = 'received' | 'done' | 'refused' | 'ignored';
export type RejectedDeliverySource = 'signature' | 'payment';
export type EventName = 'request.created' | 'request.updated' | 'offer.created' | 'troubleshooting.updated';
export type DeliveryState = 'pending' | 'delivered' | 'failed';
export type RunName = 'expire' | 'reconcile' | 'housekeeping' | 'backup' | 'payments' | 'reminders' | 'trails' | 'snapshot' | 'offsite' | 'digest';
export type FailingName = 'expire' | 'reconcile' | 'housekeeping' | 'backup' | 'mail' | 'payments' | 'reminders' | 'trails' | 'snapshot' | 'offsite' | 'digest';

export interface Schema {
  users: {
    id: Generated<number>;
    username: string;
    passwordHash: string;
    firstName: string;
    lastName: string;
    phone: string | null;
    locale: UserLocale | null;
    address: string | null;
    role: Role;
    enabled: number;
    tokenVersion: Generated<number>;
    linkVersion: Generated<number>;
    createdAt: string;
    updatedAt: string;
    erasedAt: string | null;
  };
  refreshTokens: {
    id: Generated<number>;
    userId: number;
    family: string;
    tokenHash: string;
    createdAt: string;
    expiresAt: string;
    usedAt: string | null;
    revokedAt: string | null;
  };
  sessions: {
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
  };
  passwordLinks: {
    id: Generated<number>;
    userId: number;
    purpose: PasswordLinkPurpose;
    tokenHash: string;
    version: number;
    createdAt: string;
    expiresAt: string;
    usedAt: string | null;
  };
  userCalls: {
    userId: number;
    firstAt: string;
    lastAt: string;
    count: number;
  };
  idempotencyKeys: {
    userId: number;
    operation: string;
    key: string;
    fingerprint: string;
    answer: string;
    expiresAt: string;
  };
  equipments: {
    id: Generated<number>;
    ownerId: number;
    name: string;
    model: string;
    serialNumber: string;
    createdAt: string;
    updatedAt: string;
  };
  requests: {
    id: Generated<number>;
    reference: GeneratedAlways<string>;
    ownerId: number;
    equipmentId: number;
    title: string;
    description: string;
    status: RequestStatus;
    statusSince: string;
    amount: number | null;
    currency: string | null;
    dueAt: string | null;
    paymentId: string | null;
    paymentUrl: string | null;
    payToken: string | null;
    remindAt: string | null;
    remindedAt: string | null;
    renewsId: number | null;
    createdAt: string;
    updatedAt: string;
  };
  offers: {
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
  };
  prices: {
    id: Generated<number>;
    words: string;
    amount: number;
    currency: string;
    createdAt: string;
    updatedAt: string;
  };
  troubleshootings: {
    id: Generated<number>;
    reference: GeneratedAlways<string>;
    requestId: number;
    ownerId: number;
    description: string;
    status: TroubleshootingStatus;
    createdAt: string;
    updatedAt: string;
  };
  contracts: {
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
    vat: number | null;
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
  };
  auditTrails: {
    contractId: Generated<number>;
    dueAt: string | null;
    files: string | null;
  };
  payments: {
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
  };
  cases: {
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
  };
  jobs: {
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
  };
  lanes: {
    name: string;
    dueAt: string | null;
    running: Generated<number>;
    isSlow: Generated<number>;
  };
  inbox: {
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
  };
  rejectedDeliveries: {
    id: Generated<number>;
    source: RejectedDeliverySource;
    reason: string;
    size: number;
    address: string;
    claimedId: string | null;
    at: string;
  };
  webhooks: {
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
  };
  deliveries: {
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
  };
  deliveryAttempts: {
    id: Generated<number>;
    deliveryId: number;
    at: string;
    ms: number;
    url: string;
    outcome: string;
    status: number | null;
    headers: string | null;
    answer: string | null;
  };
  sentMails: {
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
  };
  history: {
    id: Generated<number>;
    at: string;
    requestId: number | null;
    contractId: number | null;
    actor: string;
    what: string;
    subject: string | null;
    detail: string;
  };
  installation: {
    one: Generated<number>;
    id: string;
    createdAt: string;
  };
  hold: {
    one: Generated<number>;
    since: string;
    madeAt: string;
    lastJobId: number;
  };
  runs: {
    id: Generated<number>;
    name: RunName;
    startedAt: string;
    finishedAt: string | null;
    result: string | null;
  };
  failingRuns: {
    name: FailingName;
    since: string;
    lastAt: string;
    times: number;
    error: string;
    code: string | null;
  };
  roundPlaces: {
    name: string;
    place: string;
  };
  locks: {
    name: string;
    token: string;
    holder: string;
    until: string;
  };
  counters: {
    name: string;
    value: number;
  };
  settingsInForce: {
    name: string;
    digest: string;
  };
  probes: {
    id: Generated<number>;
    filler: Buffer;
  };
  customerTexts: {
    id: number;
    text: string;
  };
  requestTexts: {
    id: number;
    ownerId: number;
    equipmentId: number;
    text: string;
  };
  customerWords: {
    rowid: number;
  };
  requestWords: {
    rowid: number;
  };
}

export type UserRow = Selectable<Schema['users']>;
export type RefreshTokenRow = Selectable<Schema['refreshTokens']>;
export type SessionRow = Selectable<Schema['sessions']>;
export type PasswordLinkRow = Selectable<Schema['passwordLinks']>;
export type UserCallRow = Selectable<Schema['userCalls']>;
export type IdempotencyKeyRow = Selectable<Schema['idempotencyKeys']>;
export type EquipmentRow = Selectable<Schema['equipments']>;
export type RequestRow = Selectable<Schema['requests']>;
export type OfferRow = Selectable<Schema['offers']>;
export type PriceRow = Selectable<Schema['prices']>;
export type TroubleshootingRow = Selectable<Schema['troubleshootings']>;
export type ContractRow = Selectable<Schema['contracts']>;
export type PaymentRow = Selectable<Schema['payments']>;
export type CaseRow = Selectable<Schema['cases']>;
export type JobRow = Selectable<Schema['jobs']>;
export type InboxRow = Selectable<Schema['inbox']>;
export type RejectedDeliveryRow = Selectable<Schema['rejectedDeliveries']>;
export type WebhookRow = Selectable<Schema['webhooks']>;
export type DeliveryRow = Selectable<Schema['deliveries']>;
export type DeliveryAttemptRow = Selectable<Schema['deliveryAttempts']>;
export type SentMailRow = Selectable<Schema['sentMails']>;
export type HistoryRow = Selectable<Schema['history']>;
export type HoldRow = Selectable<Schema['hold']>;
export type RunRow = Selectable<Schema['runs']>;
export type FailingRunRow = Selectable<Schema['failingRuns']>;
export type LockRow = Selectable<Schema['locks']>;
