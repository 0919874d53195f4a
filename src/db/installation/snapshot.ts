/**
 * Copies a database in use, and checks a copy or the database itself. Each runs in a process of its own, because it takes
 * seconds on a large database.
 */
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { messageOf } from '../caught.js';
import { inOwnProcess, KilledError } from '../own-process.js';
import { databaseTrouble } from './installation.js';

export interface Inspection {
  /** The complaints of `PRAGMA integrity_check`; empty for an intact database. */
  faults: string[];
  schema: number;
  /** Null: damaged. */
  installation: string | null;
  requests: number;
  signedPdfs: { contractId: number; sha256: string }[];
  /** The files of audit trails that belong to it. */
  trailFiles: { contractId: number; name: string; sha256: string }[];
}

/** What a copy of the pages holds. */
export interface Contents {
  schema: number;
  installation: string;
  counts: Record<(typeof COUNTED)[number], number>;
}

const COUNTED = ['requests', 'contracts', 'users', 'equipments', 'payments', 'jobs'] as const;

/**
 * Copies the committed state to `target`, which must not exist, page for page: what did not change since an earlier copy
 * lies at the same place in both. All in one read transaction: a write of another process neither waits nor makes the
 * copy start again.
 */
export function copyPages(file: string, target: string, signal?: AbortSignal): Promise<Contents> {
  return inProcess(
    `const db = new Database(input.file, { fileMustExist: true, timeout: 10000 });
     db.exec('BEGIN');
     db.prepare('SELECT 1 FROM sqlite_master').get();
     await db.backup(input.target, { progress: () => 0x7fffffff });
     db.exec('COMMIT');
     db.close();
     const copy = new Database(input.target, { fileMustExist: true });
     // Without a log, the single file is the whole database, also where nothing can be written beside it.
     copy.pragma('journal_mode = DELETE');
     const one = (sql) => copy.prepare(sql).pluck().get();
     output = {
       schema: copy.pragma('user_version', { simple: true }),
       installation: one('SELECT id FROM installation'),
       counts: Object.fromEntries(input.counted.map((table) => [table, one('SELECT count(*) FROM ' + table)])),
     };
     copy.close();`,
    { file: resolve(file), target: resolve(target), counted: COUNTED },
    signal,
  );
}

/** Those of the contracts that were signed, as an unused database tells. */
export function signedAmong(file: string, contractIds: readonly number[]): Set<number> {
  const db = new Database(file, { fileMustExist: true, readonly: true });
  try {
    const signed = db.prepare<[string], number>(
      'SELECT id FROM contracts WHERE pdfSha256 IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
    );
    return new Set(signed.pluck().all(JSON.stringify(contractIds)));
  } finally {
    db.close();
  }
}

/** Inspects an unused database. Throws SQLite's error for any other file. */
export function inspectDatabase(file: string, signal?: AbortSignal): Promise<Inspection> {
  return inProcess(
    `const db = new Database(input.file, { fileMustExist: true, readonly: true });
     const faults = db.pragma('integrity_check').map((row) => row.integrity_check).filter((word) => word !== 'ok');
     const isWhole = faults.length === 0;
     const has = (table) => isWhole && db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table);
     const one = (sql) => db.prepare(sql).pluck().get();
     output = {
       faults,
       schema: db.pragma('user_version', { simple: true }),
       installation: has('installation') ? one('SELECT id FROM installation') : null,
       requests: isWhole ? one('SELECT count(*) FROM requests') : 0,
       signedPdfs: isWhole ? db.prepare(
         'SELECT id AS contractId, pdfSha256 AS sha256 FROM contracts WHERE pdfSha256 IS NOT NULL ORDER BY id').all() : [],
       trailFiles: has('auditTrails') ? db.prepare(
         "SELECT contractId, value ->> 'name' AS name, value ->> 'sha256' AS sha256 FROM auditTrails, json_each(files)").all() : [],
     };
     db.close();`,
    { file: resolve(file) },
    signal,
  );
}

/**
 * The first fault of a database in use, or `ok`; `unfinished` if none was found in the milliseconds given. Throws SQLite's error
 * for any other file.
 */
export function quickCheck(
  file: string,
  { signal, msMax }: { signal?: AbortSignal | undefined; msMax?: number | undefined } = {},
): Promise<string> {
  const read = inProcess<string>(
    `const db = new Database(input.file, { fileMustExist: true, timeout: 2000 });
     output = db.pragma('quick_check(1)', { simple: true });
     db.close();`,
    { file: resolve(file) },
    signal,
    msMax,
  );
  return read.catch((error: unknown) => {
    if (error instanceof KilledError) return 'unfinished';
    throw error;
  });
}

/** The same, also when SQLite refuses the file as damaged; undefined for an intact one. */
export async function findDamage(file: string, signal?: AbortSignal): Promise<string | undefined> {
  const fault = await quickCheck(file, { signal }).catch((error: unknown) => {
    if (databaseTrouble(error) !== 'damaged') throw error;
    return messageOf(error);
  });
  return fault === 'ok' ? undefined : fault;
}

/** The script knows `Database`. */
function inProcess<T>(
  script: string,
  input: object,
  signal: AbortSignal | undefined,
  msMax?: number,
): Promise<T> {
  return inOwnProcess({
    script: `const Database = library; ${script}`,
    library: 'better-sqlite3',
    input,
    signal,
    msMax,
  });
}

/** Copies the committed state while nothing else runs; also under a write lock. */
export function copyDatabase(file: string, target: string): void {
  const db = new Database(file, { fileMustExist: true, readonly: true });
  try {
    db.prepare('VACUUM INTO ?').run(target);
  } finally {
    db.close();
  }
}
