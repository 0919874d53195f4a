/** Options of `esignctl webhooks …`: outbound webhooks and what was sent to them (decisions 10). */
import type { Command } from 'commander';
import type { ChangeFlags } from '../io.js';
import { changing, examples, idArgument, idList, limitOption } from '../options.js';
import type { Act } from '../program.js';

export interface DeliveriesFlags {
  failed?: boolean;
  beforeId?: number;
  limit: number;
}

const WEBHOOK = 'number that `webhooks list` shows';
const DELIVERY = 'number that `webhooks deliveries` shows';

export function registerWebhooks(program: Command, act: Act): void {
  const webhooks = program
    .command('webhooks')
    .description('outbound webhooks: who is told, what was sent, sending it again');
  registerList(webhooks, act);
  registerDeliveries(webhooks, act);
  registerDelivery(webhooks, act);
  registerRedeliver(webhooks, act);
  registerPing(webhooks, act);
  registerSwitch(webhooks, act, 'enable', 'switch a webhook on again, with nothing held against it');
  registerSwitch(webhooks, act, 'disable', 'switch a webhook off: it is owed nothing any more');
  examples(
    webhooks,
    'webhooks list',
    'webhooks deliveries 3 --failed',
    'webhooks redeliver 12',
    'webhooks ping 3',
  );
}

function registerList(webhooks: Command, act: Act): void {
  const command = webhooks
    .command('list')
    .description('webhooks of all users, in the order in which they were made')
    .option('--after <id>', 'only those with a higher number', idArgument)
    .option('--limit <count>', 'at most so many webhooks', limitOption, 50)
    .action(
      act(async (shell, flags: { after?: number; limit: number }) => {
        const { listCommand } = await import('../run/webhooks-list.js');
        return listCommand(shell, flags);
      }),
    );
  examples(command, 'webhooks list', 'webhooks list --limit 1000 --json');
}

function registerDeliveries(webhooks: Command, act: Act): void {
  const command = webhooks
    .command('deliveries')
    .description('what was sent, the newest first: to one webhook, or to all')
    .argument('[webhook]', WEBHOOK, idArgument)
    .option('--failed', 'only what never arrived')
    .option('--before-id <id>', 'only those older than this delivery', idArgument)
    .option('--limit <count>', 'at most so many deliveries', limitOption, 50)
    .action(
      act(async (shell, flags: DeliveriesFlags, webhookId?: number) => {
        const { deliveriesCommand } = await import('../run/webhooks-deliveries.js');
        return deliveriesCommand(shell, { ...flags, webhookId });
      }),
    );
  examples(command, 'webhooks deliveries', 'webhooks deliveries 3 --failed', 'webhooks deliveries --json');
}

function registerDelivery(webhooks: Command, act: Act): void {
  const command = webhooks
    .command('delivery')
    .description('one delivery: the bytes that are sent, and what came back on each try')
    .argument('<delivery>', DELIVERY, idArgument)
    .action(
      act(async (shell, _: object, id: number) => {
        const { deliveryCommand } = await import('../run/webhooks-delivery.js');
        return deliveryCommand(shell, id);
      }),
    );
  examples(command, 'webhooks delivery 12', 'webhooks delivery 12 --json');
}

function registerRedeliver(webhooks: Command, act: Act): void {
  const command = webhooks
    .command('redeliver')
    .description('send deliveries again, the same bytes under the same webhook-id, and wait for the outcome')
    .argument('<deliveries...>', DELIVERY, idList);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, ids: number[]) => {
      const { redeliverCommand } = await import('../run/webhooks-redeliver.js');
      return redeliverCommand(shell, { ...flags, ids });
    }),
  );
  examples(
    command,
    'webhooks redeliver 12',
    'webhooks redeliver 12 13 --reason "receiver lost a day"',
    "webhooks deliveries 3 --failed --limit 1000 --json | jq '.[].id' | xargs -r esignctl webhooks redeliver",
  );
}

function registerPing(webhooks: Command, act: Act): void {
  const command = webhooks
    .command('ping')
    .description('ask a receiver whether it is there, once, also while the webhook is off')
    .argument('<webhook>', WEBHOOK, idArgument);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, id: number) => {
      const { pingCommand } = await import('../run/webhooks-ping.js');
      return pingCommand(shell, { ...flags, id });
    }),
  );
  examples(command, 'webhooks ping 3', 'webhooks ping 3 --json');
}

function registerSwitch(webhooks: Command, act: Act, verb: 'enable' | 'disable', description: string): void {
  const command = webhooks.command(verb).description(description).argument('<webhook>', WEBHOOK, idArgument);
  changing(command).action(
    act(async (shell, flags: ChangeFlags, id: number) => {
      const { switchCommand } = await import('../run/webhooks-switch.js');
      return switchCommand(shell, { ...flags, id, isActive: verb === 'enable' });
    }),
  );
  examples(command, `webhooks ${verb} 3`, `webhooks ${verb} 3 --reason "agreed by phone"`);
}
