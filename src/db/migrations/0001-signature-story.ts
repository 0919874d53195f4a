/** Users, requests, equipments, contracts, payments, and the tables that keep a promise across a crash: jobs, inbox, history. */
export const sql = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  passwordHash TEXT NOT NULL,
  firstName TEXT NOT NULL,
  lastName TEXT NOT NULL,
  phone TEXT,
  role TEXT NOT NULL CHECK (role IN ('ROLE_USER', 'ROLE_ADMIN')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  tokenVersion INTEGER NOT NULL DEFAULT 1,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;

CREATE TABLE refreshTokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  family TEXT NOT NULL,
  tokenHash TEXT NOT NULL UNIQUE,
  createdAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  usedAt TEXT,
  revokedAt TEXT
) STRICT;
CREATE INDEX refreshTokensByUser ON refreshTokens (userId);
CREATE INDEX refreshTokensByFamily ON refreshTokens (family);
CREATE INDEX refreshTokensByExpiry ON refreshTokens (expiresAt);

CREATE TABLE equipments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ownerId INTEGER NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  model TEXT NOT NULL,
  serialNumber TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  UNIQUE (ownerId, serialNumber)
) STRICT;
CREATE INDEX equipmentsByOwner ON equipments (ownerId, id);

CREATE TABLE requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reference TEXT NOT NULL GENERATED ALWAYS AS ('REQ-' || substr(createdAt, 1, 4) || '-' || printf('%06d', id)) VIRTUAL,
  ownerId INTEGER NOT NULL REFERENCES users (id),
  equipmentId INTEGER NOT NULL REFERENCES equipments (id),
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('new', 'in_progress', 'WAITING_SIGNATURE', 'WAITING_PAYMENT', 'COMPLETE')),
  paymentUrl TEXT,
  paymentId TEXT UNIQUE,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;
CREATE INDEX requestsByCreation ON requests (createdAt, id);
CREATE INDEX requestsByStatus ON requests (status, createdAt, id);
CREATE INDEX requestsByOwner ON requests (ownerId, createdAt, id, status);
CREATE INDEX requestsByEquipment ON requests (equipmentId, createdAt, id, status);

CREATE TABLE contracts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  requestId INTEGER NOT NULL REFERENCES requests (id),
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'SIGNED', 'EXPIRED')),
  signId TEXT UNIQUE,
  signerId TEXT,
  signUrl TEXT,
  signUrlExpiresAt TEXT,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  createdAt TEXT NOT NULL,
  expiredAt TEXT,
  signedAt TEXT,
  pdfSha256 TEXT,
  pdfSize INTEGER,
  ownPdf INTEGER NOT NULL DEFAULT 0 CHECK (ownPdf IN (0, 1)),
  paymentGeneration INTEGER NOT NULL DEFAULT 1,
  CHECK ((status = 'PENDING') <= (signedAt IS NULL)),
  CHECK ((status = 'SIGNED') <= (signedAt IS NOT NULL AND pdfSha256 IS NOT NULL)),
  CHECK ((signUrl IS NOT NULL) <= (signId IS NOT NULL))
) STRICT;
CREATE INDEX contractsByRequest ON contracts (requestId, id);
-- A request has at most one contract that is alive.
CREATE UNIQUE INDEX contractAliveByRequest ON contracts (requestId) WHERE status IN ('PENDING', 'SIGNED');
CREATE INDEX contractsByExpiry ON contracts (expiredAt, id) WHERE status IN ('PENDING', 'SIGNED');

CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contractId INTEGER NOT NULL REFERENCES contracts (id),
  generation INTEGER NOT NULL,
  paymentId TEXT NOT NULL UNIQUE,
  paymentUrl TEXT,
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'expired')),
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  expiresAt TEXT,
  paidAt TEXT,
  UNIQUE (contractId, generation),
  CHECK ((status = 'paid') = (paidAt IS NOT NULL))
) STRICT;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('create-payment-session', 'send-mail', 'deliver-webhook', 'complete-signature')),
  payload TEXT NOT NULL,
  uniqueKey TEXT,
  state TEXT NOT NULL CHECK (state IN ('available', 'running', 'completed', 'failed')),
  attempt INTEGER NOT NULL DEFAULT 0,
  runAt TEXT NOT NULL,
  leaseUntil TEXT,
  leaseToken TEXT,
  leasePid INTEGER,
  requestId INTEGER,
  contractId INTEGER,
  lastError TEXT,
  errors TEXT NOT NULL DEFAULT '[]',
  replays INTEGER NOT NULL DEFAULT 0,
  createdAt TEXT NOT NULL,
  finishedAt TEXT,
  CHECK ((state = 'running') = (leaseUntil IS NOT NULL AND leaseToken IS NOT NULL)),
  CHECK ((state IN ('completed', 'failed')) = (finishedAt IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX jobByUniqueKey ON jobs (uniqueKey) WHERE uniqueKey IS NOT NULL;
CREATE INDEX jobsAvailable ON jobs (kind, runAt, id) WHERE state = 'available';
CREATE INDEX jobsRunning ON jobs (leaseUntil) WHERE state = 'running';
CREATE INDEX jobsFailed ON jobs (finishedAt, id) WHERE state = 'failed';
CREATE INDEX jobsByRequest ON jobs (requestId, id) WHERE requestId IS NOT NULL;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL CHECK (source IN ('signature', 'payment')),
  eventKey TEXT NOT NULL,
  eventName TEXT NOT NULL,
  subjectId TEXT NOT NULL,
  contractId INTEGER REFERENCES contracts (id),
  body BLOB,
  state TEXT NOT NULL CHECK (state IN ('received', 'done', 'refused', 'ignored')),
  outcome TEXT,
  receivedAt TEXT NOT NULL,
  finishedAt TEXT,
  UNIQUE (source, eventKey),
  CHECK ((state = 'received') = (finishedAt IS NULL))
) STRICT;
CREATE INDEX inboxBySubject ON inbox (subjectId, id);
CREATE INDEX inboxByContract ON inbox (contractId, state);

CREATE TABLE rejectedDeliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL CHECK (source IN ('signature', 'payment')),
  reason TEXT NOT NULL,
  size INTEGER NOT NULL,
  address TEXT NOT NULL,
  claimedId TEXT,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX rejectedDeliveriesByClaim ON rejectedDeliveries (claimedId, id) WHERE claimedId IS NOT NULL;

CREATE TABLE history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  requestId INTEGER,
  contractId INTEGER,
  actor TEXT NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX historyByRequest ON history (requestId, id) WHERE requestId IS NOT NULL;

CREATE TABLE locks (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  pid INTEGER NOT NULL,
  until TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name IN ('expire', 'reconcile')),
  startedAt TEXT NOT NULL,
  finishedAt TEXT,
  result TEXT
) STRICT;
CREATE INDEX runsByName ON runs (name, id);

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
