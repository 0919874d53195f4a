/**
 * Outbound webhooks: subscriptions, deliveries with their log, and lanes.
 *
 * A lane is a row of jobs that are done one after the other. Triggers keep beside its name when its first waiting job is
 * due and how many of its jobs run, so that the claim finds the lanes that are free and due in one index, however many
 * jobs wait in the others.
 */
export const sql = `
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ownerId INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('request.created', 'request.updated', 'offer.created', 'troubleshooting.updated')),
  secret TEXT NOT NULL,
  oldSecret TEXT,
  oldSecretUntil TEXT,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  disabledReason TEXT,
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failingSince TEXT,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
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
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  createdAt TEXT NOT NULL,
  finishedAt TEXT,
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

ALTER TABLE jobs ADD COLUMN lane TEXT;
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
`;
