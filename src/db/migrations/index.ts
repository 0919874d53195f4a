/** The numbered migrations, in order. One that has run anywhere is never edited; a new one is appended, and schema.sql says the same. */
import { sql as coreDecides } from './0050-core-decides.js';
import { sql as quickSearchChanges } from './0051-quick-search-changes.js';
import { sql as stateInColumns } from './0052-state-in-columns.js';

export interface Migration {
  /** The value of `PRAGMA user_version` once it has run. */
  version: number;
  name: string;
  sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 50, name: '0050-core-decides', sql: coreDecides },
  { version: 51, name: '0051-quick-search-changes', sql: quickSearchChanges },
  { version: 52, name: '0052-state-in-columns', sql: stateInColumns },
];
