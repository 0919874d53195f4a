/** A backup as commands show it. */
import type { BackupReport } from '../../core/backup/check-backup.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Output } from '../output.js';
import { bytes, counted } from './words.js';

export function reportLines(did: string, report: BackupReport, showTime: (iso: string) => string): string[] {
  const { file, size, madeAt, requests, pdfs, keys, version, schema } = report;
  return [
    `${did} ${file} (${bytes(size)}), made at ${showTime(madeAt)} by version ${version}, schema ${schema}`,
    `${counted(requests, 'request')}, ${counted(pdfs, 'PDF')}, ${counted(keys, 'key file')}`,
  ];
}

/** What was already missing when the backup was made: nothing that a backup could mend. */
export function tellProblems(out: Output, { problems }: BackupReport): void {
  for (const problem of problems) out.note(problem);
}

export function exitOfReport({ problems }: BackupReport): ExitCode {
  return problems.length > 0 ? EXIT.failed : EXIT.done;
}
