-- What version 49 made: the first version whose databases are opened. Only for the test of migration 50.
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
, erasedAt TEXT, linkVersion INTEGER NOT NULL DEFAULT 0, locale TEXT CHECK (locale IN ('en', 'fr'))) STRICT;
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
  status TEXT NOT NULL CHECK (status = 'new' OR status = 'in_progress' OR status = 'WAITING_SIGNATURE' OR status = 'WAITING_PAYMENT' OR status = 'COMPLETE' OR status = 'CANCELED'),
  paymentUrl TEXT,
  paymentId TEXT UNIQUE,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
, statusSince TEXT NOT NULL DEFAULT '', dueAt TEXT, payToken TEXT, remindAt TEXT) STRICT;
CREATE INDEX requestsByCreation ON requests (createdAt, id);
CREATE INDEX requestsByStatus ON requests (status, createdAt, id);
CREATE INDEX requestsByOwner ON requests (ownerId, createdAt, id, status);
CREATE TABLE contracts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  requestId INTEGER NOT NULL REFERENCES requests (id),
  status TEXT NOT NULL CHECK (status = 'PENDING' OR status = 'SIGNED' OR status = 'EXPIRED'),
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
  paymentGeneration INTEGER NOT NULL DEFAULT 1, key TEXT CHECK (length(key) = 16), externalId TEXT, paymentKey TEXT, signerEmail TEXT, activationAskedAt TEXT, termsDigest TEXT, draftSha256 TEXT DEFAULT '',
  CHECK ((status = 'PENDING') <= (signedAt IS NULL)),
  CHECK ((status = 'SIGNED') <= (signedAt IS NOT NULL AND pdfSha256 IS NOT NULL)),
  CHECK ((signUrl IS NOT NULL) <= (signId IS NOT NULL))
) STRICT;
CREATE INDEX contractsByRequest ON contracts (requestId, id);
CREATE UNIQUE INDEX contractAliveByRequest ON contracts (requestId) WHERE status IN ('PENDING', 'SIGNED');
CREATE INDEX contractsByExpiry ON contracts (expiredAt, id) WHERE status IN ('PENDING', 'SIGNED');
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contractId INTEGER NOT NULL REFERENCES contracts (id),
  generation INTEGER NOT NULL,
  paymentId TEXT NOT NULL UNIQUE,
  paymentUrl TEXT,
  status TEXT NOT NULL CHECK (status = 'open' OR status = 'paid' OR status = 'expired'),
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  expiresAt TEXT,
  paidAt TEXT, pendingSince TEXT, givenUpAt TEXT,
  UNIQUE (contractId, generation),
  CHECK ((status = 'paid') = (paidAt IS NOT NULL))
) STRICT;
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind <> ''),
  payload TEXT NOT NULL,
  uniqueKey TEXT,
  state TEXT NOT NULL CHECK (state = 'available' OR state = 'running' OR state = 'completed' OR state = 'failed'),
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
  finishedAt TEXT, lane TEXT,
  CHECK ((state = 'running') = (leaseUntil IS NOT NULL AND leaseToken IS NOT NULL)),
  CHECK ((state IN ('completed', 'failed')) = (finishedAt IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX jobByUniqueKey ON jobs (uniqueKey) WHERE uniqueKey IS NOT NULL;
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
  state TEXT NOT NULL CHECK (state = 'received' OR state = 'done' OR state = 'refused' OR state = 'ignored'),
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
, subject TEXT) STRICT;
CREATE INDEX historyByRequest ON history (requestId, id) WHERE requestId IS NOT NULL;
CREATE TABLE locks (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  pid INTEGER NOT NULL,
  until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE userCalls (
  userId INTEGER NOT NULL REFERENCES users (id),
  firstAt TEXT NOT NULL,
  lastAt TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (userId, firstAt),
  CHECK (firstAt <= lastAt)
) STRICT, WITHOUT ROWID;
CREATE INDEX userCallsByLastAt ON userCalls (lastAt);
CREATE INDEX usersAdministrators ON users (id) WHERE role = 'ROLE_ADMIN' AND enabled = 1;
CREATE INDEX equipmentsByName ON equipments (name, id);
CREATE INDEX equipmentsByOwnerAndName ON equipments (ownerId, name, id);
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ownerId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event = 'request.created' OR event = 'request.updated' OR event = 'offer.created' OR event = 'troubleshooting.updated'),
  secret TEXT NOT NULL,
  oldSecret TEXT,
  oldSecretUntil TEXT,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  disabledReason TEXT,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failingSince TEXT,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL, lastError TEXT, lastErrorAt TEXT,
  CHECK ((oldSecret IS NULL) = (oldSecretUntil IS NULL)),
  CHECK (active <= (disabledReason IS NULL))
) STRICT;
CREATE INDEX webhooksByOwner ON webhooks (ownerId, id);
CREATE INDEX webhooksListening ON webhooks (event, ownerId) WHERE active = 1;
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhookId INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  messageId TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL,
  content TEXT NOT NULL,
  signature TEXT,
  state TEXT NOT NULL CHECK (state = 'pending' OR state = 'delivered' OR state = 'failed'),
  createdAt TEXT NOT NULL,
  finishedAt TEXT, requestId INTEGER,
  CHECK ((state = 'pending') = (finishedAt IS NULL))
) STRICT;
CREATE INDEX deliveriesByWebhook ON deliveries (webhookId, id);
CREATE INDEX deliveriesFinished ON deliveries (finishedAt) WHERE finishedAt IS NOT NULL;
CREATE TABLE deliveryAttempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deliveryId INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  ms INTEGER NOT NULL,
  url TEXT NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  headers TEXT,
  answer TEXT
) STRICT;
CREATE INDEX deliveryAttemptsByDelivery ON deliveryAttempts (deliveryId, id);
CREATE INDEX jobsByLane ON jobs (lane, runAt, id) WHERE state = 'available' AND lane IS NOT NULL;
CREATE TABLE lanes (
  name TEXT PRIMARY KEY,
  dueAt TEXT,
  running INTEGER NOT NULL DEFAULT 0 CHECK (running >= 0),
  isSlow INTEGER NOT NULL DEFAULT 0 CHECK (isSlow IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX lanesFree ON lanes (isSlow, dueAt) WHERE running = 0 AND dueAt IS NOT NULL;
CREATE TRIGGER laneOfNewJob AFTER INSERT ON jobs WHEN NEW.lane IS NOT NULL
BEGIN
  INSERT INTO lanes (name, dueAt) VALUES (NEW.lane, NEW.runAt)
    ON CONFLICT (name) DO UPDATE SET dueAt = excluded.dueAt WHERE dueAt IS NULL OR dueAt > excluded.dueAt;
END;
CREATE TRIGGER laneOfChangedJob AFTER UPDATE OF state, runAt ON jobs WHEN NEW.lane IS NOT NULL
BEGIN
  UPDATE lanes SET
    running = running + (NEW.state = 'running') - (OLD.state = 'running'),
    dueAt = (SELECT min(runAt) FROM jobs WHERE lane = NEW.lane AND state = 'available')
  WHERE name = NEW.lane;
END;
CREATE TRIGGER laneOfRemovedJob AFTER DELETE ON jobs WHEN OLD.lane IS NOT NULL AND OLD.state IN ('available', 'running')
BEGIN
  UPDATE lanes SET
    running = running - (OLD.state = 'running'),
    dueAt = (SELECT min(runAt) FROM jobs WHERE lane = OLD.lane AND state = 'available')
  WHERE name = OLD.lane;
END;
CREATE TABLE idempotencyKeys (
  userId INTEGER NOT NULL REFERENCES users (id),
  operation TEXT NOT NULL,
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  PRIMARY KEY (userId, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotencyKeysByExpiry ON idempotencyKeys (expiresAt);
CREATE TABLE requestCounts (
  unit INTEGER NOT NULL CHECK (unit = length(period)),
  period TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (unit, period, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX requestCountsEmpty ON requestCounts (count) WHERE count = 0;
CREATE TRIGGER requestCountsInsert AFTER INSERT ON requests BEGIN 
  INSERT INTO requestCounts (unit, period, status, count)
    SELECT column1, substr(NEW.createdAt, 1, column1), NEW.status, 1 FROM (VALUES (7), (10), (13)) WHERE true
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER requestCountsDelete AFTER DELETE ON requests BEGIN 
  UPDATE requestCounts SET count = count - 1 WHERE (unit, period, status) IN
    (SELECT column1, substr(OLD.createdAt, 1, column1), OLD.status FROM (VALUES (7), (10), (13)));
  DELETE FROM requestCounts WHERE count = 0;
END;
CREATE TRIGGER requestCountsUpdate AFTER UPDATE OF status, createdAt ON requests
  WHEN OLD.status <> NEW.status OR OLD.createdAt <> NEW.createdAt
BEGIN 
  UPDATE requestCounts SET count = count - 1 WHERE (unit, period, status) IN
    (SELECT column1, substr(OLD.createdAt, 1, column1), OLD.status FROM (VALUES (7), (10), (13)));
  DELETE FROM requestCounts WHERE count = 0; 
  INSERT INTO requestCounts (unit, period, status, count)
    SELECT column1, substr(NEW.createdAt, 1, column1), NEW.status, 1 FROM (VALUES (7), (10), (13)) WHERE true
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE INDEX requestsByEquipment ON requests (equipmentId, createdAt, id, status, ownerId);
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  tokenHash TEXT NOT NULL UNIQUE,
  -- The user's at log-in: a changed password or a closed account raises it, which ends the session.
  tokenVersion INTEGER NOT NULL,
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  lastSeenAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  -- What the next page says, once: JSON.
  flash TEXT
) STRICT;
CREATE INDEX sessionsByUser ON sessions (userId, id);
CREATE INDEX sessionsByExpiry ON sessions (expiresAt);
CREATE INDEX contractsToSign ON contracts (expiredAt, id) WHERE status = 'PENDING';
CREATE TABLE offers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reference TEXT NOT NULL GENERATED ALWAYS AS ('OFF-' || substr(createdAt, 1, 4) || '-' || printf('%06d', id)) VIRTUAL,
  requestId INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
  -- Of the request, which never changes hands.
  ownerId INTEGER NOT NULL REFERENCES users (id),
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'draft' OR status = 'sent' OR status = 'accepted' OR status = 'refused'),
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL CHECK (length(currency) = 3)
) STRICT;
CREATE INDEX offersByCreation ON offers (createdAt, id, status);
CREATE INDEX offersByOwner ON offers (ownerId, createdAt, id, status);
CREATE INDEX offersByRequest ON offers (requestId, id, status);
CREATE TABLE troubleshootings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reference TEXT NOT NULL GENERATED ALWAYS AS ('TRB-' || substr(createdAt, 1, 4) || '-' || printf('%06d', id)) VIRTUAL,
  requestId INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
  -- Of the request, which never changes hands.
  ownerId INTEGER NOT NULL REFERENCES users (id),
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'open' OR status = 'in_progress' OR status = 'solved'),
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;
CREATE INDEX troubleshootingsByCreation ON troubleshootings (createdAt, id, status);
CREATE INDEX troubleshootingsByOwner ON troubleshootings (ownerId, createdAt, id, status);
CREATE INDEX troubleshootingsByRequest ON troubleshootings (requestId, id, status);
CREATE TABLE "runs" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name = 'expire' OR name = 'reconcile' OR name = 'care' OR name = 'backup' OR name = 'snapshot' OR name = 'offsite' OR name = 'digest'),
  startedAt TEXT NOT NULL,
  finishedAt TEXT,
  result TEXT
) STRICT;
CREATE INDEX runsByName ON runs (name, id);
CREATE INDEX runsByStart ON runs (startedAt);
CREATE INDEX inboxBodies ON inbox (finishedAt) WHERE body IS NOT NULL AND finishedAt IS NOT NULL;
CREATE INDEX deliveriesFailed ON deliveries (id) WHERE state = 'failed';
CREATE INDEX deliveriesFailedByWebhook ON deliveries (webhookId, id) WHERE state = 'failed';
CREATE INDEX equipmentsBySerialNumber ON equipments (serialNumber);
CREATE INDEX jobsOpen ON jobs (state, kind, runAt, id) WHERE state = 'available' OR state = 'running';
CREATE TABLE installation (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL CHECK (length(id) = 16),
  createdAt TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX contractByKey ON contracts (key);
CREATE UNIQUE INDEX contractByExternalId ON contracts (externalId);
CREATE TABLE failingRuns (
  name TEXT PRIMARY KEY CHECK (name = 'expire' OR name = 'reconcile' OR name = 'care' OR name = 'backup' OR name = 'snapshot' OR name = 'offsite' OR name = 'digest'),
  since TEXT NOT NULL,
  lastAt TEXT NOT NULL,
  times INTEGER NOT NULL CHECK (times > 0),
  error TEXT NOT NULL
, code TEXT) STRICT;
CREATE TABLE probes (id INTEGER PRIMARY KEY, filler BLOB NOT NULL) STRICT;
CREATE INDEX contractsUnfinished ON contracts (id) WHERE status = 'PENDING' AND signerId IS NULL;
CREATE INDEX historyBySubject ON history (subject, id) WHERE subject IS NOT NULL;
CREATE INDEX historyByActor ON history (actor, id) WHERE actor <> 'webhook' AND actor <> 'job';
CREATE INDEX historyByWord ON history (what, id)
  WHERE what <> 'request.created' AND what <> 'request.moved' AND what <> 'contract.created'
    AND what <> 'contract.sent' AND what <> 'contract.signed' AND what <> 'payment.session_created'
    AND what <> 'payment.received' AND what <> 'mail.sent';
CREATE INDEX deliveriesByRequest ON deliveries (requestId, id) WHERE requestId IS NOT NULL;
CREATE VIEW customerTexts AS SELECT u.id, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(' ' || u.firstName || ' ' || u.lastName || ' ' || u.username || ' ' || coalesce(u.phone, ''), 'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), 'Æ', 'ae'), 'ø', 'o'), 'Ø', 'o'), 'ß', 'ss'), 'ł', 'l'), 'Ł', 'l'), ' ', '  ') AS text FROM users u;
CREATE VIEW requestTexts AS
  SELECT r.id, r.ownerId, r.equipmentId, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(' ' || r.title || ' ' || e.serialNumber || ' ' || u.firstName || ' ' || u.lastName || ' ' || u.username || ' ' || coalesce(u.phone, ''), 'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), 'Æ', 'ae'), 'ø', 'o'), 'Ø', 'o'), 'ß', 'ss'), 'ł', 'l'), 'Ł', 'l'), ' ', '  ') AS text
  FROM requests r CROSS JOIN users u ON u.id = r.ownerId CROSS JOIN equipments e ON e.id = r.equipmentId;
CREATE VIRTUAL TABLE customerWords USING fts5 (
  text, content = 'customerTexts', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1', detail = 'none'
);
CREATE VIRTUAL TABLE requestWords USING fts5 (
  text, content = 'requestTexts', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1', detail = 'none'
);
CREATE TRIGGER customerWordsAdded AFTER INSERT ON users BEGIN INSERT INTO customerWords (rowid, text) SELECT id, text FROM customerTexts WHERE id = NEW.id;
END;
CREATE TRIGGER customerWordsRemoved BEFORE DELETE ON users BEGIN INSERT INTO customerWords (customerWords, rowid, text) SELECT 'delete', id, text FROM customerTexts WHERE id = OLD.id;
END;
CREATE TRIGGER customerWordsBefore BEFORE UPDATE OF firstName,lastName,username,phone ON users WHEN OLD.firstName IS NOT NEW.firstName OR OLD.lastName IS NOT NEW.lastName OR OLD.username IS NOT NEW.username OR OLD.phone IS NOT NEW.phone
BEGIN INSERT INTO customerWords (customerWords, rowid, text) SELECT 'delete', id, text FROM customerTexts WHERE id = OLD.id; INSERT INTO requestWords (requestWords, rowid, text) SELECT 'delete', id, text FROM requestTexts WHERE ownerId = OLD.id;
END;
CREATE TRIGGER customerWordsAfter AFTER UPDATE OF firstName,lastName,username,phone ON users WHEN OLD.firstName IS NOT NEW.firstName OR OLD.lastName IS NOT NEW.lastName OR OLD.username IS NOT NEW.username OR OLD.phone IS NOT NEW.phone
BEGIN INSERT INTO customerWords (rowid, text) SELECT id, text FROM customerTexts WHERE id = NEW.id; INSERT INTO requestWords (rowid, text) SELECT id, text FROM requestTexts WHERE ownerId = NEW.id;
END;
CREATE TRIGGER equipmentWordsBefore BEFORE UPDATE OF serialNumber ON equipments WHEN OLD.serialNumber IS NOT NEW.serialNumber
BEGIN INSERT INTO requestWords (requestWords, rowid, text) SELECT 'delete', id, text FROM requestTexts WHERE equipmentId = OLD.id;
END;
CREATE TRIGGER equipmentWordsAfter AFTER UPDATE OF serialNumber ON equipments WHEN OLD.serialNumber IS NOT NEW.serialNumber
BEGIN INSERT INTO requestWords (rowid, text) SELECT id, text FROM requestTexts WHERE equipmentId = NEW.id;
END;
CREATE TRIGGER requestWordsAdded AFTER INSERT ON requests BEGIN INSERT INTO requestWords (rowid, text) SELECT id, text FROM requestTexts WHERE id = NEW.id;
END;
CREATE TRIGGER requestWordsRemoved BEFORE DELETE ON requests BEGIN INSERT INTO requestWords (requestWords, rowid, text) SELECT 'delete', id, text FROM requestTexts WHERE id = OLD.id;
END;
CREATE TRIGGER requestWordsBefore BEFORE UPDATE OF title,ownerId,equipmentId ON requests WHEN OLD.title IS NOT NEW.title OR OLD.ownerId IS NOT NEW.ownerId OR OLD.equipmentId IS NOT NEW.equipmentId
BEGIN INSERT INTO requestWords (requestWords, rowid, text) SELECT 'delete', id, text FROM requestTexts WHERE id = OLD.id;
END;
CREATE TRIGGER requestWordsAfter AFTER UPDATE OF title,ownerId,equipmentId ON requests WHEN OLD.title IS NOT NEW.title OR OLD.ownerId IS NOT NEW.ownerId OR OLD.equipmentId IS NOT NEW.equipmentId
BEGIN INSERT INTO requestWords (rowid, text) SELECT id, text FROM requestTexts WHERE id = NEW.id;
END;
CREATE TRIGGER dueWithRequest AFTER UPDATE OF status ON requests BEGIN 
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE id = NEW.id AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
END;
CREATE TRIGGER dueWithNewContract AFTER INSERT ON contracts BEGIN 
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE id = NEW.requestId AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
END;
CREATE TRIGGER dueWithContract AFTER UPDATE OF status, signerId, expiredAt, paymentGeneration ON contracts BEGIN 
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE id = NEW.requestId AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
END;
CREATE TRIGGER dueWithoutContract AFTER DELETE ON contracts BEGIN 
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE id = OLD.requestId AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
END;
CREATE TRIGGER dueWithNewPayment AFTER INSERT ON payments BEGIN 
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE id = (SELECT requestId FROM contracts WHERE id = NEW.contractId) AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
END;
CREATE TRIGGER dueWithPayment AFTER UPDATE OF status, pendingSince ON payments BEGIN 
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE id = (SELECT requestId FROM contracts WHERE id = NEW.contractId) AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
END;
CREATE INDEX requestsDueAt ON requests (dueAt, id) WHERE dueAt IS NOT NULL;
CREATE INDEX webhooksDisabled ON webhooks (id) WHERE disabledReason IS NOT NULL;
CREATE INDEX jobsRefused ON jobs (state, id)
  WHERE state = 'available' AND attempt > 0 AND errors ->> '$[#-1].reason' = 'recipient_refused';
CREATE TABLE sentMails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  requestId INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
  contractId INTEGER,
  at TEXT NOT NULL,
  mail TEXT NOT NULL,
  sender TEXT NOT NULL,
  address TEXT NOT NULL,
  messageId TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  attachments TEXT NOT NULL
) STRICT;
CREATE INDEX sentMailsByRequest ON sentMails (requestId, id);
CREATE UNIQUE INDEX requestsByPayToken ON requests (payToken) WHERE payToken IS NOT NULL;
CREATE INDEX requestsRemindAt ON requests (remindAt, id) WHERE remindAt IS NOT NULL;
CREATE INDEX usersErased ON users (id) WHERE erasedAt IS NOT NULL;
CREATE TRIGGER dueWithSigner AFTER UPDATE OF signerEmail ON contracts BEGIN 
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE id = NEW.requestId AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
END;
CREATE TRIGGER dueWithCustomer AFTER UPDATE OF username ON users WHEN NEW.username <> OLD.username BEGIN
  
  UPDATE requests SET dueAt = (SELECT dueAt FROM requestsDue WHERE id = requests.id)
    WHERE ownerId = NEW.id AND status = 'WAITING_SIGNATURE' AND dueAt IS NOT (SELECT dueAt FROM requestsDue WHERE id = requests.id);
END;
CREATE TABLE passwordLinks (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('invitation', 'reset')),
  tokenHash TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  createdAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL CHECK (expiresAt > createdAt),
  usedAt TEXT
) STRICT;
CREATE INDEX passwordLinksByUser ON passwordLinks (userId);
CREATE INDEX passwordLinksByExpiry ON passwordLinks (expiresAt);
CREATE TABLE settingsInForce (
  name TEXT PRIMARY KEY,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE auditTrails (
  contractId INTEGER PRIMARY KEY REFERENCES contracts (id) ON DELETE CASCADE,
  dueAt TEXT,
  files TEXT
) STRICT;
CREATE INDEX auditTrailsDue ON auditTrails (dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX contractsBySigning ON contracts (signedAt, createdAt) WHERE signedAt IS NOT NULL;
CREATE INDEX paymentsByPaying ON payments (paidAt, contractId) WHERE paidAt IS NOT NULL;
CREATE TABLE unknownSignatures (
  signId TEXT PRIMARY KEY,
  externalId TEXT NOT NULL,
  status TEXT NOT NULL,
  name TEXT,
  seenAt TEXT NOT NULL,
  settledAt TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX unknownSignaturesOpen ON unknownSignatures (seenAt) WHERE settledAt IS NULL;
CREATE INDEX requestsByStatusSince ON requests (status, statusSince, id, dueAt);
CREATE INDEX inboxBySourceAndState ON inbox (source, state, id);
CREATE INDEX deliveriesPending ON deliveries (id) WHERE state = 'pending';
CREATE TABLE hold (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  since TEXT NOT NULL,
  madeAt TEXT NOT NULL,
  lastJobId INTEGER NOT NULL
) STRICT;
CREATE INDEX jobsFailedByError ON jobs (kind, lastError, finishedAt, id) WHERE state = 'failed';
CREATE TABLE failedErrors (
  kind TEXT NOT NULL,
  error TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, error)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER failedErrorOfNewJob AFTER INSERT ON jobs WHEN NEW.state = 'failed'
BEGIN
  INSERT INTO failedErrors (kind, error, count) VALUES (NEW.kind, ifnull(NEW.lastError, ''), 1)
    ON CONFLICT (kind, error) DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER failedErrorOfChangedJob AFTER UPDATE OF state, lastError ON jobs WHEN OLD.state = 'failed' OR NEW.state = 'failed'
BEGIN
  UPDATE failedErrors SET count = count - 1
    WHERE OLD.state = 'failed' AND kind = OLD.kind AND error = ifnull(OLD.lastError, '');
  INSERT INTO failedErrors (kind, error, count) SELECT NEW.kind, ifnull(NEW.lastError, ''), 1 WHERE NEW.state = 'failed'
    ON CONFLICT (kind, error) DO UPDATE SET count = count + 1;
  DELETE FROM failedErrors WHERE kind = OLD.kind AND error = ifnull(OLD.lastError, '') AND count = 0;
END;
CREATE TRIGGER failedErrorOfRemovedJob AFTER DELETE ON jobs WHEN OLD.state = 'failed'
BEGIN
  UPDATE failedErrors SET count = count - 1 WHERE kind = OLD.kind AND error = ifnull(OLD.lastError, '');
  DELETE FROM failedErrors WHERE kind = OLD.kind AND error = ifnull(OLD.lastError, '') AND count = 0;
END;
CREATE INDEX paymentsPayable ON payments (id) WHERE status = 'open' OR givenUpAt IS NOT NULL;
CREATE VIEW requestsDue AS
  SELECT r.id,
    CASE
      WHEN r.status = 'new' OR r.status = 'in_progress' THEN iif(c.id IS NULL, NULL, r.statusSince)
      WHEN r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' AND c.signerId IS NOT NULL
        THEN iif(c.signerEmail IS NOT NULL AND lower(c.signerEmail) <> lower(u.username), r.statusSince, c.expiredAt)
      WHEN r.status = 'WAITING_SIGNATURE' THEN r.statusSince
      WHEN r.status = 'WAITING_PAYMENT' AND (p.status = 'open' OR p.generation >= c.paymentGeneration)
        THEN strftime('%Y-%m-%dT%H:%M:%fZ', p.pendingSince, '+14 days')
      WHEN r.status = 'WAITING_PAYMENT' THEN r.statusSince
    END AS dueAt
  FROM requests r
    JOIN users u ON u.id = r.ownerId
    LEFT JOIN contracts c ON c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)
    LEFT JOIN payments p ON p.id = (
      SELECT id FROM payments WHERE contractId = c.id
        ORDER BY status = 'open' DESC, status = 'open' AND pendingSince IS NOT NULL DESC,
          iif(status = 'open', expiresAt, NULL) DESC, generation DESC
        LIMIT 1);
CREATE TABLE contractCounts (
  unit INTEGER NOT NULL CHECK (unit = length(period)),
  period TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (unit, period, status)
) STRICT, WITHOUT ROWID;
CREATE INDEX contractCountsEmpty ON contractCounts (count) WHERE count = 0;
CREATE TRIGGER contractCountsInsert AFTER INSERT ON contracts BEGIN
  INSERT INTO contractCounts (unit, period, status, count)
    VALUES (7, substr(NEW.createdAt, 1, 7), NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO contractCounts (unit, period, status, count)
    VALUES (10, substr(NEW.createdAt, 1, 10), NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO contractCounts (unit, period, status, count)
    VALUES (13, substr(NEW.createdAt, 1, 13), NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER contractCountsDelete AFTER DELETE ON contracts BEGIN
  UPDATE contractCounts SET count = count - 1
    WHERE unit = 7 AND period = substr(OLD.createdAt, 1, 7) AND status = OLD.status;
  UPDATE contractCounts SET count = count - 1
    WHERE unit = 10 AND period = substr(OLD.createdAt, 1, 10) AND status = OLD.status;
  UPDATE contractCounts SET count = count - 1
    WHERE unit = 13 AND period = substr(OLD.createdAt, 1, 13) AND status = OLD.status;
  DELETE FROM contractCounts WHERE count = 0;
END;
CREATE TRIGGER contractCountsUpdate AFTER UPDATE OF status, createdAt ON contracts
  WHEN OLD.status <> NEW.status OR OLD.createdAt <> NEW.createdAt
BEGIN
  UPDATE contractCounts SET count = count - 1
    WHERE unit = 7 AND period = substr(OLD.createdAt, 1, 7) AND status = OLD.status;
  UPDATE contractCounts SET count = count - 1
    WHERE unit = 10 AND period = substr(OLD.createdAt, 1, 10) AND status = OLD.status;
  UPDATE contractCounts SET count = count - 1
    WHERE unit = 13 AND period = substr(OLD.createdAt, 1, 13) AND status = OLD.status;
  DELETE FROM contractCounts WHERE count = 0;
  INSERT INTO contractCounts (unit, period, status, count)
    VALUES (7, substr(NEW.createdAt, 1, 7), NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO contractCounts (unit, period, status, count)
    VALUES (10, substr(NEW.createdAt, 1, 10), NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO contractCounts (unit, period, status, count)
    VALUES (13, substr(NEW.createdAt, 1, 13), NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE INDEX contractsByCreation ON contracts (createdAt, id);
CREATE INDEX contractsByStatus ON contracts (status || '', createdAt, id);
INSERT INTO installation (one, id, createdAt) VALUES (1, '0123456789abcdef', '2026-03-02T09:14:07.250Z');
INSERT INTO requestWords (requestWords, rank) VALUES ('secure-delete', 1);
INSERT INTO customerWords (customerWords, rank) VALUES ('secure-delete', 1);
PRAGMA user_version = 49;
