/** The data of a firm: its last three years of requests, a thousand of each owner, with contracts, payments, history, jobs and deliveries. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../src/db/migrate.js';
import { openDb } from '../src/db/open.js';

const CUSTOMER = 1;
export const ADMIN = 2;
const PER_OWNER = 1_000;
const WEBHOOKS = 100;
const DAYS = 3 * 365;
const FROM = new Date(Date.now() - DAYS * 86_400_000).toISOString();
/** Inbound events, and deliveries. */
const MOST = 100_000;

export interface Firm {
  requests: number;
  /** So many, spread over the years, are as in a firm that has no more; all the others are complete. */
  open?: number;
  /** Entries of the history of each request. */
  entries?: number;
  /** At most so many failed jobs. */
  failed?: number;
}

/** Writes the database, with requests made at equal intervals, into the directory. */
export function fillFirm(
  directory: string,
  { requests, open = requests, entries = 1, failed = 1_000 }: Firm,
): void {
  mkdirSync(join(directory, 'contracts'), { recursive: true });
  const db = openDb(join(directory, 'esign.db'), { busyTimeoutMs: 0 });
  migrate(db);
  const owners = Math.max(1, requests / PER_OWNER);
  const apart = Math.round(requests / open);
  const numbers = (n: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${n - 1})`;
  const owner = `CASE i % ${owners} WHEN 0 THEN ${CUSTOMER} ELSE i % ${owners} + 2 END`;
  db.raw.exec(`
    ${numbers(owners + 2)} INSERT INTO users
      (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      SELECT 'user' || i || '@example.org', '', 'Hélène', 'Dupont-' || i,
        CASE i + 1 WHEN ${ADMIN} THEN 'ROLE_ADMIN' ELSE 'ROLE_USER' END, 1, '${FROM}', '' FROM n;
    ${numbers(owners * 5)} INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt)
      SELECT ${owner}, 'Boiler', 'B-200', 'SN-' || i, '${FROM}', '' FROM n;
    ${numbers(requests)} INSERT INTO requests
      (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
      SELECT ${owner}, i % ${owners * 5} + 1, 'Yearly maintenance ' || i, 'Check burner and valves, replace the filter.',
        CASE WHEN i % ${apart} > 0 OR i * 48271 % 65537 % 100 < 70 THEN 'COMPLETE' WHEN i * 48271 % 65537 % 100 < 80 THEN 'WAITING_PAYMENT'
          WHEN i * 48271 % 65537 % 100 < 90 THEN 'WAITING_SIGNATURE' WHEN i / ${apart} % 2 = 0 THEN 'in_progress' ELSE 'new' END,
        at, at, at
        FROM (SELECT i, strftime('%Y-%m-%dT%H:%M:%fZ', ${Date.parse(FROM) / 1000} + i * ${(DAYS * 86_400) / requests}, 'unixepoch') AS at FROM n);
    INSERT INTO contracts (requestId, status, sending, signId, signerId, amount, currency, createdAt, expiredAt, signedAt, pdfSha256,
        pdfSize, key, externalId, paymentKey)
      SELECT id, iif(status = 'WAITING_SIGNATURE', 'PENDING', 'SIGNED'), 'sent', 'sign-' || id, 'signer-' || id, 12000, 'eur', createdAt,
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || (id % 365) || ' days'),
        iif(status = 'WAITING_SIGNATURE', NULL, createdAt), iif(status = 'WAITING_SIGNATURE', NULL, 'digest'), 30000,
        printf('%016x', id), 'contract-' || id, 'payment-' || id
      FROM requests WHERE status IN ('WAITING_SIGNATURE', 'WAITING_PAYMENT', 'COMPLETE');
    UPDATE requests SET dueAt = (SELECT expiredAt FROM contracts WHERE requestId = requests.id) WHERE status = 'WAITING_SIGNATURE';
    INSERT INTO payments (contractId, paymentId, state, amount, currency, createdAt, paidAt)
      SELECT c.id, 'pay-' || c.id, iif(r.status = 'COMPLETE', 'paid', 'open'), 12000, 'eur', c.createdAt,
        iif(r.status = 'COMPLETE', c.createdAt, NULL)
      FROM contracts c JOIN requests r ON r.id = c.requestId WHERE r.status IN ('WAITING_PAYMENT', 'COMPLETE');
    ${numbers(entries)} INSERT INTO history (at, requestId, actor, what, detail)
      SELECT createdAt, id, 'user:user1@example.org', iif(i = 0, 'request.created', 'request.changed'), '{}' FROM requests CROSS JOIN n;
    INSERT INTO inbox (source, eventKey, eventName, subjectId, state, receivedAt, finishedAt)
      SELECT 'signature', 'event-' || id, 'signature_request.done', 'sign-' || id, 'done', createdAt, createdAt
      FROM requests WHERE status = 'COMPLETE' LIMIT ${MOST};
    INSERT INTO jobs (kind, payload, state, attempt, runAt, createdAt, finishedAt, lastError, requestId)
      SELECT 'create-payment-session', '{"requestId":' || id || ',"contractId":1}', 'failed', 4, createdAt, createdAt, createdAt,
        'payment provider answered ' || (500 + id % 20), id
      FROM requests WHERE status = 'WAITING_PAYMENT' LIMIT ${failed};
    ${numbers(WEBHOOKS)} INSERT INTO webhooks (ownerId, url, event, secret, createdAt, updatedAt)
      SELECT ${ADMIN}, 'https://hooks.example.org/esign/' || i, 'request.updated', '', '2026-01-01T00:00:00.000Z', '' FROM n;
    INSERT INTO deliveries (webhookId, messageId, event, content, state, createdAt, finishedAt)
      SELECT 1 + id % ${WEBHOOKS}, 'message-' || id, 'request.updated', '{}', 'delivered', createdAt, createdAt FROM requests LIMIT ${MOST};
  `);
  db.raw.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
