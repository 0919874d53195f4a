/** A webhook's caller is not kept waiting for what it need not know. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';

/** What the work gives while the caller still listens; undefined: it goes on, or it failed, which is logged. */
export async function withinPatience<T>(ctx: Context, work: Promise<T>): Promise<T | undefined> {
  const patience = new AbortController();
  const logged = work.catch((error: unknown) => {
    ctx.log.warn(
      { error: describeError(error) },
      'the provider could not be asked about an interrupted start',
    );
    return undefined;
  });
  const over = pause(ctx.webhookPatienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
  const first = await Promise.race([logged, over]);
  patience.abort();
  return first;
}
