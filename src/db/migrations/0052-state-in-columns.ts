/** What a payment and a contract are to us, and what a person must decide, stand in columns; before, they were read from the history. */
const CASES = `
CREATE TABLE cases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind = 'payment' OR kind = 'signed_late' OR kind = 'canceled_signed' OR kind = 'replaced_signed' OR kind = 'foreign_signature' OR kind = 'unknown_document' OR kind = 'unknown_payment' OR kind = 'recipient_refused' OR kind = 'term_ends'),
  subject TEXT NOT NULL,
  requestId INTEGER REFERENCES requests (id) ON DELETE CASCADE,
  contractId INTEGER,
  detail TEXT NOT NULL DEFAULT '{}',
  openedAt TEXT NOT NULL,
  decidedAt TEXT,
  decision TEXT CHECK (decision = 'accepted' OR decision = 'settled' OR decision = 'overtaken'),
  decidedBy TEXT,
  reason TEXT,
  UNIQUE (kind, subject),
  CHECK ((decidedAt IS NULL) = (decision IS NULL) AND (decidedAt IS NULL) = (decidedBy IS NULL))
) STRICT;
CREATE INDEX casesOpen ON cases (openedAt, id) WHERE decidedAt IS NULL;
CREATE INDEX casesByRequest ON cases (requestId, id) WHERE requestId IS NOT NULL;
CREATE INDEX casesByDecider ON cases (decidedBy) WHERE decidedBy IS NOT NULL;
`;

/** What the history tells last of each payment as a case, and what has decided about it since. */
const TOLD = `
CREATE TEMP TABLE told AS
  SELECT h.id, h.at, h.requestId, h.contractId, h.what, h.detail ->> '$.paymentId' AS paymentId,
    h.detail ->> '$.amount' AS amount, h.detail ->> '$.currency' AS currency
  FROM history h WHERE h.what IN ('payment.old_session_paid', 'payment.paid_unsigned', 'payment.canceled_paid', 'payment.other_price');
CREATE INDEX temp.toldByPayment ON told (paymentId, id);

CREATE TEMP TABLE decided AS
  SELECT t.paymentId, d.id, d.at, d.actor, d.detail ->> '$.reason' AS reason,
    CASE WHEN d.what = 'payment.received' THEN 'overtaken' WHEN d.what = 'request.moved' THEN 'accepted' ELSE 'settled' END AS decision
  FROM told t JOIN history d ON d.requestId = t.requestId AND d.id > t.id
    AND d.what IN ('payment.received', 'payment.renewed', 'request.moved', 'request.settled')
  WHERE d.what = 'payment.received' AND d.detail ->> '$.paymentId' = t.paymentId
    OR (d.what = 'request.settled' OR d.what = 'payment.renewed' AND d.actor <> 'customer'
        OR d.what = 'request.moved' AND d.detail ->> '$.to' = 'COMPLETE' AND d.detail ->> '$.reason' IS NOT NULL)
      AND (d.detail -> '$.payments' IS NULL
        OR EXISTS (SELECT 1 FROM json_each(d.detail, '$.payments') WHERE value = t.paymentId));
CREATE INDEX temp.decidedByPayment ON decided (paymentId, id);

INSERT INTO cases (kind, subject, requestId, contractId, detail, openedAt, decidedAt, decision, decidedBy, reason)
  SELECT 'payment', t.paymentId, t.requestId, t.contractId, '{}', t.at, d.at, d.decision, d.actor, d.reason
  FROM told t LEFT JOIN decided d ON d.id = (SELECT min(id) FROM decided WHERE paymentId = t.paymentId) AND d.paymentId = t.paymentId
  WHERE t.requestId IN (SELECT id FROM requests) AND t.id = (SELECT min(id) FROM told WHERE paymentId = t.paymentId)
  GROUP BY t.paymentId;
`;

const PAYMENTS = `
CREATE TABLE newPayments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contractId INTEGER NOT NULL REFERENCES contracts (id),
  paymentId TEXT NOT NULL UNIQUE,
  paymentUrl TEXT,
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'pending' OR state = 'given_up' OR state = 'over' OR state = 'case' OR state = 'paid' OR state = 'settled'),
  amount INTEGER,
  currency TEXT,
  createdAt TEXT NOT NULL,
  expiresAt TEXT,
  pendingSince TEXT,
  refusedAt TEXT,
  paidAt TEXT,
  CHECK ((state = 'case' OR state = 'paid' OR state = 'settled') = (paidAt IS NOT NULL))
) STRICT;
INSERT INTO newPayments (id, contractId, paymentId, paymentUrl, state, amount, currency, createdAt, expiresAt, pendingSince, refusedAt, paidAt)
  SELECT p.id, p.contractId, p.paymentId, p.paymentUrl,
    CASE
      WHEN p.status = 'paid' THEN CASE c.decision WHEN 'settled' THEN 'settled' WHEN 'accepted' THEN 'paid' WHEN 'overtaken' THEN 'paid' ELSE iif(c.id IS NULL, 'paid', 'case') END
      WHEN p.status = 'open' THEN iif(p.pendingSince IS NULL, 'open', 'pending')
      ELSE iif(p.givenUpAt IS NULL, 'over', 'given_up')
    END,
    iif(t.id IS NULL, p.amount, t.amount), iif(t.id IS NULL, p.currency, t.currency), p.createdAt, p.expiresAt, p.pendingSince,
    (SELECT max(at) FROM history WHERE what = 'payment.failed' AND contractId = p.contractId AND detail ->> '$.paymentId' = p.paymentId),
    p.paidAt
  FROM payments p
    LEFT JOIN cases c ON c.kind = 'payment' AND c.subject = p.paymentId
    LEFT JOIN told t ON t.what = 'payment.other_price' AND t.id = (SELECT max(id) FROM told WHERE paymentId = p.paymentId);
DROP TABLE payments;
ALTER TABLE newPayments RENAME TO payments;
CREATE INDEX paymentsByCreation ON payments (createdAt, id, state);
CREATE INDEX paymentsByContract ON payments (contractId, id);
CREATE INDEX paymentsPayable ON payments (id) WHERE state IN ('open', 'pending', 'given_up');
CREATE INDEX paymentsOnTheirWay ON payments (pendingSince) WHERE state IN ('pending', 'given_up');
CREATE INDEX paymentsByPaying ON payments (paidAt, contractId) WHERE paidAt IS NOT NULL;
DROP TABLE temp.told;
DROP TABLE temp.decided;
ALTER TABLE contracts DROP COLUMN paymentGeneration;
`;

/** What was told by `signerId` and `activationAskedAt`. */
const SENDING = `
ALTER TABLE contracts ADD COLUMN sending TEXT NOT NULL DEFAULT 'unsent' CHECK (sending = 'unsent' OR sending = 'asked' OR sending = 'sent');
UPDATE contracts SET sending = iif(signerId IS NOT NULL OR signedAt IS NOT NULL, 'sent', 'asked')
  WHERE signerId IS NOT NULL OR signedAt IS NOT NULL OR activationAskedAt IS NOT NULL;
DROP INDEX contractsUnfinished;
CREATE INDEX contractsUnfinished ON contracts (id) WHERE status = 'PENDING' AND sending <> 'sent';
CREATE INDEX contractsBySending ON contracts (coalesce(activationAskedAt, createdAt), id) WHERE sending = 'sent';
`;

const WORDS = [
  'declined',
  'canceled',
  'rejected',
  'deleted',
  'expired',
  'signer_error',
  'not_found',
  'reset',
  'replaced',
  'request_canceled',
  'date_passed',
];

/** What the history tells of a contract: the columns, then the cases with what has decided each, then the documents unknown here. */
const SIGNATURES = `
ALTER TABLE contracts ADD COLUMN endReason TEXT CHECK (${WORDS.map((word) => `endReason = '${word}'`).join(' OR ')});
ALTER TABLE contracts ADD COLUMN told TEXT CHECK (told = 'late' OR told = 'foreign' OR told = 'elsewhere');
ALTER TABLE contracts ADD COLUMN failedSigningAt TEXT;
UPDATE contracts SET
  endReason = iif(status = 'EXPIRED', coalesce((
    SELECT detail ->> '$.reason' FROM history h
    WHERE h.requestId = contracts.requestId AND h.what = 'contract.ended' AND h.contractId = contracts.id
      AND detail ->> '$.reason' IN (${WORDS.map((word) => `'${word}'`).join(', ')})
    ORDER BY h.id DESC LIMIT 1), 'date_passed'), NULL),
  told = (
    SELECT CASE h.what WHEN 'contract.signed_late' THEN 'late' WHEN 'contract.foreign_signature' THEN 'foreign' ELSE 'elsewhere' END
    FROM history h
    WHERE h.requestId = contracts.requestId AND h.contractId = contracts.id
      AND h.what IN ('contract.signed_late', 'contract.foreign_signature', 'contract.canceled_signed', 'contract.replaced_signed')
      AND (h.what <> 'contract.foreign_signature' OR h.detail ->> '$.signId' = contracts.signId)
    ORDER BY h.id DESC LIMIT 1),
  failedSigningAt = (
    SELECT min(at) FROM history h
    WHERE h.requestId = contracts.requestId AND h.what = 'contract.signer_error' AND h.contractId = contracts.id);
UPDATE requests SET dueAt = (
    SELECT failedSigningAt FROM contracts WHERE requestId = requests.id ORDER BY id DESC LIMIT 1)
  WHERE status = 'WAITING_SIGNATURE' AND EXISTS (
    SELECT 1 FROM contracts c WHERE c.requestId = requests.id AND c.status = 'PENDING' AND c.failedSigningAt IS NOT NULL);

CREATE TEMP TABLE toldOf AS
  SELECT h.id, h.at, h.actor, h.requestId, h.contractId,
    iif(h.what = 'contract.signer_refused', 'recipient_refused', substr(h.what, 10)) AS kind,
    iif(h.what = 'contract.foreign_signature', h.detail ->> '$.signId', CAST(h.contractId AS TEXT)) AS subject,
    iif(h.what = 'contract.foreign_signature' AND h.detail ->> '$.signId' IS NOT c.signId, h.id, NULL) AS decidedAtOnce,
    h.detail
  FROM history h JOIN contracts c ON c.id = h.contractId AND c.requestId = h.requestId
  WHERE h.what IN ('contract.signed_late', 'contract.foreign_signature', 'contract.canceled_signed', 'contract.replaced_signed', 'contract.signer_refused');
DELETE FROM toldOf WHERE EXISTS (
  SELECT 1 FROM toldOf later WHERE later.kind = toldOf.kind AND later.subject = toldOf.subject AND later.id > toldOf.id);
INSERT INTO cases (kind, subject, requestId, contractId, detail, openedAt, decidedAt, decision, decidedBy, reason)
  SELECT t.kind, t.subject, t.requestId, t.contractId, t.detail, t.at, d.at,
    CASE d.what WHEN 'contract.late_accepted' THEN 'accepted' WHEN 'request.settled' THEN 'settled' ELSE iif(d.id IS NULL, NULL, 'overtaken') END,
    d.actor, iif(d.id = t.id, NULL, d.detail ->> '$.reason')
  FROM toldOf t LEFT JOIN history d ON d.id = coalesce(t.decidedAtOnce, (
    SELECT min(l.id) FROM history l WHERE l.requestId = t.requestId AND l.id > t.id AND (
      l.what = 'request.moved'
      OR l.what = 'request.settled' AND t.kind = 'canceled_signed' AND coalesce(l.detail ->> '$.signature', 1)
      OR l.what = 'contract.created' AND t.kind NOT IN ('canceled_signed', 'replaced_signed')
      OR l.what = 'contract.late_accepted' AND t.kind = 'signed_late'
      OR l.what = 'contract.signer_corrected' AND t.kind = 'recipient_refused' AND l.contractId = t.contractId)))
  ORDER BY t.id;
DROP TABLE temp.toldOf;

INSERT INTO cases (kind, subject, requestId, contractId, detail, openedAt, decidedAt, decision, decidedBy, reason)
  SELECT 'unknown_document', u.signId, c.requestId, c.id,
    json_object('externalId', u.externalId, 'status', u.status, 'name', u.name), u.seenAt, u.settledAt,
    iif(u.settledAt IS NULL, NULL, 'settled'), iif(u.settledAt IS NULL, NULL, coalesce(h.actor, 'system')), h.detail ->> '$.reason'
  FROM unknownSignatures u
    LEFT JOIN contracts c ON c.externalId = u.externalId AND c.signId IS NOT NULL
    LEFT JOIN history h ON u.settledAt IS NOT NULL AND h.id = (
      SELECT max(id) FROM history WHERE what = 'signature.settled' AND detail ->> '$.signId' = u.signId)
  ORDER BY u.seenAt;
DROP TABLE unknownSignatures;
`;

/** When a contract ended, and why in somebody's words; when its signer was corrected, and when the customer was reminded last. */
const MOMENTS = `
ALTER TABLE contracts ADD COLUMN endedAt TEXT;
ALTER TABLE contracts ADD COLUMN declineReason TEXT;
ALTER TABLE contracts ADD COLUMN correctedAt TEXT;
ALTER TABLE requests ADD COLUMN remindedAt TEXT;
CREATE TEMP TABLE ends AS
  SELECT contractId, at, nullif(detail ->> '$.declineReason', '') AS words, max(id) FROM history WHERE what = 'contract.ended' GROUP BY contractId;
CREATE INDEX temp.endsByContract ON ends (contractId);
UPDATE contracts SET
  endedAt = coalesce((SELECT at FROM ends WHERE contractId = contracts.id), expiredAt, createdAt),
  declineReason = (SELECT words FROM ends WHERE contractId = contracts.id)
  WHERE status = 'EXPIRED';
DROP TABLE temp.ends;
UPDATE contracts SET correctedAt = c.at
  FROM (SELECT contractId, max(at) AS at FROM history WHERE what = 'contract.signer_corrected' GROUP BY contractId) c WHERE c.contractId = contracts.id;
UPDATE requests SET remindedAt = r.at
  FROM (SELECT requestId, max(at) AS at FROM history WHERE what IN ('signature.reminded', 'payment.reminded') GROUP BY requestId) r WHERE r.requestId = requests.id;
`;

/** Nothing is decided by it any more. */
const HISTORY = `
DROP INDEX historyByRequestAndWord;
`;

/** From when on the office has to look at a request that waits for its payment, as core decided when this was made. */
const DUE = `
UPDATE requests SET dueAt = (
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM payments WHERE contractId = c.id AND state = 'pending')
      THEN (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', min(pendingSince), '+14 days') FROM payments WHERE contractId = c.id AND state = 'pending')
    WHEN EXISTS (SELECT 1 FROM payments WHERE contractId = c.id AND state = 'open')
      OR EXISTS (SELECT 1 FROM cases k WHERE k.requestId = requests.id AND k.kind = 'payment' AND k.decidedAt IS NULL) THEN NULL
    WHEN requests.payToken IS NULL THEN requests.statusSince
    ELSE (SELECT max(refusedAt) FROM payments WHERE contractId = c.id
      AND refusedAt >= (SELECT max(createdAt) FROM payments WHERE contractId = c.id))
  END
  FROM contracts c WHERE c.id = (SELECT max(id) FROM contracts WHERE requestId = requests.id))
  WHERE status = 'WAITING_PAYMENT' AND EXISTS (SELECT 1 FROM contracts WHERE requestId = requests.id);
`;

/** Keys that were made beforehand say nothing of a call. */
const KEYS = `
ALTER TABLE contracts DROP COLUMN paymentKey;
ALTER TABLE contracts ADD COLUMN paymentKey TEXT;
`;

/** The request whose contract another renews. */
const RENEWALS = `
ALTER TABLE requests ADD COLUMN renewsId INTEGER REFERENCES requests (id);
CREATE UNIQUE INDEX requestByRenewed ON requests (renewsId) WHERE renewsId IS NOT NULL;
`;

/**
 * Terms that had ended in silence: those of the last 60 days, the default of ESIGN_RENEW_DAYS, before the last entry of the history. One
 * after which the customer asked for something about the same equipment has been followed already; one that is older is told by `explain`
 * alone.
 */
const TERMS = `
INSERT INTO cases (kind, subject, requestId, contractId, openedAt)
  SELECT 'term_ends', CAST(c.id AS TEXT), r.id, c.id, c.expiredAt
  FROM contracts c JOIN requests r ON r.id = c.requestId JOIN users u ON u.id = r.ownerId
  WHERE c.status = 'EXPIRED' AND c.endReason = 'date_passed' AND c.signedAt IS NOT NULL
    AND c.expiredAt > (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at, '-60 days') FROM history ORDER BY id DESC LIMIT 1)
    AND r.status = 'COMPLETE' AND u.erasedAt IS NULL
    AND c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)
    AND NOT EXISTS (SELECT 1 FROM requests n WHERE n.equipmentId = r.equipmentId AND n.id > r.id AND n.status <> 'CANCELED')
  ORDER BY c.expiredAt, c.id;
`;

/** The nightly run is called housekeeping. */
const RUNS = `
CREATE TABLE newRuns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name = 'expire' OR name = 'reconcile' OR name = 'housekeeping' OR name = 'backup' OR name = 'payments' OR name = 'reminders' OR name = 'trails' OR name = 'snapshot' OR name = 'offsite' OR name = 'digest'),
  startedAt TEXT NOT NULL,
  finishedAt TEXT,
  result TEXT
) STRICT;
INSERT INTO newRuns SELECT id, iif(name = 'care', 'housekeeping', name), startedAt, finishedAt, result FROM runs;
DROP TABLE runs;
ALTER TABLE newRuns RENAME TO runs;
CREATE INDEX runsByName ON runs (name, id);
CREATE INDEX runsByStart ON runs (startedAt);
CREATE TABLE newFailingRuns (
  name TEXT PRIMARY KEY CHECK (name = 'expire' OR name = 'reconcile' OR name = 'housekeeping' OR name = 'backup' OR name = 'mail' OR name = 'payments' OR name = 'reminders' OR name = 'trails' OR name = 'snapshot' OR name = 'offsite' OR name = 'digest'),
  since TEXT NOT NULL,
  lastAt TEXT NOT NULL,
  times INTEGER NOT NULL CHECK (times > 0),
  error TEXT NOT NULL,
  code TEXT
) STRICT;
INSERT INTO newFailingRuns SELECT iif(name = 'care', 'housekeeping', name), since, lastAt, times, error, code FROM failingRuns;
DROP TABLE failingRuns;
ALTER TABLE newFailingRuns RENAME TO failingRuns;
`;

/** What the office enters: postal addresses, a price of one request, a price list, the tax in a price. */
const OFFICE = `
ALTER TABLE users ADD COLUMN address TEXT;
ALTER TABLE requests ADD COLUMN amount INTEGER CHECK (amount > 0);
ALTER TABLE requests ADD COLUMN currency TEXT CHECK (length(currency) = 3);
ALTER TABLE contracts ADD COLUMN vat REAL CHECK (vat > 0);
CREATE TABLE prices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  words TEXT NOT NULL UNIQUE,
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;
`;

export const sql = [
  CASES,
  SENDING,
  SIGNATURES,
  MOMENTS,
  TOLD,
  PAYMENTS,
  DUE,
  KEYS,
  RENEWALS,
  TERMS,
  HISTORY,
  RUNS,
  OFFICE,
].join('');
