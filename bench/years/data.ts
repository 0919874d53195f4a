/**
 * An installation after ten years: its requests at equal intervals, a contract and ten entries of the history for each, an inbound
 * event for each that is complete, and the jobs and deliveries of the last month. The newest thousand signed PDFs are there as files.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../src/db/db.js';
import { migrate } from '../../src/db/migrate.js';
import { MIGRATIONS } from '../../src/db/migrations/index.js';
import { openDb } from '../../src/db/open.js';
import { addStories, fill } from '../list-data.js';
import { settings } from '../support.js';

const DAYS = 3_652;
const ENTRIES = 10;
const FAILED = 100;
const PDF = Buffer.alloc(3_000, '%PDF-1.7 ');
const PDFS = 1_000;
/** Migrations are measured from here on; before that, some tables are missing. */
const FIRST_MEASURED = 20;

export interface Installation {
  requests: number;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds of each migration. */
  migrated: Map<string, number>;
  /** What the words in capitals of a command or an address stand for. */
  names: Record<string, string>;
}

/** `providers`: the port on which both providers answer. */
export function prepared(directory: string, requests: number, providers: number): Installation {
  const dataDir = join(directory, 'data');
  mkdirSync(join(dataDir, 'contracts'), { recursive: true, mode: 0o700 });
  const from = new Date(Date.now() - DAYS * 86_400_000).toISOString();
  fill(dataDir, requests, { from, days: DAYS }, MIGRATIONS.slice(0, FIRST_MEASURED));
  const db = openDb(join(dataDir, 'esign.db'), { busyTimeoutMs: 0 });
  db.raw.exec(RESETS);
  addStories(dataDir, { failed: FAILED, entries: ENTRIES, most: requests });
  db.raw.exec(LAST_MONTH);
  const migrated = migrateInSteps(db);
  addPdfs(db, dataDir);
  const names = examples(db);
  db.raw.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  chmodSync(join(dataDir, 'esign.db'), 0o600);
  return { requests, dataDir, env: environment(dataDir, requests, providers), migrated, names };
}

function environment(dataDir: string, requests: number, providers: number): NodeJS.ProcessEnv {
  return {
    ...settings(dataDir),
    ESIGN_PORT: '0',
    ESIGN_API_URL: `http://127.0.0.1:${providers}/${requests}/v3`,
    ESIGN_PAYMENT_API_URL: `http://127.0.0.1:${providers}/${requests}`,
    ESIGN_RATE_LIMIT_IP: '1000000',
    ESIGN_RATE_LIMIT_USER: '1000000',
    // Nobody listens there: mail is not part of it.
    ESIGN_SMTP_URL: 'smtp://127.0.0.1:9',
  };
}

/** One request in ten was sent a second time, so that there are as many contracts as requests. */
const RESETS = `
  INSERT INTO contracts (requestId, status, signId, amount, currency, createdAt, expiredAt)
    SELECT id, 'EXPIRED', 'old-' || id, 12000, 'eur', createdAt, createdAt FROM requests WHERE status = 'COMPLETE' AND id % 7 = 0;`;

/** Older jobs and deliveries have been removed, night by night; so many deliveries are more than a month has. */
const LAST_MONTH = `
  UPDATE deliveries SET createdAt = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (id % 29) || ' days');
  UPDATE deliveries SET finishedAt = createdAt;
  INSERT INTO jobs (kind, payload, state, attempt, runAt, createdAt, finishedAt, requestId)
    SELECT 'send-mail', '{}', 'completed', 1, at, at, at, id FROM (
      SELECT id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (id % 29) || ' days') AS at FROM requests ORDER BY id DESC
        LIMIT max(10, (SELECT count(*) FROM requests) / 120)), (VALUES (1), (2), (3), (4), (5));`;

function migrateInSteps(db: Db): Map<string, number> {
  const times = new Map<string, number>();
  for (const { version, name } of MIGRATIONS.slice(FIRST_MEASURED)) {
    const began = performance.now();
    migrate(db, { migrations: MIGRATIONS.slice(0, version) });
    times.set(name, performance.now() - began);
  }
  return times;
}

function addPdfs(db: Db, dataDir: string): void {
  const signed = db.raw
    .prepare("SELECT id FROM contracts WHERE status = 'SIGNED' ORDER BY id DESC LIMIT ?")
    .pluck()
    .all(PDFS) as number[];
  for (const id of signed) writeFileSync(join(dataDir, 'contracts', `${id}.pdf`), PDF, { mode: 0o600 });
  db.raw
    .prepare('UPDATE contracts SET pdfSha256 = ?, pdfSize = ? WHERE id IN (SELECT value FROM json_each(?))')
    .run(createHash('sha256').update(PDF).digest('hex'), PDF.length, JSON.stringify(signed));
}

/** One of each, from the last days, where a person looks; OLD is one in the middle. */
function examples(db: Db): Installation['names'] {
  const one = (sql: string) => String(db.raw.prepare(sql).pluck().get());
  const newest = (status: string) => one(`SELECT max(id) FROM requests WHERE status = '${status}'`);
  return {
    OLD: one('SELECT max(id) / 2 FROM requests'),
    REFERENCE: one('SELECT reference FROM requests WHERE id = (SELECT max(id) / 2 FROM requests)'),
    NEW: newest('new'),
    WAITING: newest('WAITING_SIGNATURE'),
    PAYING: newest('WAITING_PAYMENT'),
    COMPLETE: newest('COMPLETE'),
    CONTRACT: one("SELECT max(id) FROM contracts WHERE status = 'SIGNED'"),
    SIGNID: one('SELECT signId FROM contracts WHERE id = (SELECT max(id) / 2 FROM contracts)'),
    EVENT: one('SELECT max(id) / 2 FROM inbox'),
    FAILED: one("SELECT max(id) FROM jobs WHERE state = 'failed'"),
    DELIVERY: one('SELECT max(id) / 2 FROM deliveries'),
    CUSTOMER: one(
      'SELECT username FROM users WHERE id = (SELECT ownerId FROM requests ORDER BY id DESC LIMIT 1)',
    ),
  };
}

/** Replaces the names in capitals. */
export function spelled(words: string, { names }: Installation): string {
  return words.replace(/\b[A-Z]{3,}\b/g, (name) => names[name] ?? name);
}
