/** The input of both servers of the webhook benchmark: waiting contracts, and deliveries that complete them. */
import { createHmac } from 'node:crypto';
import { migrate } from '../src/db/migrate.js';
import { openDb } from '../src/db/open.js';

export const SECRET = 'benchmark-webhook-secret';
export const PDF = Buffer.from(`%PDF-1.7\n${'x'.repeat(30_000)}\n%%EOF\n`);

export function signIdOf(i: number): string {
  return `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
}

/** A delivery of 2 KB, as the provider sends them. */
export function delivery(i: number): { body: string; signature: string } {
  const body = JSON.stringify({
    event_id: `event-${i}`,
    event_name: 'signature_request.done',
    event_time: String(Math.floor(Date.now() / 1000)),
    data: { signature_request: { id: signIdOf(i), status: 'done', padding: 'x'.repeat(1_700) } },
  });
  return { body, signature: `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` };
}

/** A database with `count` requests whose contracts wait for their signature. */
export function fillWaiting(file: string, count: number): void {
  const db = openDb(file, { busyTimeoutMs: 0 });
  migrate(db);
  db.raw.exec(`
    INSERT INTO users (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      VALUES ('a@example.org', '', 'A', 'B', 'ROLE_USER', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
    INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt)
      VALUES (1, 'x', 'x', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
      SELECT 1, 1, 't', 'd', 'WAITING_SIGNATURE', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n;
    INSERT INTO contracts (requestId, key, externalId, paymentKey, status, sending, signId, signerId, signUrl, amount, currency, createdAt, expiredAt)
      SELECT id, printf('%016x', id), 'contract-' || id, 'payment-' || id, 'PENDING', 'sent', printf('00000000-0000-4000-8000-%012d', id), 's', 'http://x', 12000, 'eur',
        '2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z' FROM requests;
  `);
  db.raw.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
