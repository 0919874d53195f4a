/**
 * Compares our clock with the signature provider's before passed dates end anything (rules 2, "The provider's clock
 * decides").
 */
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { describeError, refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';

/** Far above clock drift and answer times; expiring a contract this much too early is harmless. */
export const CLOCK_AHEAD_MAX_MS = 300_000;

const PATIENCE_MS = 5_000;

/**
 * Refuses with `clock_ahead` while our clock is far ahead of the provider's. If the provider cannot be asked, ours
 * counts: an outage there must not keep contracts alive, and a contract closed too early is still completed with
 * proof of a timely signature.
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
