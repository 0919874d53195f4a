/** Whether the database can be worked on: tried, not guessed. */
import Database from 'better-sqlite3';
import type { Db } from './db.js';
import { databaseTrouble } from './trouble.js';

/** About what a large webhook and all that follows from it takes. */
const FILLER_BYTES = 64 * 1024;

/** A unit: takes space for a row and gives it back. Its commit waits for the disk as every other does. */
export function takeSpace({ raw }: Db): void {
  raw.prepare('INSERT INTO probes (filler) VALUES (zeroblob(?))').run(FILLER_BYTES);
  raw.prepare('DELETE FROM probes').run();
}

/**
 * True unless the file on disk is damaged. Read by a connection of its own: one that works has most pages in its memory,
 * and sees damage only when it needs another.
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
