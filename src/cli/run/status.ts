/** Runs `esignctl status`, once or again and again. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LongestWaiting } from '../../core/depths.js';
import { readStatus, type LastRun, type ServiceStatus } from '../../core/status.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withSession } from '../session.js';
import { ageWords } from '../shown-times.js';
import { UsageError } from '../usage-error.js';
import { fieldsTable } from './fields.js';
import { counted } from './words.js';

const REFRESH_MS = 2_000;
/** To the top left, and everything below gone. */
const CLEAR = '\u001b[H\u001b[J';

export function statusCommand(shell: Shell, { watch = false }: { watch?: boolean }): Promise<ExitCode> {
  const { io, out, signal } = shell;
  if (watch && (!io.stdout.isTTY || out.isJson)) {
    throw new UsageError('--watch needs a terminal to draw on.', 'Leave it out to get the state once.');
  }
  return withSession(shell, async ({ ctx }) => {
    for (;;) {
      const status = readStatus(ctx);
      if (watch) io.stdout.write(CLEAR);
      out.result(status, () => tell(shell, status));
      if (!watch) return EXIT.done;
      out.line(`\nas of ${out.time(ctx.clock.now().toISOString())}; Ctrl-C ends it`);
      await pause(REFRESH_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return EXIT.interrupted;
    }
  });
}

function tell({ out }: Shell, status: ServiceStatus): void {
  const { daemon, requests, contracts, jobs, failed, oldestWaiting } = status;
  const { lastExpiry, lastReconcile, lastBackup, failing } = status;
  const time = (at: string) => out.time(at);
  fieldsTable(out, [
    ['daemon', daemon.running ? `running, process ${daemon.pid ?? 'unknown'}` : 'not running'],
    ...Object.entries(requests).map(([state, count]) => [`requests ${state}`, count] as const),
    ...Object.entries(contracts).map(([state, count]) => [`contracts ${state}`, count] as const),
    ['jobs waiting', jobs.available],
    ['jobs running', jobs.running],
    ['jobs failed', failed],
    ['longest waiting signature', waitingWords(oldestWaiting.signature, time)],
    ['longest waiting payment', waitingWords(oldestWaiting.payment, time)],
    ...(status.perhapsSent ?? []).map(
      ({ requestId, reference, since }) =>
        [
          'perhaps sent',
          `${reference}, since ${time(since)}: esignctl check-signature ${requestId}`,
        ] as const,
    ),
    ['last expiry', runWords(lastExpiry, time)],
    ['last bulk check', runWords(lastReconcile, time)],
    ['last scheduled backup', runWords(lastBackup, time)],
    ...failing.map(
      ({ run, since, times, error }) =>
        [`failing: ${run}`, `since ${time(since)}, ${counted(times, 'time')}: ${error}`] as const,
    ),
  ]);
}

function waitingWords(longest: LongestWaiting | null, time: (at: string) => string): string {
  if (!longest) return 'none';
  const { reference, since, seconds } = longest;
  return `${reference}, ${ageWords(seconds)}, since ${time(since)}`;
}

function runWords(run: LastRun | null, time: (at: string) => string): string {
  if (!run) return 'never';
  const counts = Object.entries(run.result).map(([name, count]) => `${name} ${count}`);
  return [time(run.startedAt), ...counts].join(', ');
}
