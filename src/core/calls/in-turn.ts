/** Acts on many things, one after the other. */
import { setTimeout as pause } from 'node:timers/promises';
import type { By } from '../change.js';

export interface InTurn<Result> extends By {
  onResult?: ((result: Result) => void) | undefined;
  /** When aborted, it stops after the current one. */
  signal?: AbortSignal | undefined;
  /** Starts at most this many a minute, so that a service that has just come back is not overrun. */
  perMinute?: number | undefined;
}

/** Returns the results of those that were started; one without a result was cut off, and the last. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  { onResult, signal, perMinute }: Omit<InTurn<Result>, keyof By>,
  act: (item: Item) => Promise<Result | undefined>,
): Promise<Result[]> {
  const results: Result[] = [];
  const gapMs = perMinute ? 60_000 / perMinute : 0;
  let notBefore = performance.now();
  for (const item of items) {
    const waitMs = notBefore - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, signal && { signal }).catch(() => undefined);
    if (signal?.aborted) break;
    notBefore = performance.now() + gapMs;
    const result = await act(item);
    if (result === undefined) break;
    results.push(result);
    onResult?.(result);
  }
  return results;
}
