/** A database of ours in a fresh file, closed with the test. */
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { Db } from '../../src/db/db.js';
import { openDb } from '../../src/db/open.js';
import { temporaryDirectory } from '../support/app.js';
import { freshDatabase } from '../support/fresh-database.js';

export function aFile(): string {
  return join(temporaryDirectory(), 'esign.db');
}

export function open(file: string, busyTimeoutMs = 0): Db {
  const db = openDb(file, { busyTimeoutMs });
  onTestFinished(() => {
    if (db.raw.open) db.close();
  });
  return db;
}

export function aDatabase(): { db: Db; file: string } {
  const file = aFile();
  freshDatabase(file);
  return { db: open(file), file };
}

export interface Run {
  sql: string;
  parameters: unknown[];
}

/** A database that answers every question with `row`, and what it was asked. */
export function aRecorder(row: unknown): { db: Db; runs: Run[] } {
  const runs: Run[] = [];
  const prepare = (sql: string) => {
    const noting = (answer: unknown) => (parameters: unknown[]) => {
      runs.push({ sql, parameters });
      return answer;
    };
    return { all: noting([row]), get: noting(row), run: noting({ changes: 1, lastInsertRowid: 1 }) };
  };
  return { db: new Db({ prepare } as unknown as Database.Database), runs };
}

/** How SQLite would find the rows, line by line. */
export function stepsOf({ raw }: Db, { sql, parameters }: Run): string[] {
  const plan = raw.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
  return plan.map(({ detail }) => detail);
}
