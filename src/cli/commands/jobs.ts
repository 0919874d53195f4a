/** Options of `esignctl jobs …`: work that waits (decisions 10). */
import { Option, type Command } from 'commander';
import type { JobKind } from '../../db/schema.js';
import type { ChangeFlags } from '../io.js';
import { changing, examples, idList, limitOption } from '../options.js';
import type { Act } from '../program.js';

/** Spelled here too, since the list of core is not loaded for --help; a test holds the two together. */
const KINDS = ['create-payment-session', 'complete-signature', 'send-mail', 'deliver-webhook'];

export function registerJobs(program: Command, act: Act): void {
  const jobs = program.command('jobs').description('work that waits or runs: see it, have it tried now');
  registerList(jobs, act);
  registerPush(jobs, act);
  examples(jobs, 'jobs list', 'jobs push 12');
}

function registerList(jobs: Command, act: Act): void {
  const command = jobs
    .command('list')
    .description('jobs that run, then those that wait, the next due first')
    .addOption(new Option('--kind <kind>', 'only this kind of job').choices(KINDS))
    .option('--limit <count>', 'at most so many jobs', limitOption, 50)
    .action(
      act(async (shell, flags: { kind?: JobKind; limit: number }) => {
        const { listCommand } = await import('../run/jobs-list.js');
        return listCommand(shell, flags);
      }),
    );
  examples(command, 'jobs list', 'jobs list --kind send-mail --json');
}

function registerPush(jobs: Command, act: Act): void {
  const command = jobs
    .command('push')
    .description('try waiting jobs now instead of at their time, and wait for the outcome')
    .argument('<ids...>', 'number that `jobs list` shows', idList);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, ids: number[]) => {
      const { pushCommand } = await import('../run/jobs-push.js');
      return pushCommand(shell, { ...flags, ids });
    }),
  );
  examples(
    command,
    'jobs push 12',
    'jobs push 12 13 --reason "mail server is back"',
    'jobs push 12 --dry-run',
  );
}
