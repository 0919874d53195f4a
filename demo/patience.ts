/** Waiting with a limit: nothing in the demo waits forever, and stopping the demo ends every wait. */
import { setTimeout as pause } from 'node:timers/promises';

export interface Wait {
  /** Aborted when the demo must stop: Ctrl-C, or a program that died. */
  signal?: AbortSignal;
  timeoutMs?: number;
  everyMs?: number;
}

/** Polls until there is a result. Rejects when `what` has not come in time. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  { signal, timeoutMs = 20_000, everyMs = 50 }: Wait,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`${what} did not come within ${timeoutMs / 1000} s`);
    await pause(everyMs, undefined, signal && { signal });
  }
}
