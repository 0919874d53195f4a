/** Runs `esignctl restore` and `esignctl restore --check`. */
import { checkBackup } from '../../core/backup/check-backup.js';
import { restoreBackup, refuseBesideDaemon } from '../../core/backup/restore-backup.js';
import { systemClock } from '../../core/clock.js';
import { confirm } from '../ask.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { settings } from '../reading.js';
import { callerOf } from '../session.js';
import { exitOfReport, reportLines, tellProblems } from './backup-view.js';
import { DRY_RUN_NOTE } from './words.js';

/** A contract that was sent after the backup is unknown to the restored data: a new start would send a second one. */
const AFTERWARDS =
  'Before a signature is started: `esignctl check-signature --all` fetches what happened since the backup, and names the contracts that were sent since then.';

export async function checkCommand(shell: Shell, file: string): Promise<ExitCode> {
  const { out } = shell;
  const report = await verified(shell, file);
  out.result(report, () => {
    for (const line of reportLines('whole:', report, (iso) => out.time(iso))) out.line(line);
  });
  tellProblems(out, report);
  return exitOfReport(report);
}

export async function restoreCommand(
  shell: Shell,
  { file, dryRun, reason, ...answer }: ChangeFlags & { file: string },
): Promise<ExitCode> {
  const { out, signal, io } = shell;
  const { dataDir } = settings(shell);
  // Before the archive is read for nothing; restoreBackup makes sure of it.
  refuseBesideDaemon(dataDir);
  if (dryRun) {
    const report = await verified(shell, file);
    out.result({ ...report, dryRun }, () => {
      for (const line of reportLines('would restore', report, (iso) => out.time(iso))) out.line(line);
    });
    tellProblems(out, report);
    out.note(DRY_RUN_NOTE);
    return EXIT.done;
  }
  await confirm(shell, `Replace the data in ${dataDir} by those of ${file}?`, answer);
  shell.interruption.say(
    () =>
      `the data in ${dataDir} are unchanged, unless replacing them had begun: the next command finishes that`,
  );
  const restored = await withProgress(shell, 'unpacking and verifying', () =>
    restoreBackup({
      dataDir,
      file,
      clock: systemClock,
      actor: callerOf(io),
      signal,
      ...(reason && { reason }),
    }),
  );
  shell.interruption.say(() => 'the data have been replaced');
  out.result(restored, () => {
    for (const line of reportLines('restored', restored, (iso) => out.time(iso))) out.line(line);
    out.line(`the data that were there before are in ${restored.aside}`);
    out.line(AFTERWARDS);
  });
  tellProblems(out, restored);
  return EXIT.done;
}

function verified(shell: Shell, file: string) {
  return withProgress(shell, 'verifying', () => checkBackup(file, shell.signal));
}
