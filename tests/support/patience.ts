/** How long a test waits for what must come: no machine is so slow, so only a test that fails waits to the end. */
export const PATIENCE = { timeout: 60_000, interval: 50 };

/**
 * The service's own patience, as an option of `startApp`: little with a provider that never answers, else what is shipped,
 * because on a busy machine good answers come late.
 */
export function patienceWith(trouble: string) {
  return trouble === 'timeout'
    ? { context: { providerWaits: { callTimeoutMs: 2_000, totalTimeoutMs: 2_000 } } }
    : {};
}

/** Under a mutant much is waited for that never comes; looks are counted then, because a busy machine is slow. */
export const LOOKS_MAX = process.env['MUTANTS_PART'] === undefined ? Infinity : 1_000;
