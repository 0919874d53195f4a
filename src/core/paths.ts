/** Where things lie below the data directory (setting `ESIGN_DATA_DIR`). */
import { join } from 'node:path';

export const paths = {
  database: (dataDir: string) => join(dataDir, 'esign.db'),
  /** Drafts and signed contracts. */
  contracts: (dataDir: string) => join(dataDir, 'contracts'),
  /** Secrets made by the service itself. */
  keys: (dataDir: string) => join(dataDir, 'keys'),
};
