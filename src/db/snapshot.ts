/**
 * A copy of a database in use, and the check of such a copy or of the database itself. They run in a process of their
 * own: they take seconds on a large database, the daemon goes on answering meanwhile, and they can be ended at once,
 * which a thread cannot.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { databaseTrouble } from './trouble.js';

export interface Inspection {
  /** What `PRAGMA integrity_check` complains about; empty: the database is whole. */
  faults: string[];
  /** The number of its schema. */
  schema: number;
  requests: number;
  /** What it says about the signed PDFs that belong to it. */
  signedPdfs: { contractId: number; sha256: string }[];
}

/**
 * Writes what is committed now to `target`, which must not exist. VACUUM INTO reads one consistent state however much is
 * written meanwhile, by whichever process; the backup interface of SQLite would begin anew with every foreign commit.
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

/** Looks through a database that nobody uses. Throws SQLite's error for a file that is no database. */
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

/** The first thing that is wrong with a database in use; `ok` when it is whole. Throws SQLite's error for a file that is none. */
export function quickCheck(file: string, signal?: AbortSignal): Promise<string> {
  return inProcess(
    `const db = new Database(input.file, { fileMustExist: true, timeout: 2000 });
     output = db.pragma('quick_check(1)', { simple: true });
     db.close();`,
    { file: resolve(file) },
    signal,
  );
}

/** The same, where SQLite refuses the file as damaged too; undefined: it is whole. */
export async function findDamage(file: string, signal?: AbortSignal): Promise<string | undefined> {
  const fault = await quickCheck(file, signal).catch((error: unknown) => {
    if (databaseTrouble(error) !== 'damaged') throw error;
    return (error as Error).message;
  });
  return fault === 'ok' ? undefined : fault;
}

/**
 * Evaluated, not a file of its own: it is then the same in the sources and in the built program. An error of SQLite would
 * lose its class and its code on the way between processes, so these are sent as words.
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
    // Node would look for a package.json where the command was typed, which its user may not be able to read.
    { cwd: '/', maxBuffer: Infinity, killSignal: 'SIGKILL', ...(signal && { signal }) },
  );
  const { output, failure } = JSON.parse(stdout) as Message<T>;
  if (failure) throw Object.assign(new Error(failure.message), { code: failure.code });
  return output;
}

/** Like `snapshotDatabase`, but here and now: for a moment when nothing else goes on. Works under a write lock too. */
export function copyDatabase(file: string, target: string): void {
  const db = new Database(file, { fileMustExist: true, readonly: true });
  try {
    db.prepare('VACUUM INTO ?').run(target);
  } finally {
    db.close();
  }
}
