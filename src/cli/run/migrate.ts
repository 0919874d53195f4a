/** Runs `esignctl migrate`. */
import { migrateData } from '../../core/migrate-data.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ChangeFlags, Shell } from '../io.js';
import { settings } from '../reading.js';
import { callerOf } from '../session.js';
import { counted, DRY_RUN_NOTE } from './words.js';

export async function migrateCommand(
  shell: Shell,
  { dryRun = false, reason }: ChangeFlags,
): Promise<ExitCode> {
  const who = { actor: callerOf(shell.io), reason };
  const { applied, backup, schema } = migrateData(settings(shell), { ...who, dryRun });
  shell.out.result({ applied, backup, schema, ...(dryRun && { dryRun }) }, () => {
    for (const name of applied) shell.out.line(`${dryRun ? 'would apply' : 'applied'} ${name}`);
    if (backup) shell.out.line(`the database from before is ${backup}`);
    const summary = applied.length === 0 ? 'up to date' : counted(applied.length, 'migration');
    shell.out.line(`${summary}; the database has schema ${schema}`);
  });
  if (dryRun) shell.out.note(DRY_RUN_NOTE);
  return EXIT.done;
}
