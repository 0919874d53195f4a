/** A data directory that version 49 has made: the first whose databases are opened. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDb } from '../../src/db/open.js';
import { temporaryDirectory } from './app.js';

export const OLD = 49;
const SCHEMA = readFileSync(new URL('../db/version-49.sql', import.meta.url), 'utf8');

/** `sql`: what it has stored. Returns the directory. */
export function oldData(sql = ''): string {
  const dataDir = temporaryDirectory();
  const db = openDb(join(dataDir, 'esign.db'), { busyTimeoutMs: 0 });
  db.raw.exec(SCHEMA + sql);
  db.close();
  return dataDir;
}
