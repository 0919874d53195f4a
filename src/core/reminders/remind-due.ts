/** Reminds every customer whose day has come to pay (setting `ESIGN_REMIND_DAYS`). Signatures are the provider's own. */
import { listRequestsToRemind, setRemindAt } from '../../db/requests/requests.js';
import { SCHEDULE } from '../actor.js';
import { addMs, iso } from '../clock.js';
import { Round, type RoundOptions } from '../calls/round.js';
import type { Context } from '../context.js';
import { AppError, describeError } from '../errors.js';
import { nextReminder } from './remind-days.js';
import { remindRequest } from './remind-request.js';

/** A person's reminder of the same day counts too. */
const PAUSE_MS = 24 * 3_600_000;

/** Somebody is working on the request, or there was no answer about it: the others come first. */
const LATER_MS = 3_600_000;

const AT_ONCE = 100;

export async function remindDue(ctx: Context, options: RoundOptions = {}) {
  const { db, config, log } = ctx;
  const counts = { reminded: 0, passed: 0, failed: 0 };
  const round = new Round(options);
  const setNext = (id: number, remindAt: string | null) =>
    ctx.writer.write((unit) => setRemindAt(unit, { id, remindAt }));
  const later = () => iso(addMs(ctx.clock.now(), LATER_MS));
  for (let isMore = config.remindDays.length > 0; isMore && !round.isOver && !round.hasBrokenOff;) {
    const now = iso(ctx.clock.now());
    const due = listRequestsToRemind(db, { now, limit: AT_ONCE });
    isMore = due.length === AT_ONCE;
    await round.each(ctx, due, {
      keyOf: ({ id }) => id,
      nameOf: ({ id }) => `request ${id}`,
      async act({ id, statusSince }) {
        try {
          await remindRequest(ctx, id, { actor: SCHEDULE, pauseMs: PAUSE_MS });
          counts.reminded += 1;
        } catch (error) {
          if (!(error instanceof AppError) || error.kind === 'unavailable') throw error;
          log.info({ requestId: id, reason: describeError(error) }, 'a customer was not reminded');
          counts.passed += 1;
          await setNext(
            id,
            error.kind === 'busy' ? later() : nextReminder(config.remindDays, statusSince, now),
          );
        }
      },
      async failed({ id }, error) {
        log.warn({ requestId: id, error: describeError(error) }, 'a customer could not be reminded');
        counts.failed += 1;
        await setNext(id, later());
      },
    });
  }
  return { ...counts, ...(round.trouble !== undefined && { trouble: round.trouble }) };
}
