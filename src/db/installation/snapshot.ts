/**
 * Copies a database in use, and checks a copy or the database itself. Each runs in its own process: it takes seconds
 * on a large database, the daemon keeps answering, and a process, unlike a thread, can be killed at once.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { messageOf } from '../caught.js';
import { databaseTrouble } from './trouble.js';

export interface Inspection {
  /** The complaints of `PRAGMA integrity_check`; empty for an intact database. */
  faults: string[];
  /** Its schema number. */
  schema: number;
  requests: number;
  /** The signed PDFs that belong to it. */
  signedPdfs: { contractId: number; sha256: string }[];
}

/**
 * Writes the committed state to `target`, which must not exist. VACUUM INTO reads one consistent state despite other
 * writers; SQLite's backup interface would start over on every foreign commit.
 */
export function snapshotDatabase(file: string, target: string, signal?: AbortSignal): Promise<void> {
  return inProcess(
    `const db = new Database(input.file, { fileMustExist: true, timeout: 10000 });
     db.prepare('VACUUM INTO ?').run(input.target);
     db.close();`,
    { file: resolve(file), target: resolve(target) },
    signal,
  );
}

/** Inspects an unused database. Throws SQLite's error for any other file. */
export function inspectDatabase(file: string, signal?: AbortSignal): Promise<Inspection> {
  return inProcess(
    `const db = new Database(input.file, { fileMustExist: true, readonly: true });
     const faults = db.pragma('integrity_check').map((row) => row.integrity_check).filter((word) => word !== 'ok');
     output = {
       faults,
       schema: db.pragma('user_version', { simple: true }),
       requests: faults.length > 0 ? 0 : db.prepare('SELECT count(*) FROM requests').pluck().get(),
       signedPdfs: faults.length > 0 ? [] : db.prepare(
         'SELECT id AS contractId, pdfSha256 AS sha256 FROM contracts WHERE pdfSha256 IS NOT NULL ORDER BY id').all(),
     };
     db.close();`,
    { file: resolve(file) },
    signal,
  );
}

/** The first fault of a database in use, or `ok`. Throws SQLite's error for any other file. */
export function quickCheck(file: string, signal?: AbortSignal): Promise<string> {
  return inProcess(
    `const db = new Database(input.file, { fileMustExist: true, timeout: 2000 });
     output = db.pragma('quick_check(1)', { simple: true });
     db.close();`,
    { file: resolve(file) },
    signal,
  );
}

/** The same, also when SQLite refuses the file as damaged; undefined for an intact one. */
export async function findDamage(file: string, signal?: AbortSignal): Promise<string | undefined> {
  const fault = await quickCheck(file, signal).catch((error: unknown) => {
    if (databaseTrouble(error) !== 'damaged') throw error;
    return messageOf(error);
  });
  return fault === 'ok' ? undefined : fault;
}

/**
 * Run with --eval instead of from a file, so that it is the same in the sources and the built program. SQLite errors
 * lose class and code between processes, so these are sent as text.
 */
function program(script: string): string {
  return `
  const { driver, input } = JSON.parse(process.argv[1]);
  let output, failure;
  try {
    const Database = require(driver);
    ${script}
  } catch (error) {
    failure = { message: error.message, code: error.code };
  }
  process.stdout.write(JSON.stringify({ output, failure }));`;
}

interface Message<T> {
  output: T;
  failure?: { message: string; code?: string };
}

async function inProcess<T>(script: string, input: object, signal: AbortSignal | undefined): Promise<T> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=commonjs', '--eval', program(script), '--', JSON.stringify({ driver, input })],
    // Node would look for a package.json in the current directory, which may not be readable.
    { cwd: '/', maxBuffer: Infinity, killSignal: 'SIGKILL', ...(signal && { signal }) },
  );
  const { output, failure }: Message<T> = JSON.parse(stdout);
  if (failure) throw Object.assign(new Error(failure.message), { code: failure.code });
  return output;
}

/** Like `snapshotDatabase`, but synchronous, for when nothing else runs. Also works under a write lock. */
export function copyDatabase(file: string, target: string): void {
  const db = new Database(file, { fileMustExist: true, readonly: true });
  try {
    db.prepare('VACUUM INTO ?').run(target);
  } finally {
    db.close();
  }
}
