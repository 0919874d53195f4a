/** Runs `esignctl backup`. */
import { writeBackup } from '../../core/backup/write-backup.js';
import { systemClock } from '../../core/clock.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { settings } from '../reading.js';
import { exitOfReport, reportLines, tellProblems } from './backup-view.js';

/** A signed PDF that is missing does not keep the rest from being saved; it makes the exit code 1. */
export async function backupCommand(
  shell: Shell,
  { file, force = false }: { file: string; force?: boolean },
): Promise<ExitCode> {
  const { out, signal, interruption } = shell;
  const { dataDir } = settings(shell);
  interruption.say(() => `no archive was written to ${file}`);
  const report = await withProgress(shell, 'copying the database', (progress) =>
    writeBackup({
      dataDir,
      file,
      force,
      clock: systemClock,
      signal,
      onProgress: (packed, total) => progress.update(`packed ${packed} of ${total} files`),
    }),
  );
  interruption.say(() => `the archive ${file} is complete`);
  out.result(report, () => {
    for (const line of reportLines('backed up', report, (iso) => out.time(iso))) out.line(line);
  });
  tellProblems(out, report);
  return exitOfReport(report);
}
