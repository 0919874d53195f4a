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
`;

/** What was told by `signerId` and `activationAskedAt`. */
const SENDING = `
ALTER TABLE contracts ADD COLUMN sending TEXT NOT NULL DEFAULT 'unsent' CHECK (sending = 'unsent' OR sending = 'asked' OR sending = 'sent');
UPDATE contracts SET sending = iif(signerId IS NOT NULL OR signedAt IS NOT NULL, 'sent', 'asked')
  WHERE signerId IS NOT NULL OR signedAt IS NOT NULL OR activationAskedAt IS NOT NULL;
DROP INDEX contractsUnfinished;
CREATE INDEX contractsUnfinished ON contracts (id) WHERE status = 'PENDING' AND sending <> 'sent';
`;

export const sql = CASES + SENDING;
