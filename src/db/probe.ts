/** Whether the database takes writes, asked without writing. */
import type { Db } from './db.js';

/** True also while another process writes: that passes. */
export function isWritable(db: Db): boolean {
  try {
    db.raw.exec('BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
  }
}
