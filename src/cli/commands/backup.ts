/** `esignctl backup`, `snapshot` and `restore` (rules 10). */
import { command, type Advice } from '../../core/commands.js';
import type { BackupReport } from '../../core/backup/read-copy.js';
import { confirm } from '../run/ask.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { byWhom, withSession } from '../run/open.js';
import { asText, flag, param } from '../verb/params.js';
import { withProgress } from '../output/progress.js';
import { verb } from '../verb/verb.js';
import { bytes, counted } from '../output/words.js';

const ABOUT_BACKUP = `
The file is a tar archive of what \`esignctl snapshot\` makes: the database, all
contract PDFs and keys/. Whoever can read it knows the customers' data and can
forge access tokens. It is made with mode 0600; keep it as safe as the service
itself. The settings are not in it.

The daemon may go on working. While the file is made, the data directory holds a
second copy of the database. The file is read back and checked before it gets
its name.`;

export const backup = verb('backup', {
  about: 'pack the database, the PDFs and the keys into one file, while the daemon runs',
  args: { file: param('the file to write, such as esign.tar', asText) },
  options: { force: flag('replace a file of that name') },
  text: ABOUT_BACKUP,
  examples: ['/var/backups/esign-2026-03-02.tar', 'esign.tar --force --json'],
  /** A missing signed PDF does not prevent the backup; the exit code is then 1. */
  async run(shell, { file, force }) {
    const { writeBackup } = await import('../../core/backup/write-backup.js');
    const { systemClock: clock } = await import('../../core/clock.js');
    const { settings } = await import('../run/settings.js');
    const { signal, interruption } = shell;
    const { dataDir } = settings(shell);
    interruption.say(() => `no backup was written to ${file}`);
    const report = await withProgress(shell, 'copying the database', (progress) => {
      const onProgress = (packed: number, total: number) =>
        progress.update(`packed ${packed} of ${total} files`);
      return writeBackup({ dataDir, file, force, clock, signal, onProgress });
    });
    interruption.say(() => `the backup ${file} is complete`);
    return tellReport(shell, 'backed up', report);
  },
});

const ABOUT_SNAPSHOT = `
The directory holds one whole copy of the data, made again in place at each run:
the database page for page, the PDFs and the keys as links of those in the data
directory (copies, where it is on another disk). It is what restic and the like
should save: they send only what has changed. Whoever can read it can forge
access tokens; it is made with mode 0700.

The daemon may go on working; nothing waits. The manifest is written last: a run
that is cut off leaves the snapshot from before, or one that restore refuses.

Whoever has sent it elsewhere says so with --sent-to: then status and doctor know
how old the newest copy off this machine is, and tell when it is too old.`;

export const snapshot = verb('snapshot', {
  about: 'bring a directory up to date as a copy of the data, for programs that send it elsewhere',
  args: { dir: param('where it is made, such as /var/lib/esign/snapshot', asText) },
  options: {
    verify: flag('then read all of it, as restore --check does'),
    sentTo: param('make no snapshot; only record that the existing one was sent to this place', asText, {
      word: 'place',
    }),
  },
  text: ABOUT_SNAPSHOT,
  examples: [
    '/var/lib/esign/snapshot',
    '/var/lib/esign/snapshot --verify',
    '/var/lib/esign/snapshot --sent-to restic',
  ],
  run: (shell, { dir, verify, sentTo }) =>
    sentTo === undefined ? bringUpToDate(shell, verify, dir) : noteSent(shell, dir, sentTo),
});

const ABOUT_RESTORE = `
Everything in it is verified before anything is touched: database, keys and
signed PDFs by their SHA-256, the database by SQLite too. A signed PDF that is
missing or was changed is named and does not stop the restore. The present data
is kept in a directory whose name is printed; remove it when all is well.
The daemon must be stopped. Everybody has to log in again.

The restored installation is held: esignd answers and stores what it is told, but
sends nothing until \`esignctl takeover\`.

--check needs no settings and no data directory.`;

export const restore = verb('restore', {
  about: 'replace the data with a backup; the old data is kept aside; asks first',
  args: { file: param('a file that `backup` has made, or the directory of a snapshot', asText) },
  options: { check: flag('only verify it') },
  text: ABOUT_RESTORE,
  changes: true,
  examples: [
    '--check esign.tar',
    '--check /var/lib/esign/snapshot',
    'esign.tar --dry-run',
    'esign.tar --yes --reason "disk failure"',
  ],
  run: (shell, { file, check: isCheck }) => (isCheck ? check(shell, file) : replaceData(shell, file)),
});

/** With --verify the exit code is 1 when a signed PDF is missing. */
async function bringUpToDate(shell: Shell, isThorough: boolean, directory: string): Promise<ExitCode> {
  const { writeSnapshot } = await import('../../core/backup/write-snapshot.js');
  const { rememberSnapshot } = await import('../../core/backup/copies.js');
  const { out, signal, interruption } = shell;
  interruption.say(() => `the snapshot in ${directory} is the one from before`);
  const made = await withSession(shell, async ({ ctx }) => {
    const { config, clock } = ctx;
    const options = { dataDir: config.dataDir, directory, clock, isThorough, signal };
    const made = await withProgress(shell, 'copying the database', () => writeSnapshot(options));
    interruption.say(() => `the snapshot in ${directory} is complete`);
    await rememberSnapshot(ctx, made);
    return made;
  });
  const report = isThorough ? await verified(shell, directory) : undefined;
  const { counts, files, added, removed, size } = made;
  out.result({ ...made, ...(report && { problems: report.problems }) }, () => {
    out.line(`snapshot in ${made.directory}, made at ${out.time(made.madeAt)}, database ${bytes(size)}`);
    const rows = counted(counts['requests'] ?? 0, 'request');
    out.line(`${rows}, ${counted(files, 'file')} of contracts: ${added} added, ${removed} removed`);
    if (report) out.line('all of it was read and is whole');
  });
  return report ? tellProblems(shell, report) : EXIT.done;
}

async function noteSent(shell: Shell, directory: string, to: string): Promise<ExitCode> {
  const { rememberSent } = await import('../../core/backup/copies.js');
  const { out } = shell;
  const sent = await withSession(shell, ({ ctx }) => rememberSent(ctx, { directory, to }));
  out.result(sent, () => out.line(`the snapshot made at ${out.time(sent.madeAt)} is at ${to} as well`));
  return EXIT.done;
}

/** Another machine may have gone on since the backup. */
const AFTERWARDS: Advice = [
  'The data is held: nothing is sent until `',
  command('takeover'),
  '` has compared them with the providers. It can run while esignd does.',
];

async function check(shell: Shell, file: string): Promise<ExitCode> {
  return tellReport(shell, 'whole:', await verified(shell, file));
}

async function replaceData(shell: Shell, file: string): Promise<void> {
  const { restoreBackup, refuseBesideDaemon } = await import('../../core/backup/restore-backup.js');
  const { refuseOthersBackup } = await import('../../core/installation/pinned.js');
  const { systemClock: clock } = await import('../../core/clock.js');
  const { settings } = await import('../run/settings.js');
  const { signal, interruption, dryRun } = shell;
  const { actor, reason } = byWhom(shell);
  const { dataDir, installation } = settings(shell);
  // Before the file is read for nothing; restoreBackup checks it again.
  refuseBesideDaemon(dataDir);
  if (dryRun) {
    const report = await verified(shell, file);
    refuseOthersBackup(report.installation, file, installation);
    tellReport(shell, 'would restore', report);
    return;
  }
  await confirm(shell, `Replace the data in ${dataDir} by that of ${file}?`);
  interruption.say(
    () =>
      `the data in ${dataDir} is unchanged, unless replacing them had begun: the next command finishes that`,
  );
  const restored = await withProgress(shell, 'unpacking and verifying', () =>
    restoreBackup({ dataDir, installation, file, clock, actor, signal, ...(reason && { reason }) }),
  );
  interruption.say(() => 'the data has been replaced');
  tellReport(shell, 'restored', restored, [
    `the data from before is in ${restored.aside}`,
    shell.out.advice(AFTERWARDS),
  ]);
}

async function verified(shell: Shell, file: string): Promise<BackupReport> {
  const { checkBackup } = await import('../../core/backup/read-copy.js');
  return withProgress(shell, 'verifying', () => checkBackup(file, shell.signal));
}

function tellReport(shell: Shell, did: string, report: BackupReport, more: readonly string[] = []): ExitCode {
  const { out } = shell;
  const { file, size, madeAt, requests, pdfs, keys, version, schema } = report;
  const made = `made at ${out.time(madeAt)} by version ${version}, schema ${schema}`;
  out.result(report, () => {
    out.line(`${did} ${file} (${bytes(size)}), ${made}`);
    out.line(`${counted(requests, 'request')}, ${counted(pdfs, 'PDF')}, ${counted(keys, 'key file')}`);
    for (const line of more) out.line(line);
  });
  return tellProblems(shell, report);
}

/** Where a whole directory is missing, each file of it is a problem. */
const PROBLEMS_SHOWN = 20;

function tellProblems({ out }: Shell, { problems }: BackupReport): ExitCode {
  for (const problem of problems.slice(0, PROBLEMS_SHOWN)) out.note(problem);
  const more = problems.length - PROBLEMS_SHOWN;
  if (more > 0) out.note(`and ${counted(more, ['more problem', 'more problems'])}; --json lists all of them`);
  return problems.length > 0 ? EXIT.failed : EXIT.done;
}
