/** Where things lie below the data directory (setting `ESIGN_DATA_DIR`). */
import { join } from 'node:path';

export const paths = {
  database: (dataDir: string) => join(dataDir, 'esign.db'),
  /** Drafts and signed contracts. */
  contracts: (dataDir: string) => join(dataDir, 'contracts'),
  /** Copies of the database from before its schema changed. */
  backups: (dataDir: string) => join(dataDir, 'backups'),
  /** Archives on their way to a browser. */
  exports: (dataDir: string) => join(dataDir, 'exports'),
  /** Secrets made by the service itself. */
  keys: (dataDir: string) => join(dataDir, 'keys'),
};
