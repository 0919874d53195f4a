/** Our clock beside the signature provider's, before a date that has passed ends anything (decisions 2, "The provider's clock decides"). */
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { describeError, refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';

/** Far above what clocks drift and answers take; a contract that is expired this much too early harms nobody. */
export const CLOCK_AHEAD_MAX_MS = 300_000;

const PATIENCE_MS = 5_000;

/**
 * Refuses with `clock_ahead` while our clock is far ahead of the provider's. When the provider cannot be asked, ours is
 * gone by: an outage there must not keep contracts alive here, and a contract that was closed too early is still completed
 * when the provider proves that it was signed in time.
 */
export async function clockMustNotBeAhead(ctx: Context): Promise<void> {
  const ours = ctx.clock.now();
  const theirs = await timeThere(ctx);
  if (!theirs || ours.getTime() - theirs.getTime() <= CLOCK_AHEAD_MAX_MS) return;
  throw refused(
    'clock_ahead',
    `The clock of this machine says ${iso(ours)}, that of the signature provider ${iso(theirs)}: no contract was expired.`,
    'Set the clock, preferably by time synchronisation (systemd-timesyncd, chrony).',
  );
}

async function timeThere(ctx: Context): Promise<Date | undefined> {
  try {
    return await ctx.provider.probe({ withinMs: PATIENCE_MS });
  } catch (error) {
    if (!isProviderError(error)) throw error;
    const why = describeError(error);
    ctx.log.warn({ error: why }, 'the clock could not be compared with the signature provider’s');
    return undefined;
  }
}
