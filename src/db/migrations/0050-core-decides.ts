/**
 * From the first version whose databases are opened: core decides what triggers and counters decided, a
 * holder is named in full, a refused start is kept.
 */
const DUE_TRIGGERS = [
  'Request',
  'NewContract',
  'Contract',
  'WithoutContract',
  'Signer',
  'NewPayment',
  'Payment',
  'Customer',
].map((what) => `DROP TRIGGER due${what.startsWith('Without') ? what : `With${what}`};`);

const COUNTS = ['requestCounts', 'contractCounts'].flatMap((name) => [
  ...['Insert', 'Update', 'Delete'].map((event) => `DROP TRIGGER ${name}${event};`),
  `DROP TABLE ${name};`,
]);

/** Names that the signature provider does not take, and addresses: written down once, as core decided when this was made. */
const OTHER_LETTERS = `'*[^0-9A-Za-zĄÀÁÂÃÄÅÇĆÈÉÊËĘÌÍÎÏŁÑŃÒÓÔÕÖŚÙÚÛÜÝŹŻąàáâãäåæçćèéêëęìíîïłñńòóôõöśùúûüýÿźżßĀāĂăĈĉĊċČčĎďĐđĒēĔĕĖėĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĳĴĵĶķĸĹĺĻļĽľĿŀŅņŇňŉŊŋŌōŎŏŐőŒœŔŕŖŗŘřŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŽžſøØÆȘșȚț\`''() -]*'`;

const REFUSED = `
  firstName GLOB ${OTHER_LETTERS} OR firstName <> trim(firstName) OR
  lastName GLOB ${OTHER_LETTERS} OR lastName <> trim(lastName) OR
  length(username) > 100 OR username GLOB '*[^-a-z0-9_''+.@]*' OR username NOT GLOB '*@*.*'`;

const either = (...names: string[]) => names.map((name) => `name = ''${name}''`).join(' OR ');

export const sql = `
${DUE_TRIGGERS.join('\n')}
DROP VIEW requestsDue;
UPDATE requests SET dueAt = statusSince
  WHERE dueAt IS NULL AND (status = 'new' OR status = 'in_progress') AND ownerId IN (SELECT id FROM users WHERE ${REFUSED});

DROP TRIGGER laneOfNewJob;
DROP TRIGGER laneOfChangedJob;
DROP TRIGGER laneOfRemovedJob;

${COUNTS.join('\n')}
DROP TRIGGER failedErrorOfNewJob;
DROP TRIGGER failedErrorOfChangedJob;
DROP TRIGGER failedErrorOfRemovedJob;
DROP TABLE failedErrors;

DROP INDEX requestsByCreation;
CREATE INDEX requestsByCreation ON requests (createdAt, id, status);
CREATE INDEX requestsBySince ON requests (statusSince, id, status);
DROP INDEX contractsByStatus;
DROP INDEX contractsByCreation;
CREATE INDEX contractsByCreation ON contracts (createdAt, id, status);
CREATE INDEX unknownSignaturesByName ON unknownSignatures (externalId);
DROP INDEX historyByActor;
CREATE INDEX historyByActor ON history (actor, id);
DROP INDEX historyByWord;
CREATE INDEX historyByWord ON history (what, id);
CREATE INDEX historyByRequestAndWord ON history (requestId, what) WHERE requestId IS NOT NULL;
DROP INDEX jobsByRequest;
CREATE INDEX jobsByRequest ON jobs (requestId, kind, id) WHERE requestId IS NOT NULL;
CREATE INDEX jobsFailedByRequest ON jobs (requestId, id) WHERE state = 'failed';

ALTER TABLE contracts ADD COLUMN refusal TEXT;
UPDATE contracts SET draftSha256 = NULL WHERE draftSha256 = '';

ALTER TABLE jobs ADD COLUMN leaseHolder TEXT;
ALTER TABLE jobs DROP COLUMN leasePid;
-- Nobody holds one while the schema changes.
DROP TABLE locks;
CREATE TABLE locks (
  name TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  holder TEXT NOT NULL,
  until TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE roundPlaces (
  name TEXT PRIMARY KEY,
  place TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Only the words of constraints change: the rows satisfy them.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(sql, '${either('backup')}', '${either('backup', 'payments', 'reminders', 'trails')}')
  WHERE type = 'table' AND name = 'runs';
UPDATE sqlite_schema
  SET sql = replace(sql, '${either('backup')}', '${either('backup', 'mail', 'payments', 'reminders', 'trails')}')
  WHERE type = 'table' AND name = 'failingRuns';
UPDATE sqlite_schema
  SET sql = replace(sql, 'statusSince TEXT NOT NULL DEFAULT ''''', 'statusSince TEXT NOT NULL')
  WHERE type = 'table' AND name = 'requests';
UPDATE sqlite_schema
  SET sql = replace(replace(replace(replace(sql,
    'draftSha256 TEXT DEFAULT ''''', 'draftSha256 TEXT'),
    'key TEXT CHECK', 'key TEXT NOT NULL CHECK'),
    'externalId TEXT', 'externalId TEXT NOT NULL'),
    'paymentKey TEXT', 'paymentKey TEXT NOT NULL')
  WHERE type = 'table' AND name = 'contracts';
PRAGMA writable_schema = RESET;
`;
