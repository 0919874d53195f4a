/** Options of `esignctl failed …`: the jobs whose retries are used up (spec 4.8). */
import { Option, type Command } from 'commander';
import type { FailedFilter } from '../../core/jobs/failed.js';
import type { ChangeFlags, Shell } from '../io.js';
import { changing, examples, idArgument, idList, limitOption, textOption } from '../options.js';
import type { Act } from '../program.js';
import { timeOption } from '../times.js';
import { UsageError } from '../usage-error.js';

/** Spelled here too, since the list of core is not loaded for --help; a test holds the two together. */
const KINDS = ['create-payment-session', 'complete-signature', 'send-mail', 'deliver-webhook'];

type ListFlags = FailedFilter & { limit: number; stats?: boolean };
type ReplayFlags = ChangeFlags & FailedFilter & { all?: boolean; perMinute?: number };

const ID = 'number that `failed list` shows';

export function registerFailed(program: Command, act: Act): void {
  const failed = program
    .command('failed')
    .description('the jobs that failed for good: see them, run them again, remove them');
  registerList(failed, act);
  registerShow(failed, act);
  registerReplay(failed, act);
  registerRemove(failed, act);
  examples(failed, 'failed list --stats', 'failed show 12', 'failed replay 12', 'failed remove 12');
}

function registerList(failed: Command, act: Act): void {
  const command = failed
    .command('list')
    .description('failed jobs, the newest first')
    .option('--stats', 'how many failed of each kind with the same error')
    .option('--limit <count>', 'at most so many jobs, or errors', limitOption, 50);
  filters(command).action(
    act(async (shell, { limit, stats, ...filter }: ListFlags) => {
      const { listCommand, statsCommand } = await import('../run/failed-list.js');
      return stats ? statsCommand(shell, filter, limit) : listCommand(shell, filter, limit);
    }),
  );
  examples(
    command,
    'failed list',
    'failed list --kind create-payment-session --after 2026-03-01 --json',
    'failed list --stats --error timeout',
  );
}

function registerShow(failed: Command, act: Act): void {
  const command = failed
    .command('show')
    .description('everything about one failed job, with the errors of its tries')
    .argument('<id>', ID, idArgument)
    .action(
      act(async (shell, _: object, id: number) => {
        const { showCommand } = await import('../run/failed-show.js');
        return showCommand(shell, id);
      }),
    );
  examples(command, 'failed show 12', 'failed show 12 --json');
}

function registerReplay(failed: Command, act: Act): void {
  const command = failed
    .command('replay')
    .description(
      'run failed jobs once more and wait for the outcome; on a terminal, without ids, it asks about each',
    )
    .argument('[ids...]', ID, idList)
    .option('--all', 'every failed job that the filters let through; asks first')
    .option('--per-minute <count>', 'begin no more than so many in a minute', limitOption);
  changing(filters(command)).action(
    act(async (shell, flags: ReplayFlags, ids: number[] = []) => {
      const { dryRun, reason, yes, all = false, perMinute, ...filter } = flags;
      if (isForChoosing(shell, { ids, all, ...flags })) {
        const { chooseCommand } = await import('../run/failed-choose.js');
        return chooseCommand(shell, { filter, reason });
      }
      checkSelection({ ids, all, filter });
      const { replayCommand } = await import('../run/failed-replay.js');
      const change = {
        ...(dryRun && { dryRun }),
        ...(reason && { reason }),
        ...(yes && { yes }),
        ...(perMinute && { perMinute }),
      };
      return replayCommand(shell, { ...change, ...(all ? { filter } : { ids }) });
    }),
  );
  examples(
    command,
    'failed replay 12',
    'failed replay --all --kind send-mail --yes --reason "mail server is back"',
    'failed replay --all --error timeout --per-minute 30 --yes',
    'failed replay --all --dry-run',
  );
}

function registerRemove(failed: Command, act: Act): void {
  const command = failed
    .command('remove')
    .description('remove failed jobs for good: what they owed will never be done; asks first')
    .argument('<ids...>', ID, idList);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, ids: number[]) => {
      const { removeCommand } = await import('../run/failed-remove.js');
      return removeCommand(shell, { ...flags, ids });
    }),
  );
  examples(command, 'failed remove 12', 'failed remove 12 13 --yes --reason "paid by hand"');
}

function filters(command: Command): Command {
  return command
    .addOption(new Option('--kind <kind>', 'only this kind of job').choices(KINDS))
    .option('--error <text>', 'only errors that hold this text, in any letter case', textOption)
    .option('--after <time>', 'failed at or after this time (UTC unless it names an offset)', timeOption)
    .option('--before <time>', 'failed at or before this time', timeOption);
}

/** Nothing named, and somebody there to choose. */
function isForChoosing(
  { io: { stdin, stderr }, out }: Shell,
  { ids, all, dryRun, yes }: ChangeFlags & { ids: number[]; all: boolean },
): boolean {
  const isNothingSaid = ids.length === 0 && !all && !dryRun && !yes && !out.isJson;
  return isNothingSaid && Boolean(stdin.isTTY && stderr.isTTY);
}

function checkSelection({ ids, all, filter }: { ids: number[]; all: boolean; filter: FailedFilter }): void {
  if (all && ids.length > 0) throw new UsageError('Give ids or --all, not both.');
  if (all) return;
  if (ids.length === 0) throw new UsageError('Which jobs? None was given.', 'Give their ids, or --all.');
  if (Object.keys(filter).length > 0) throw new UsageError('Filters go with --all, not with ids.');
}
