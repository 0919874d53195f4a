/** Tests whether the database is usable. */
import Database from 'better-sqlite3';
import type { Db } from '../db.js';
import { databaseTrouble } from './trouble.js';

/** About the size of a large webhook with all its effects. */
const FILLER_BYTES = 64 * 1024;

/** A unit that takes space for a row and frees it. Its commit waits for the disk like any other. */
export function probeSpace({ raw }: Db): void {
  raw.prepare('INSERT INTO probes (filler) VALUES (zeroblob(?))').run(FILLER_BYTES);
  raw.prepare('DELETE FROM probes').run();
}

/**
 * True unless the file on disk is damaged. Uses its own connection: a working one has most pages cached and would
 * miss damage.
 */
export function isWholeOnDisk(file: string): boolean {
  let raw: Database.Database | undefined;
  try {
    raw = new Database(file, { readonly: true, fileMustExist: true });
    return raw.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    return databaseTrouble(error) !== 'damaged';
  } finally {
    raw?.close();
  }
}
