/** The data of lists, pages and commands: three years of requests, a thousand per owner, and the users who ask. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '../src/core/settings/config.js';
import type { Context } from '../src/core/context.js';
import { openContext, type OpenContext } from '../src/core/open-context.js';
import { AccessTokens } from '../src/core/users/tokens.js';
import { migrate } from '../src/db/migrate.js';
import { openDb } from '../src/db/open.js';
import { findUser } from '../src/db/users/users.js';

export const CUSTOMER = 1;
export const ADMIN = 2;
export const JWT_SECRET = 'a secret of the benchmark, long enough for it';
const LIMIT = '1000000';
const PER_OWNER = 1_000;
const WEBHOOKS = 100;

export interface Firm {
  requests: number;
  /** Entries of the history. */
  history: number;
}

/** A large firm's year, or as many requests as `BENCH_REQUESTS` says. */
export const FIRM: Firm = { requests: Number(process.env['BENCH_REQUESTS'] ?? 120_000), history: 1_000_000 };
export const SMALL_FIRM: Firm = { requests: 1_000, history: 10_000 };
/** Milliseconds that a page may take in the median: the first and any other of a large firm's year, any of ten years. */
export const MS_MAX = FIRM.requests > 120_000 ? { first: 250, other: 250 } : { first: 10, other: 50 };

export interface Span {
  /** ISO 8601. */
  from: string;
  days: number;
}

const THREE_YEARS: Span = { from: '2023-01-01T00:00:00.000Z', days: 3 * 365 };

/** Writes a database with `count` requests, made at equal intervals, into the directory. */
export function fill(directory: string, count: number, { from, days }: Span = THREE_YEARS): void {
  mkdirSync(directory, { recursive: true });
  const db = openDb(join(directory, 'esign.db'), { busyTimeoutMs: 0 });
  migrate(db);
  const owners = Math.max(1, count / PER_OWNER);
  const numbers = (n: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${n - 1})`;
  db.raw.exec(`
    ${numbers(owners + 2)} INSERT INTO users
      (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      SELECT 'user' || i || '@example.org', '', 'Hélène', 'Dupont-' || i,
        CASE i + 1 WHEN ${ADMIN} THEN 'ROLE_ADMIN' ELSE 'ROLE_USER' END, 1, '${from}', '' FROM n;
    ${numbers(owners * 5)} INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt)
      SELECT CASE i % ${owners} WHEN 0 THEN ${CUSTOMER} ELSE i % ${owners} + 2 END,
        'Boiler', 'B-200', 'SN-' || i, '${from}', '' FROM n;
    ${numbers(count)} INSERT INTO requests
      (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
      SELECT CASE i % ${owners} WHEN 0 THEN ${CUSTOMER} ELSE i % ${owners} + 2 END,
        i % ${owners * 5} + 1, 'Yearly maintenance ' || i, 'Check burner and valves, replace the filter.',
        CASE WHEN i * 48271 % 65537 % 100 < 70 THEN 'COMPLETE' WHEN i * 48271 % 65537 % 100 < 80 THEN 'WAITING_PAYMENT'
          WHEN i * 48271 % 65537 % 100 < 90 THEN 'WAITING_SIGNATURE' WHEN i % 2 = 0 THEN 'in_progress' ELSE 'new' END,
        strftime('%Y-%m-%dT%H:%M:%fZ', ${Date.parse(from) / 1000} + i * ${(days * 86_400) / count}, 'unixepoch'),
        '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n;
  `);
  db.raw.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

export function fillFirm(directory: string, { requests, history }: Firm): void {
  fill(directory, requests);
  addStories(directory, { failed: 1_000, entries: Math.ceil(history / requests) });
}

interface Stories {
  /** At most so many failed jobs. */
  failed: number;
  /** Entries of the history of each request. */
  entries?: number;
  /** At most so many inbound events, and so many deliveries. */
  most?: number;
}

/** A contract for each request past `new`; history, jobs, events and deliveries. */
export function addStories(directory: string, { failed, entries = 1, most = 100_000 }: Stories): void {
  const db = openDb(join(directory, 'esign.db'), { busyTimeoutMs: 0 });
  db.raw.exec(`
    INSERT INTO contracts (requestId, status, sending, signId, signerId, amount, currency, createdAt, expiredAt, signedAt, pdfSha256,
        pdfSize, key, externalId, paymentKey)
      SELECT id, iif(status = 'WAITING_SIGNATURE', 'PENDING', 'SIGNED'), 'sent', 'sign-' || id, 'signer-' || id, 12000, 'eur', createdAt,
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || (id % 365) || ' days'),
        iif(status = 'WAITING_SIGNATURE', NULL, createdAt), iif(status = 'WAITING_SIGNATURE', NULL, 'digest'), 30000,
        printf('%016x', id), 'contract-' || id, 'payment-' || id
      FROM requests WHERE status IN ('WAITING_SIGNATURE', 'WAITING_PAYMENT', 'COMPLETE');
    UPDATE requests SET dueAt = (SELECT expiredAt FROM contracts WHERE requestId = requests.id) WHERE status = 'WAITING_SIGNATURE';
    INSERT INTO payments (contractId, generation, paymentId, status, amount, currency, createdAt)
      SELECT c.id, 1, 'pay-' || c.id, 'open', 12000, 'eur', c.createdAt
      FROM contracts c JOIN requests r ON r.id = c.requestId WHERE r.status = 'WAITING_PAYMENT';
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${entries})
      INSERT INTO history (at, requestId, actor, what, detail)
      SELECT createdAt, id, 'user:user1@example.org', iif(i = 1, 'request.created', 'request.changed'), '{}'
      FROM requests CROSS JOIN n;
    INSERT INTO inbox (source, eventKey, eventName, subjectId, state, receivedAt, finishedAt)
      SELECT 'signature', 'event-' || id, 'signature_request.done', 'sign-' || id, 'done', createdAt, createdAt
      FROM requests WHERE status = 'COMPLETE' LIMIT ${most};
    INSERT INTO jobs (kind, payload, state, attempt, runAt, createdAt, finishedAt, lastError, requestId)
      SELECT 'create-payment-session', '{"requestId":' || id || ',"contractId":1}', 'failed', 4, createdAt, createdAt, createdAt,
        'payment provider answered ' || (500 + id % 20), id
      FROM requests WHERE status = 'WAITING_PAYMENT' LIMIT ${failed};
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${WEBHOOKS})
      INSERT INTO webhooks (ownerId, url, event, secret, createdAt, updatedAt)
      SELECT ${ADMIN}, 'https://hooks.example.org/esign/' || i, 'request.updated', '', '2026-01-01T00:00:00.000Z', '' FROM n;
    INSERT INTO deliveries (webhookId, messageId, event, content, state, createdAt, finishedAt)
      SELECT 1 + id % ${WEBHOOKS}, 'message-' || id, 'request.updated', '{}', 'delivered', createdAt, createdAt FROM requests LIMIT ${most};
  `);
  db.close();
}

/** The service on that data, with production settings except that the rate limits are too high to be reached. */
export function openService(directory: string): OpenContext {
  const { config } = loadConfig({
    ESIGN_DATA_DIR: directory,
    ESIGN_BASE_URL: 'http://127.0.0.1:8080',
    ESIGN_API_URL: 'http://127.0.0.1:9/v3',
    ESIGN_API_KEY: 'key',
    ESIGN_WEBHOOK_SECRET: '0123456789abcdef',
    ESIGN_PAYMENT_API_URL: 'http://127.0.0.1:9',
    ESIGN_PAYMENT_API_KEY: 'key',
    ESIGN_SMTP_URL: 'smtp://127.0.0.1:9',
    ESIGN_MAIL_FROM: 'a@example.org',
    ESIGN_ADMIN_EMAIL: 'a@example.org',
    ESIGN_JWT_SECRET: JWT_SECRET,
    ESIGN_RATE_LIMIT_IP: LIMIT,
    ESIGN_RATE_LIMIT_USER: LIMIT,
  });
  const log = pino(
    { level: config.logLevel, base: null },
    pino.destination({ dest: '/dev/null', sync: true }),
  );
  return openContext(config, { log, migrate: true });
}

export function tokenFor(ctx: Context, userId: number): Promise<string> {
  const user = findUser(ctx.db, { id: userId });
  if (!user) throw new Error(`there is no user ${userId}`);
  return new AccessTokens(ctx).issue(user);
}
