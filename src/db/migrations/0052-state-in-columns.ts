/** What a payment and a contract are to us, and what a person must decide, stand in columns; before, they were read from the history. */
const CASES = `
CREATE TABLE cases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind = 'payment' OR kind = 'signed_late' OR kind = 'canceled_signed' OR kind = 'replaced_signed' OR kind = 'foreign_signature' OR kind = 'unknown_document' OR kind = 'recipient_refused'),
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

/** What was told by `signerId` and `activationAskedAt`. */
const SENDING = `
ALTER TABLE contracts ADD COLUMN sending TEXT NOT NULL DEFAULT 'unsent' CHECK (sending = 'unsent' OR sending = 'asked' OR sending = 'sent');
UPDATE contracts SET sending = iif(signerId IS NOT NULL OR signedAt IS NOT NULL, 'sent', 'asked')
  WHERE signerId IS NOT NULL OR signedAt IS NOT NULL OR activationAskedAt IS NOT NULL;
DROP INDEX contractsUnfinished;
CREATE INDEX contractsUnfinished ON contracts (id) WHERE status = 'PENDING' AND sending <> 'sent';
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

export const sql = [CASES, SENDING, SIGNATURES].join('');
