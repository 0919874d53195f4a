/** Reminds every customer whose day has come to pay (setting `ESIGN_REMIND_DAYS`). Signatures are the provider's own. */
import { listRequestsToRemind, setRemindAt } from '../../db/requests/requests.js';
import { SCHEDULE } from '../actor.js';
import { addMs, iso } from '../clock.js';
import type { Context } from '../context.js';
import { AppError, describeError } from '../errors.js';
import { nextReminder } from './remind-days.js';
import { remindRequest } from './remind-request.js';

/** A person's reminder of the same day counts too. */
const PAUSE_MS = 24 * 3_600_000;

/** After that, somebody is no longer working on the request. */
const BUSY_MS = 3_600_000;

const AT_ONCE = 100;

/** Stops at the first call that the payment provider does not answer; the next run goes on there. */
export async function remindDue(ctx: Context, { signal }: { signal?: AbortSignal } = {}) {
  const { db, config } = ctx;
  const counts = { reminded: 0, passed: 0, failed: 0 };
  if (config.remindDays.length === 0) return counts;
  for (;;) {
    const now = iso(ctx.clock.now());
    const due = listRequestsToRemind(db, { now, limit: AT_ONCE });
    for (const { id, statusSince } of due) {
      if (signal?.aborted) return counts;
      try {
        await remindRequest(ctx, id, { actor: SCHEDULE, pauseMs: PAUSE_MS });
        counts.reminded += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.kind === 'unavailable') return { ...counts, failed: 1 };
        ctx.log.info({ requestId: id, reason: describeError(error) }, 'a customer was not reminded');
        counts.passed += 1;
        const remindAt =
          error.kind === 'busy'
            ? iso(addMs(new Date(now), BUSY_MS))
            : nextReminder(config.remindDays, statusSince, now);
        await ctx.writer.write((unit) => setRemindAt(unit, { id, remindAt }));
      }
    }
    if (due.length < AT_ONCE) return counts;
  }
}
