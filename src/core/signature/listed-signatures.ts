/** The provider's list of all signature requests, a hundred per call, as fast as its rate headers allow. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../context.js';
import { isProviderError } from '../http/provider-error.js';
import type { SignatureState } from './provider-answers.js';

export type Pause = (ms: number, signal?: AbortSignal) => Promise<unknown>;

export interface Pacing {
  signal?: AbortSignal;
  pause?: Pause;
}

/** Ends early when `signal` aborts or nothing more is wanted. Throws a ProviderError. */
export async function* listedSignatures(
  { provider }: Pick<Context, 'provider'>,
  pacing: Pacing & { isWanted: (pagesRead: number) => boolean },
): AsyncGenerator<SignatureState> {
  let cursor: string | undefined;
  const seen = new Set<string>();
  for (let pages = 0; pacing.isWanted(pages) && !pacing.signal?.aborted;) {
    const page = await paced(() => provider.listSignatures(cursor), pacing);
    yield* page.signatures;
    pages += 1;
    if (!page.nextCursor || !pacing.isWanted(pages)) return;
    cursor = page.nextCursor;
    // A cursor that repeats would never end.
    if (seen.has(cursor)) return;
    seen.add(cursor);
    if (page.waitMs > 0) await pauseFor(page.waitMs, pacing);
  }
}

const PAUSE_IF_UNKNOWN_MS = 60_000;

/** Repeats a rate-limited call once, after the pause that the provider asks for. */
export async function paced<T>(ask: () => Promise<T>, pacing: Pacing): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isProviderError(error, 'rate_limited') || pacing.signal?.aborted) throw error;
    await pauseFor(error.retryAfterMs ?? PAUSE_IF_UNKNOWN_MS, pacing);
    if (pacing.signal?.aborted) throw error;
    return ask();
  }
}

function pauseFor(ms: number, { signal, pause = politely }: Pacing): Promise<unknown> {
  return pause(ms, signal);
}

/** Ends early when the signal aborts. */
function politely(ms: number, signal?: AbortSignal): Promise<unknown> {
  return wait(ms, undefined, { signal }).catch(() => undefined);
}
