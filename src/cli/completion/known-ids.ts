/** Ids for the Tab key: quickly, the newest first, and without a word when they cannot be had. */
import type { IdSource } from '../../core/known-ids.js';
import { plainly } from '../../core/texts/plain.js';
import type { Candidate } from './complete.js';

const MAX = 100;

/** Empty for whatever is wrong: a shell that completes must never print a complaint into the line being typed. */
export async function knownIds(
  source: IdSource,
  typed: string,
  env: Record<string, string | undefined>,
  envFile: string | undefined,
): Promise<Candidate[]> {
  try {
    const { idsFor } = await import('../../core/known-ids.js');
    const found = idsFor(source, { environment: env, envFile, begun: typed, limit: MAX });
    return found.map(({ value, about }) => ({ value, about: plainly(about) }));
  } catch {
    return [];
  }
}
