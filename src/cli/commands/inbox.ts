/** Options of `esignctl inbox …`: what the providers have told us (decisions 10). */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples, idArgument, idList, limitOption, textOption } from '../options.js';
import type { Act } from '../program.js';

export interface ListFlags {
  subject?: string;
  beforeId?: number;
  rejected?: boolean;
  limit: number;
}

export function registerInbox(program: Command, act: Act): void {
  const inbox = program
    .command('inbox')
    .description('inbound webhooks: list, show, work through again; also those that were turned away');
  registerList(inbox, act);
  registerShow(inbox, act);
  registerReplay(inbox, act);
  examples(inbox, 'inbox list', 'inbox list --rejected', 'inbox show 7');
}

function registerList(inbox: Command, act: Act): void {
  const command = inbox
    .command('list')
    .description('inbound events, the newest first')
    .option('--subject <id>', 'only those about this signId or paymentId', textOption)
    .option('--before-id <id>', 'only those older than this event', idArgument)
    .option('--rejected', 'deliveries that were turned away, with the reason')
    .option('--limit <count>', 'at most so many events', limitOption, 50)
    .action(
      act(async (shell, flags: ListFlags) => {
        const { listCommand, rejectedCommand } = await import('../run/inbox-list.js');
        return flags.rejected ? rejectedCommand(shell, flags) : listCommand(shell, flags);
      }),
    );
  examples(command, 'inbox list', 'inbox list --rejected --json', 'inbox list --before-id 1200');
}

function registerShow(inbox: Command, act: Act): void {
  const command = inbox
    .command('show')
    .description('one inbound event with its body')
    .argument('<id>', 'number that `inbox list` shows', idArgument)
    .action(
      act(async (shell, _: object, id: number) => {
        const { showCommand } = await import('../run/inbox-show.js');
        return showCommand(shell, id);
      }),
    );
  examples(command, 'inbox show 7', 'inbox show 7 --json');
}

function registerReplay(inbox: Command, act: Act): void {
  const command = inbox
    .command('replay')
    .description('work inbound events through again; what was done already is not done twice')
    .argument('<ids...>', 'number that `inbox list` shows', idList);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, ids: number[]) => {
      const { replayCommand } = await import('../run/inbox-replay.js');
      return replayCommand(shell, { ...flags, ids });
    }),
  );
  examples(
    command,
    'inbox replay 7',
    'inbox replay 7 8 --reason "database was restored"',
    'inbox replay 7 --dry-run',
  );
}
