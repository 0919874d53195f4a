/**
 * A copy of a database in use, and the check of such a copy. Both run in a thread of their own: they take seconds on a
 * large database, and the daemon goes on answering meanwhile.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';

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
export function snapshotDatabase(file: string, target: string): Promise<void> {
  return inThread(
    `const db = new Database(input.file, { fileMustExist: true, timeout: 10000 });
     db.prepare('VACUUM INTO ?').run(input.target);
     db.close();`,
    { file, target },
  );
}

/** Looks through a database that nobody uses. Throws SQLite's error for a file that is no database. */
export function inspectDatabase(file: string): Promise<Inspection> {
  return inThread(
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
    { file },
  );
}

/**
 * Evaluated, not a file of its own: it is then the same in the sources and in the built program. An error of SQLite would
 * lose its class and its code on the way between threads, so these are sent as words.
 */
function program(script: string): string {
  return `
  const { parentPort, workerData: { driver, input } } = require('node:worker_threads');
  let output, failure;
  try {
    const Database = require(driver);
    ${script}
  } catch (error) {
    failure = { message: error.message, code: error.code };
  }
  parentPort.postMessage({ output, failure });`;
}

interface Message<T> {
  output: T;
  failure?: { message: string; code?: string };
}

function inThread<T>(script: string, input: object): Promise<T> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  const worker = new Worker(program(script), { eval: true, workerData: { driver, input } });
  return new Promise((resolve, reject) => {
    worker.once('message', ({ output, failure }: Message<T>) => {
      if (failure) reject(Object.assign(new Error(failure.message), { code: failure.code }));
      else resolve(output);
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread at the database ended early')));
  });
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
