/** Ids for completion: fast, newest first, and silent on failure. */
import type { IdSource } from '../../core/installation/known-ids.js';
import { plainly } from '../../core/texts/plain.js';
import type { Candidate } from './complete.js';

const MAX = 100;

/** Empty on any failure, because completion must never print into the line being typed. */
export async function knownIds(
  source: IdSource,
  typed: string,
  env: Record<string, string | undefined>,
  envFile: string | undefined,
): Promise<Candidate[]> {
  try {
    const { idsFor } = await import('../../core/installation/known-ids.js');
    const found = idsFor(source, { environment: env, envFile, begun: typed, limit: MAX });
    return found.map(({ value, about }) => ({ value, about: plainly(about) }));
  } catch {
    return [];
  }
}
