/** Ids that a person is likely to mean, for completion. Read-only; opens nothing but the database. */
import { findKnownIds, type IdSource, type KnownId } from '../../db/installation/known-ids.js';
import { dataDirectory, type Environment } from '../settings/config.js';
import { paths } from './paths.js';

export type { IdSource } from '../../db/installation/known-ids.js';

export interface Asked {
  environment: Environment;
  envFile: string | undefined;
  /** What is typed so far. */
  begun: string;
  limit: number;
}

/** Newest first. Throws when there is no database, or it cannot be read. */
export function idsFor(source: IdSource, { environment, envFile, begun, limit }: Asked): KnownId[] {
  return findKnownIds(paths.database(dataDirectory(environment, envFile)), { source, begun, limit });
}
