/** Runs `esignctl inbox replay`. */
import { getInboxEvent } from '../../core/inbox.js';
import { mustBeReplayable, replayInbox, type InboxReplay } from '../../core/inbox-replay.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

export function replayCommand(
  shell: Shell,
  { ids, dryRun = false, reason }: ChangeFlags & { ids: number[] },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out } = shell;
    const events = ids.length === 1 || dryRun ? ids.map((id) => getInboxEvent(ctx, id).event) : [];
    for (const event of events) mustBeReplayable(event);
    if (dryRun) {
      const results = events.map(({ id, state, outcome }) => ({ id, state, outcome, error: null }));
      out.result({ replayed: 0, failed: 0, results, dryRun }, () => {
        for (const { id, eventName } of events) out.line(`would work through ${id} ${eventName}`);
      });
      out.note(DRY_RUN_NOTE);
      return EXIT.done;
    }
    let done = 0;
    const { signal, interruption } = shell;
    interruption.say(() => `${done} of ${counted(ids.length, 'event')} worked through`);
    const onResult = () => void (done += 1);
    const results = await withProgress(shell, 'working through', () =>
      replayInbox(ctx, ids, { actor, reason, signal, onResult }),
    );
    const failed = results.filter(({ error }) => error !== null).length;
    out.result({ replayed: results.length - failed, failed, results }, () => {
      for (const result of results) out.line(lineOf(result));
    });
    return failed > 0 ? EXIT.failed : EXIT.done;
  });
}

function lineOf({ id, state, outcome, error }: InboxReplay): string {
  if (error !== null) return `failed ${id}: ${error}`;
  return state === 'received' ? `owed ${id}: the daemon does it` : `replayed ${id}: ${outcome}`;
}
