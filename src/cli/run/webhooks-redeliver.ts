/** Runs `esignctl webhooks redeliver`: the batch goes on over failures. */
import { getResendable } from '../../core/webhooks/deliveries.js';
import { redeliverAll, type Redelivery } from '../../core/webhooks/operator-webhooks.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { bar, withProgress } from '../progress.js';
import { withSession, type Session } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

export function redeliverCommand(
  shell: Shell,
  { ids, dryRun = false, reason }: ChangeFlags & { ids: number[] },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx, actor }) => {
    const { out, signal } = shell;
    // One alone that cannot be sent again is the answer; among others it fails alone.
    if (ids.length === 1 || dryRun) for (const id of ids) getResendable(ctx, id);
    if (dryRun) return foretell(shell, ctx, ids);
    let done = 0;
    shell.interruption.say(() => {
      const sent = `${done} of ${counted(ids.length, 'delivery', 'deliveries')} sent again`;
      return done < ids.length ? `${sent}; the one under way may have arrived` : sent;
    });
    const results = await withProgress(shell, 'sending', (progress) => {
      const onResult = (result: Redelivery) => {
        done += 1;
        progress.around(() => out.line(lineOf(result, (at) => out.time(at))));
        if (ids.length > 1) progress.update(bar(done, ids.length));
      };
      return redeliverAll(ctx, ids, { actor, reason, signal, onResult });
    });
    const redelivered = results.filter(({ state }) => state === 'delivered').length;
    const failed = results.length - redelivered;
    out.result({ redelivered, failed, results }, () => {
      if (ids.length > 1) out.line(`delivered ${redelivered}, failed ${failed}`);
    });
    return failed > 0 ? EXIT.failed : EXIT.done;
  });
}

function foretell({ out }: Shell, ctx: Session['ctx'], ids: number[]): ExitCode {
  const found = ids.map((id) => getResendable(ctx, id));
  const results = found.map(({ delivery: { id, state } }) => ({ id, state, outcome: null, nextTryAt: null }));
  out.result({ redelivered: 0, failed: 0, results, dryRun: true }, () => {
    for (const { delivery, webhook } of found) {
      out.line(`would send ${delivery.id} ${delivery.event} to ${webhook.url}`);
    }
    if (found.length > 1) out.line(`would send ${counted(found.length, 'delivery', 'deliveries')}`);
  });
  out.note(DRY_RUN_NOTE);
  return EXIT.done;
}

function lineOf({ id, state, outcome, nextTryAt }: Redelivery, time: (at: string) => string): string {
  switch (state) {
    case 'delivered':
      return `delivered ${id}`;
    case 'pending': {
      const next = nextTryAt === null ? '' : `; next try ${time(nextTryAt)}`;
      return `${outcome === null ? 'not tried yet' : 'failed'} ${id}${outcome === null ? '' : `: ${outcome}`}${next}`;
    }
    case 'failed':
    case null:
      return `failed ${id}: ${outcome}`;
  }
}
