-- The whole schema. A new database is made from this file, which has the number of the newest migration
-- (src/db/migrations); the types in src/db/schema.ts are written from it by `npm run schema`.
--
-- Times are ISO 8601 in UTC with milliseconds; what ends in `At`, `Until` or `Since` is one. Booleans are 0 and 1. Names and
-- statuses are spelled as in the API (docs/rules.md 1, 2). No rule stands here: core decides, and writes what it decided.

--------------------------------------------------------------------------------------------------------------------------------
-- People
--------------------------------------------------------------------------------------------------------------------------------

-- Customers and administrators.
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE, -- the e-mail address
  passwordHash TEXT NOT NULL,
  firstName TEXT NOT NULL,
  lastName TEXT NOT NULL,
  phone TEXT,
  locale TEXT CHECK (locale IN ('en', 'fr')), -- null: that of the settings
  address TEXT, -- the postal one, in lines; null: none is known
  role TEXT NOT NULL CHECK (role IN ('ROLE_USER', 'ROLE_ADMIN')),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  tokenVersion INTEGER NOT NULL DEFAULT 1, -- raised when the password changes or the account is disabled; older access tokens are void
  linkVersion INTEGER NOT NULL DEFAULT 0, -- raised when the password, the address or `enabled` changes; older links to set a password are void
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  erasedAt TEXT -- when the personal data were erased
) STRICT;
CREATE INDEX usersAdministrators ON users (id) WHERE role = 'ROLE_ADMIN' AND enabled = 1;
CREATE INDEX usersErased ON users (id) WHERE erasedAt IS NOT NULL;

-- What renews an access token of the API. A used one that comes again ends its family.
CREATE TABLE refreshTokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  family TEXT NOT NULL, -- the log-in from which it descends
  tokenHash TEXT NOT NULL UNIQUE,
  createdAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  usedAt TEXT,
  revokedAt TEXT
) STRICT;
CREATE INDEX refreshTokensByUser ON refreshTokens (userId);
CREATE INDEX refreshTokensByFamily ON refreshTokens (family);
CREATE INDEX refreshTokensByExpiry ON refreshTokens (expiresAt);

-- Log-ins to the back office.
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  tokenHash TEXT NOT NULL UNIQUE, -- of the cookie
  tokenVersion INTEGER NOT NULL, -- the user's at log-in: a changed password or a closed account raises it, which ends the session
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  lastSeenAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL,
  flash TEXT -- what the next page says, once: JSON
) STRICT;
CREATE INDEX sessionsByUser ON sessions (userId, id);
CREATE INDEX sessionsByExpiry ON sessions (expiresAt);

-- Links by mail with which people set their password.
CREATE TABLE passwordLinks (
  id INTEGER PRIMARY KEY,
  userId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('invitation', 'reset')),
  tokenHash TEXT NOT NULL UNIQUE, -- SHA-256 in hex
  version INTEGER NOT NULL, -- the user's `linkVersion` for which it was made
  createdAt TEXT NOT NULL,
  expiresAt TEXT NOT NULL CHECK (expiresAt > createdAt),
  usedAt TEXT
) STRICT;
CREATE INDEX passwordLinksByUser ON passwordLinks (userId);
CREATE INDEX passwordLinksByExpiry ON passwordLinks (expiresAt);

-- The calls of each user within the last hour: those between `firstAt` and `lastAt` leave it together.
CREATE TABLE userCalls (
  userId INTEGER NOT NULL REFERENCES users (id),
  firstAt TEXT NOT NULL,
  lastAt TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (userId, firstAt),
  CHECK (firstAt <= lastAt)
) STRICT, WITHOUT ROWID;
CREATE INDEX userCallsByLastAt ON userCalls (lastAt);

-- What a creation with an Idempotency-Key answered, for a day; written in the transaction of the creation.
CREATE TABLE idempotencyKeys (
  userId INTEGER NOT NULL REFERENCES users (id),
  operation TEXT NOT NULL, -- method and path
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT NOT NULL, -- of the body
  answer TEXT NOT NULL, -- JSON
  expiresAt TEXT NOT NULL,
  PRIMARY KEY (userId, operation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotencyKeysByExpiry ON idempotencyKeys (expiresAt);

--------------------------------------------------------------------------------------------------------------------------------
-- What customers ask for
--------------------------------------------------------------------------------------------------------------------------------

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
CREATE INDEX equipmentsByName ON equipments (name, id);
CREATE INDEX equipmentsByOwnerAndName ON equipments (ownerId, name, id);
CREATE INDEX equipmentsBySerialNumber ON equipments (serialNumber);

-- A request for maintenance, from entry to paid.
CREATE TABLE requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reference TEXT NOT NULL GENERATED ALWAYS AS ('REQ-' || substr(createdAt, 1, 4) || '-' || printf('%06d', id)) VIRTUAL,
  ownerId INTEGER NOT NULL REFERENCES users (id), -- the customer
  equipmentId INTEGER NOT NULL REFERENCES equipments (id),
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'new' OR status = 'in_progress' OR status = 'WAITING_SIGNATURE' OR status = 'WAITING_PAYMENT' OR status = 'COMPLETE' OR status = 'CANCELED'),
  statusSince TEXT NOT NULL,
  amount INTEGER CHECK (amount > 0), -- the price of its next contract, whatever was offered, in the smallest unit of the currency; null, like the currency: it has none of its own
  currency TEXT CHECK (length(currency) = 3),
  dueAt TEXT, -- from when on the office has to look at it, unless something happens before (core/requests/due-date.ts)
  paymentId TEXT UNIQUE, -- the payment session that its page names
  paymentUrl TEXT, -- null: it cannot be paid there
  payToken TEXT, -- of the lasting link to pay; null until there is something to pay
  remindAt TEXT, -- when the customer is next reminded to pay; null: not again
  remindedAt TEXT, -- when the customer was last reminded, to sign or to pay
  renewsId INTEGER REFERENCES requests (id), -- the request whose contract it renews
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;
-- Lists, each in its order. With the status at the end, a list in several statuses does not look at the table.
CREATE INDEX requestsByCreation ON requests (createdAt, id, status);
CREATE INDEX requestsBySince ON requests (statusSince, id, status);
CREATE INDEX requestsByStatus ON requests (status, createdAt, id);
CREATE INDEX requestsByStatusSince ON requests (status, statusSince, id, dueAt);
CREATE INDEX requestsByOwner ON requests (ownerId, createdAt, id, status);
CREATE INDEX requestsByEquipment ON requests (equipmentId, createdAt, id, status, ownerId);
CREATE INDEX requestsDueAt ON requests (dueAt, id) WHERE dueAt IS NOT NULL;
CREATE INDEX requestsRemindAt ON requests (remindAt, id) WHERE remindAt IS NOT NULL;
-- Renewed once, however often it is asked for.
CREATE UNIQUE INDEX requestByRenewed ON requests (renewsId) WHERE renewsId IS NOT NULL;
CREATE UNIQUE INDEX requestsByPayToken ON requests (payToken) WHERE payToken IS NOT NULL;

-- Prices offered for a request; an accepted one is the price of the contract.
CREATE TABLE offers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reference TEXT NOT NULL GENERATED ALWAYS AS ('OFF-' || substr(createdAt, 1, 4) || '-' || printf('%06d', id)) VIRTUAL,
  requestId INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
  ownerId INTEGER NOT NULL REFERENCES users (id), -- of the request, which never changes hands
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'draft' OR status = 'sent' OR status = 'accepted' OR status = 'refused'),
  amount INTEGER NOT NULL CHECK (amount > 0), -- in the smallest unit of the currency
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;
CREATE INDEX offersByCreation ON offers (createdAt, id, status);
CREATE INDEX offersByOwner ON offers (ownerId, createdAt, id, status);
CREATE INDEX offersByRequest ON offers (requestId, id, status);

-- The price list: what a contract costs by the words of its equipment.
CREATE TABLE prices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  words TEXT NOT NULL UNIQUE, -- as typed: all of them must stand in the equipment's name and model
  amount INTEGER NOT NULL CHECK (amount > 0), -- in the smallest unit of the currency
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;

-- Faults that customers report.
CREATE TABLE troubleshootings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reference TEXT NOT NULL GENERATED ALWAYS AS ('TRB-' || substr(createdAt, 1, 4) || '-' || printf('%06d', id)) VIRTUAL,
  requestId INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
  ownerId INTEGER NOT NULL REFERENCES users (id), -- of the request, which never changes hands
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'open' OR status = 'in_progress' OR status = 'solved'),
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;
CREATE INDEX troubleshootingsByCreation ON troubleshootings (createdAt, id, status);
CREATE INDEX troubleshootingsByOwner ON troubleshootings (ownerId, createdAt, id, status);
CREATE INDEX troubleshootingsByRequest ON troubleshootings (requestId, id, status);

--------------------------------------------------------------------------------------------------------------------------------
-- What is signed and paid
--------------------------------------------------------------------------------------------------------------------------------

-- The contracts of a request; the newest counts.
CREATE TABLE contracts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  requestId INTEGER NOT NULL REFERENCES requests (id),
  status TEXT NOT NULL CHECK (status = 'PENDING' OR status = 'SIGNED' OR status = 'EXPIRED'),
  key TEXT NOT NULL CHECK (length(key) = 16), -- random: the contract's part of our names at the providers
  externalId TEXT NOT NULL, -- its name at the signature provider
  signId TEXT UNIQUE, -- the provider's id of the signature request; null: none is known
  sending TEXT NOT NULL DEFAULT 'unsent' CHECK (sending = 'unsent' OR sending = 'asked' OR sending = 'sent'), -- unsent: as far as we know, nobody can have it; asked: the provider was asked to send it and has not said yes; sent: it is with the customer
  signerId TEXT,
  signerEmail TEXT, -- the address it was sent to; the customer's may have changed since. Null: not sent, or erased
  signUrl TEXT,
  signUrlExpiresAt TEXT,
  activationAskedAt TEXT, -- when the provider was first asked to send it
  correctedAt TEXT, -- when its signer was last corrected there, which mails the link again
  refusal TEXT, -- why the last attempt to send it failed, as words and params in JSON; null: not by the provider's answer, or it may have been sent
  termsDigest TEXT, -- of what it was made from; null: erased
  amount INTEGER NOT NULL CHECK (amount >= 0), -- in the smallest unit of the currency
  currency TEXT NOT NULL CHECK (length(currency) = 3),
  vat REAL CHECK (vat > 0), -- the percentage of value added tax in the amount; null: nothing is said of it
  createdAt TEXT NOT NULL,
  expiredAt TEXT, -- the last moment to sign; once it is signed, the end of the term, if it has one
  signedAt TEXT,
  pdfSha256 TEXT, -- of the stored signed PDF: SHA-256 in hex
  pdfSize INTEGER, -- in bytes
  draftSha256 TEXT, -- of the stored PDF to sign; null: none is stored
  ownPdf INTEGER NOT NULL DEFAULT 0 CHECK (ownPdf IN (0, 1)), -- 1: the PDF to sign was supplied, not generated
  endReason TEXT CHECK (endReason = 'declined' OR endReason = 'canceled' OR endReason = 'rejected' OR endReason = 'deleted' OR endReason = 'expired' OR endReason = 'signer_error' OR endReason = 'not_found' OR endReason = 'reset' OR endReason = 'replaced' OR endReason = 'request_canceled' OR endReason = 'date_passed'), -- why it is EXPIRED (core/lifecycle.ts)
  endedAt TEXT, -- when it became EXPIRED
  declineReason TEXT, -- the customer's words when declining, or those of who reset it; null: none, or erased
  told TEXT CHECK (told = 'late' OR told = 'foreign' OR told = 'elsewhere'), -- what the office was told last of its signature: too late, somebody else's, or on a contract that no longer counts
  failedSigningAt TEXT, -- when the provider told that it failed while the customer signed
  paymentKey TEXT, -- the idempotency key of a call that makes a payment page, on disk before the call; null: none is without its answer
  CHECK ((status = 'PENDING') <= (signedAt IS NULL)),
  CHECK ((status = 'SIGNED') <= (signedAt IS NOT NULL AND pdfSha256 IS NOT NULL)),
  CHECK ((signUrl IS NOT NULL) <= (signId IS NOT NULL))
) STRICT;
CREATE INDEX contractsByRequest ON contracts (requestId, id);
-- A request has at most one contract that is alive.
CREATE UNIQUE INDEX contractAliveByRequest ON contracts (requestId) WHERE status IN ('PENDING', 'SIGNED');
CREATE UNIQUE INDEX contractByKey ON contracts (key);
CREATE UNIQUE INDEX contractByExternalId ON contracts (externalId);
CREATE INDEX contractsByCreation ON contracts (createdAt, id, status);
CREATE INDEX contractsByExpiry ON contracts (expiredAt, id) WHERE status IN ('PENDING', 'SIGNED');
CREATE INDEX contractsToSign ON contracts (expiredAt, id) WHERE status = 'PENDING';
CREATE INDEX contractsUnfinished ON contracts (id) WHERE status = 'PENDING' AND sending <> 'sent';
CREATE INDEX contractsBySending ON contracts (coalesce(activationAskedAt, createdAt), id) WHERE sending = 'sent';
CREATE INDEX contractsBySigning ON contracts (signedAt, createdAt) WHERE signedAt IS NOT NULL;

-- The signature provider's audit trails of signed contracts, kept as files beside the signed PDFs.
CREATE TABLE auditTrails (
  contractId INTEGER PRIMARY KEY REFERENCES contracts (id) ON DELETE CASCADE,
  dueAt TEXT, -- when the provider is asked next; null: it is kept, or given up
  files TEXT -- JSON list of {name, sha256}; null: not kept
) STRICT;
CREATE INDEX auditTrailsDue ON auditTrails (dueAt) WHERE dueAt IS NOT NULL;

-- Sessions of the payment provider.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contractId INTEGER NOT NULL REFERENCES contracts (id),
  paymentId TEXT NOT NULL UNIQUE, -- the provider's id
  paymentUrl TEXT,
  -- What it is to us; it only moves to the right (core/payment/facts.ts). pending: the customer has paid by a means that takes days.
  -- given_up: so too, and a person no longer waits. case: paid, and a person must decide. settled: paid, and a person has decided that it does not count.
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'pending' OR state = 'given_up' OR state = 'over' OR state = 'case' OR state = 'paid' OR state = 'settled'),
  amount INTEGER, -- what it costs; once it is paid, what was paid. Null: the provider does not say what was paid
  currency TEXT,
  createdAt TEXT NOT NULL, -- by the provider, for one that we have found
  expiresAt TEXT,
  pendingSince TEXT, -- since when its money has been, or was, on its way
  refusedAt TEXT, -- when the bank refused the money
  paidAt TEXT,
  CHECK ((state = 'case' OR state = 'paid' OR state = 'settled') = (paidAt IS NOT NULL))
) STRICT;
CREATE INDEX paymentsByCreation ON payments (createdAt, id, state);
CREATE INDEX paymentsByContract ON payments (contractId, id);
CREATE INDEX paymentsPayable ON payments (id) WHERE state IN ('open', 'pending', 'given_up');
CREATE INDEX paymentsOnTheirWay ON payments (pendingSince) WHERE state IN ('pending', 'given_up');
CREATE INDEX paymentsByPaying ON payments (paidAt, contractId) WHERE paidAt IS NOT NULL;

-- What a person must decide: money or a signature that does not count, a document that is not the contract's, a refused recipient.
CREATE TABLE cases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind = 'payment' OR kind = 'signed_late' OR kind = 'canceled_signed' OR kind = 'replaced_signed' OR kind = 'foreign_signature' OR kind = 'unknown_document' OR kind = 'unknown_payment' OR kind = 'recipient_refused' OR kind = 'term_ends'),
  subject TEXT NOT NULL, -- the paymentId, the signId or the contract's id that it is about
  requestId INTEGER REFERENCES requests (id) ON DELETE CASCADE, -- null: about no request that is known here
  contractId INTEGER,
  detail TEXT NOT NULL DEFAULT '{}', -- JSON object: what is shown of it; nothing is decided by it
  openedAt TEXT NOT NULL,
  decidedAt TEXT,
  decision TEXT CHECK (decision = 'accepted' OR decision = 'settled' OR decision = 'overtaken'), -- overtaken: what happened later has decided
  decidedBy TEXT, -- an actor, as in the history
  reason TEXT,
  UNIQUE (kind, subject),
  CHECK ((decidedAt IS NULL) = (decision IS NULL) AND (decidedAt IS NULL) = (decidedBy IS NULL))
) STRICT;
CREATE INDEX casesOpen ON cases (openedAt, id) WHERE decidedAt IS NULL;
CREATE INDEX casesByRequest ON cases (requestId, id) WHERE requestId IS NOT NULL;
CREATE INDEX casesByDecider ON cases (decidedBy) WHERE decidedBy IS NOT NULL;

--------------------------------------------------------------------------------------------------------------------------------
-- Work to do, and what comes in and goes out
--------------------------------------------------------------------------------------------------------------------------------

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind <> ''), -- declared in the program (core/jobs/kinds.ts)
  payload TEXT NOT NULL, -- JSON
  uniqueKey TEXT,
  lane TEXT, -- the jobs of one lane run one after the other; null: in parallel, up to the kind's slots
  state TEXT NOT NULL CHECK (state = 'available' OR state = 'running' OR state = 'completed' OR state = 'failed'),
  attempt INTEGER NOT NULL DEFAULT 0, -- counted when it is claimed
  runAt TEXT NOT NULL,
  leaseUntil TEXT,
  leaseToken TEXT, -- of the runner
  leaseHolder TEXT, -- the process that runs it (core/installation/process.ts)
  requestId INTEGER,
  contractId INTEGER,
  lastError TEXT,
  errors TEXT NOT NULL DEFAULT '[]', -- JSON list of {attempt, at, error, reason?}: the first and the last nine
  replays INTEGER NOT NULL DEFAULT 0,
  createdAt TEXT NOT NULL,
  finishedAt TEXT,
  CHECK ((state = 'running') = (leaseUntil IS NOT NULL AND leaseToken IS NOT NULL)),
  CHECK ((state IN ('completed', 'failed')) = (finishedAt IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX jobByUniqueKey ON jobs (uniqueKey) WHERE uniqueKey IS NOT NULL;
CREATE INDEX jobsOpen ON jobs (state, kind, runAt, id) WHERE state = 'available' OR state = 'running';
CREATE INDEX jobsByLane ON jobs (lane, runAt, id) WHERE state = 'available' AND lane IS NOT NULL;
CREATE INDEX jobsByRequest ON jobs (requestId, kind, id) WHERE requestId IS NOT NULL;
CREATE INDEX jobsFailed ON jobs (finishedAt, id) WHERE state = 'failed';
CREATE INDEX jobsFailedByRequest ON jobs (requestId, id) WHERE state = 'failed';
CREATE INDEX jobsFailedByError ON jobs (kind, lastError, finishedAt, id) WHERE state = 'failed';
-- Mails that wait for another attempt although the server does not take mail for the address.
CREATE INDEX jobsRefused ON jobs (state, id)
  WHERE state = 'available' AND attempt > 0 AND errors ->> '$[#-1].reason' = 'recipient_refused';

-- Beside each lane's name, when its first waiting job is due and how many of its jobs run, so that the claim finds the lanes that are
-- free and due in one index, however many jobs wait in the others (ADR 8).
CREATE TABLE lanes (
  name TEXT PRIMARY KEY,
  dueAt TEXT,
  running INTEGER NOT NULL DEFAULT 0 CHECK (running >= 0),
  isSlow INTEGER NOT NULL DEFAULT 0 CHECK (isSlow IN (0, 1)) -- 1: its last job took long
) STRICT, WITHOUT ROWID;
CREATE INDEX lanesFree ON lanes (isSlow, dueAt) WHERE running = 0 AND dueAt IS NOT NULL;

-- Genuine webhooks of both providers.
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL CHECK (source IN ('signature', 'payment')),
  eventKey TEXT NOT NULL, -- the provider's event id, or the body's digest if there is none
  eventName TEXT NOT NULL,
  subjectId TEXT NOT NULL, -- signId or paymentId
  contractId INTEGER REFERENCES contracts (id),
  body BLOB,
  state TEXT NOT NULL CHECK (state = 'received' OR state = 'done' OR state = 'refused' OR state = 'ignored'), -- received: its work is not finished; else nothing more will happen
  outcome TEXT,
  receivedAt TEXT NOT NULL,
  finishedAt TEXT,
  UNIQUE (source, eventKey),
  CHECK ((state = 'received') = (finishedAt IS NULL))
) STRICT;
CREATE INDEX inboxBySubject ON inbox (subjectId, id);
CREATE INDEX inboxByContract ON inbox (contractId, state);
CREATE INDEX inboxBySourceAndState ON inbox (source, state, id);
CREATE INDEX inboxBodies ON inbox (finishedAt) WHERE body IS NOT NULL AND finishedAt IS NOT NULL;

-- Webhooks that were not genuine.
CREATE TABLE rejectedDeliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL CHECK (source IN ('signature', 'payment')),
  reason TEXT NOT NULL,
  size INTEGER NOT NULL,
  address TEXT NOT NULL,
  claimedId TEXT, -- what the body claims to be about; unverified, kept so that `explain` can show it
  at TEXT NOT NULL
) STRICT;
CREATE INDEX rejectedDeliveriesByClaim ON rejectedDeliveries (claimedId, id) WHERE claimedId IS NOT NULL;

-- Subscriptions to our events.
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ownerId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event = 'request.created' OR event = 'request.updated' OR event = 'offer.created' OR event = 'troubleshooting.updated'),
  secret TEXT NOT NULL, -- encrypted, like the previous one, which stays valid for a day
  oldSecret TEXT,
  oldSecretUntil TEXT,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  disabledReason TEXT, -- null: its owner did it
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0), -- deliveries in a row that failed for good
  failingSince TEXT, -- since when no attempt has succeeded
  lastError TEXT, -- of the last attempt that failed, also when later ones succeeded: a word such as http_503
  lastErrorAt TEXT,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  CHECK ((oldSecret IS NULL) = (oldSecretUntil IS NULL)),
  CHECK (active <= (disabledReason IS NULL))
) STRICT;
CREATE INDEX webhooksByOwner ON webhooks (ownerId, id);
CREATE INDEX webhooksListening ON webhooks (event, ownerId) WHERE active = 1;
CREATE INDEX webhooksDisabled ON webhooks (id) WHERE disabledReason IS NOT NULL;

-- Events on their way to a subscription.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhookId INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  messageId TEXT NOT NULL UNIQUE, -- the `webhook-id` of every attempt; sortable by time
  event TEXT NOT NULL, -- one of those of `webhooks`, or ping
  requestId INTEGER, -- the request it is about, or to which its offer or troubleshooting belongs
  content TEXT NOT NULL, -- the body without its signature, frozen when the event happened
  signature TEXT, -- the signature inside the body, made at the first attempt; then the bytes stay the same
  state TEXT NOT NULL CHECK (state = 'pending' OR state = 'delivered' OR state = 'failed'), -- pending: another attempt will follow; failed: none will, or the subscription was disabled
  createdAt TEXT NOT NULL,
  finishedAt TEXT,
  CHECK ((state = 'pending') = (finishedAt IS NULL))
) STRICT;
CREATE INDEX deliveriesByWebhook ON deliveries (webhookId, id);
CREATE INDEX deliveriesByRequest ON deliveries (requestId, id) WHERE requestId IS NOT NULL;
CREATE INDEX deliveriesFinished ON deliveries (finishedAt) WHERE finishedAt IS NOT NULL;
CREATE INDEX deliveriesPending ON deliveries (id) WHERE state = 'pending';
CREATE INDEX deliveriesFailed ON deliveries (id) WHERE state = 'failed';
CREATE INDEX deliveriesFailedByWebhook ON deliveries (webhookId, id) WHERE state = 'failed';

CREATE TABLE deliveryAttempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deliveryId INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  ms INTEGER NOT NULL,
  url TEXT NOT NULL,
  outcome TEXT NOT NULL, -- delivered, or a word for the trouble: timeout, connection_refused, http_503 …
  status INTEGER,
  headers TEXT, -- JSON object of those worth knowing
  answer TEXT -- the beginning of the answer's body
) STRICT;
CREATE INDEX deliveryAttemptsByDelivery ON deliveryAttempts (deliveryId, id);

-- Mails about a request as they were sent, for evidence: the text, without the HTML that says the same.
CREATE TABLE sentMails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  requestId INTEGER NOT NULL REFERENCES requests (id) ON DELETE CASCADE,
  contractId INTEGER,
  at TEXT NOT NULL,
  mail TEXT NOT NULL, -- which one: payment-link, contract-signed …
  sender TEXT NOT NULL,
  address TEXT NOT NULL,
  messageId TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  attachments TEXT NOT NULL -- JSON list of {filename, sha256}
) STRICT;
CREATE INDEX sentMailsByRequest ON sentMails (requestId, id);

--------------------------------------------------------------------------------------------------------------------------------
-- What happened, and the installation itself
--------------------------------------------------------------------------------------------------------------------------------

-- Who did what; also about what is gone.
CREATE TABLE history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  requestId INTEGER,
  contractId INTEGER,
  actor TEXT NOT NULL, -- system, webhook, schedule, user:<username>, cli:<login>
  what TEXT NOT NULL, -- a word such as request.moved or contract.ended (core/history/history.ts)
  subject TEXT, -- `user:5`, `webhook:3`, `equipment:2`; null: anything else
  detail TEXT NOT NULL -- JSON object
) STRICT;
CREATE INDEX historyByRequest ON history (requestId, id) WHERE requestId IS NOT NULL;
CREATE INDEX historyBySubject ON history (subject, id) WHERE subject IS NOT NULL;
CREATE INDEX historyByActor ON history (actor, id);
CREATE INDEX historyByWord ON history (what, id);

-- One row: who we are at the providers. Row ids come back after a restore, and other installations on the same account have the same.
CREATE TABLE installation (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL CHECK (length(id) = 16),
  createdAt TEXT NOT NULL
) STRICT;
INSERT INTO installation (one, id, createdAt)
  VALUES (1, lower(hex(randomblob(8))), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

-- One row while a restored installation is held: it sends nothing until somebody takes over.
CREATE TABLE hold (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  since TEXT NOT NULL, -- when it was restored
  madeAt TEXT NOT NULL, -- when the backup was made
  lastJobId INTEGER NOT NULL -- the newest job of the backup: those up to it may have been done elsewhere
) STRICT;

-- Scheduled work that was done, and runs of commands.
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (name = 'expire' OR name = 'reconcile' OR name = 'housekeeping' OR name = 'backup' OR name = 'payments' OR name = 'reminders' OR name = 'trails' OR name = 'snapshot' OR name = 'offsite' OR name = 'digest'),
  startedAt TEXT NOT NULL,
  finishedAt TEXT,
  result TEXT -- JSON
) STRICT;
CREATE INDEX runsByName ON runs (name, id);
CREATE INDEX runsByStart ON runs (startedAt);

-- Runs that fail; a row is removed by one that succeeds. `mail`: the mail server refuses us.
CREATE TABLE failingRuns (
  name TEXT PRIMARY KEY CHECK (name = 'expire' OR name = 'reconcile' OR name = 'housekeeping' OR name = 'backup' OR name = 'mail' OR name = 'payments' OR name = 'reminders' OR name = 'trails' OR name = 'snapshot' OR name = 'offsite' OR name = 'digest'),
  since TEXT NOT NULL,
  lastAt TEXT NOT NULL,
  times INTEGER NOT NULL CHECK (times > 0),
  error TEXT NOT NULL,
  code TEXT -- of a file error, such as EACCES
) STRICT;

-- Where a round of calls to a provider broke off; a row is removed by a round that is whole.
CREATE TABLE roundPlaces (
  name TEXT PRIMARY KEY,
  place TEXT NOT NULL -- of a list: the cursor of the page that failed; else the key of the last one that was tried
) STRICT, WITHOUT ROWID;

-- So that no two processes work on one thing at a time.
CREATE TABLE locks (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  holder TEXT NOT NULL, -- the process that works under it (core/installation/process.ts)
  until TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The settings with which the daemon last ran, so that the history can name those that a restart has changed.
CREATE TABLE settingsInForce (
  name TEXT PRIMARY KEY,
  digest TEXT NOT NULL -- keyed, because some settings are secrets
) STRICT, WITHOUT ROWID;

-- What the readiness of the service is tried on: a row that is written, and taken away in the same transaction.
CREATE TABLE probes (id INTEGER PRIMARY KEY, filler BLOB NOT NULL) STRICT;

--------------------------------------------------------------------------------------------------------------------------------
-- The search
--------------------------------------------------------------------------------------------------------------------------------

-- Each customer and each request has one text of all that they are known by, indexed by its trigrams, so that any part of a word is
-- found. Two spaces before each word make one and two letters trigrams too: of its beginning. Letters that no accent makes are
-- written without them, as in core/search/terms.ts. SQLite wants the texts as views, and triggers that take an old text out of
-- the index and put the new one in. Detail `none` makes the index three times smaller; whether the trigrams stand side by side is
-- looked up in the text.
CREATE VIEW customerTexts AS
  SELECT u.id, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      ' ' || u.firstName || ' ' || u.lastName || ' ' || u.username || ' ' || coalesce(u.phone, ''),
    'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), 'Æ', 'ae'), 'ø', 'o'), 'Ø', 'o'), 'ß', 'ss'), 'ł', 'l'), 'Ł', 'l'), ' ', '  ') AS text
  FROM users u;
CREATE VIEW requestTexts AS
  SELECT r.id, r.ownerId, r.equipmentId, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      ' ' || r.title || ' ' || e.serialNumber || ' ' || u.firstName || ' ' || u.lastName || ' ' || u.username || ' ' || coalesce(u.phone, ''),
    'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), 'Æ', 'ae'), 'ø', 'o'), 'Ø', 'o'), 'ß', 'ss'), 'ł', 'l'), 'Ł', 'l'), ' ', '  ') AS text
  FROM requests r CROSS JOIN users u ON u.id = r.ownerId CROSS JOIN equipments e ON e.id = r.equipmentId;
CREATE VIRTUAL TABLE customerWords USING fts5 (
  text, content = 'customerTexts', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1', detail = 'none'
);
CREATE VIRTUAL TABLE requestWords USING fts5 (
  text, content = 'requestTexts', content_rowid = 'id', tokenize = 'trigram remove_diacritics 1', detail = 'none'
);

-- What is taken out of the index stays in its file until it is merged: the erasure of a person rewrites it.

CREATE TRIGGER customerWordsAdded AFTER INSERT ON users
BEGIN
  INSERT INTO customerWords (rowid, text) SELECT id, text FROM customerTexts WHERE id = NEW.id;
END;
CREATE TRIGGER customerWordsRemoved BEFORE DELETE ON users
BEGIN
  INSERT INTO customerWords (customerWords, rowid, text) SELECT 'delete', id, text FROM customerTexts WHERE id = OLD.id;
END;
CREATE TRIGGER customerWordsBefore BEFORE UPDATE OF firstName, lastName, username, phone ON users
  WHEN OLD.firstName IS NOT NEW.firstName OR OLD.lastName IS NOT NEW.lastName OR OLD.username IS NOT NEW.username OR OLD.phone IS NOT NEW.phone
BEGIN
  INSERT INTO customerWords (customerWords, rowid, text) SELECT 'delete', id, text FROM customerTexts WHERE id = OLD.id;
  INSERT INTO requestWords (requestWords, rowid, text) SELECT 'delete', id, text FROM requestTexts WHERE ownerId = OLD.id;
END;
CREATE TRIGGER customerWordsAfter AFTER UPDATE OF firstName, lastName, username, phone ON users
  WHEN OLD.firstName IS NOT NEW.firstName OR OLD.lastName IS NOT NEW.lastName OR OLD.username IS NOT NEW.username OR OLD.phone IS NOT NEW.phone
BEGIN
  INSERT INTO customerWords (rowid, text) SELECT id, text FROM customerTexts WHERE id = NEW.id;
  INSERT INTO requestWords (rowid, text) SELECT id, text FROM requestTexts WHERE ownerId = NEW.id;
END;
CREATE TRIGGER equipmentWordsBefore BEFORE UPDATE OF serialNumber ON equipments
  WHEN OLD.serialNumber IS NOT NEW.serialNumber
BEGIN
  INSERT INTO requestWords (requestWords, rowid, text) SELECT 'delete', id, text FROM requestTexts WHERE equipmentId = OLD.id;
END;
CREATE TRIGGER equipmentWordsAfter AFTER UPDATE OF serialNumber ON equipments
  WHEN OLD.serialNumber IS NOT NEW.serialNumber
BEGIN
  INSERT INTO requestWords (rowid, text) SELECT id, text FROM requestTexts WHERE equipmentId = NEW.id;
END;
CREATE TRIGGER requestWordsAdded AFTER INSERT ON requests
BEGIN
  INSERT INTO requestWords (rowid, text) SELECT id, text FROM requestTexts WHERE id = NEW.id;
END;
CREATE TRIGGER requestWordsRemoved BEFORE DELETE ON requests
BEGIN
  INSERT INTO requestWords (requestWords, rowid, text) SELECT 'delete', id, text FROM requestTexts WHERE id = OLD.id;
END;
CREATE TRIGGER requestWordsBefore BEFORE UPDATE OF title, ownerId, equipmentId ON requests
  WHEN OLD.title IS NOT NEW.title OR OLD.ownerId IS NOT NEW.ownerId OR OLD.equipmentId IS NOT NEW.equipmentId
BEGIN
  INSERT INTO requestWords (requestWords, rowid, text) SELECT 'delete', id, text FROM requestTexts WHERE id = OLD.id;
END;
CREATE TRIGGER requestWordsAfter AFTER UPDATE OF title, ownerId, equipmentId ON requests
  WHEN OLD.title IS NOT NEW.title OR OLD.ownerId IS NOT NEW.ownerId OR OLD.equipmentId IS NOT NEW.equipmentId
BEGIN
  INSERT INTO requestWords (rowid, text) SELECT id, text FROM requestTexts WHERE id = NEW.id;
END;
