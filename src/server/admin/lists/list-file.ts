/** Sends a list as a file for spreadsheets, streamed while it is read. */
import { inPortions } from '../../../core/resources/show.js';
import { wallClock } from '../../../core/zone.js';
import type { PageCall } from '../frame/page-call.js';

const ENCODER = new TextEncoder();

/** An address with a filter that nobody knows gets the page, which says so, instead of more rows than were meant. */
export function sendList(call: PageCall, page: string, lines: Iterable<string>): Response {
  const { c, ctx, user } = call;
  const { search } = new URL(c.req.url);
  if (call.notices.length > 0) return c.redirect(page + search, 303);
  const name = page.split('/').at(-1);
  const { day } = wallClock(ctx.config.timeZone, ctx.clock.now());
  c.header('Content-Type', 'text/csv; charset=utf-8; header=present');
  c.header('Content-Disposition', `attachment; filename="${name}-${day}.csv"`);
  c.header('Cache-Control', 'no-store, private');
  ctx.log.info({ userId: user.id, list: name }, 'list exported');
  const portions = inPortions(lines);
  const body = new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await portions.next();
      if (done) controller.close();
      else controller.enqueue(ENCODER.encode(value));
    },
    cancel: () => void portions.return(undefined),
  });
  return c.body(body);
}
