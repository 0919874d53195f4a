/** `esignctl webhooks …`: outbound webhooks and what was sent to them (rules 10). */
import { command } from '../../core/commands.js';
import { DELIVERIES } from '../../core/resources/deliveries.js';
import { WEBHOOKS } from '../../core/resources/webhooks.js';
import type { Redelivery } from '../../core/webhooks/deliveries.js';
import { confirm } from '../run/ask.js';
import { runBatch } from '../run/batch.js';
import { EXIT } from '../exit-codes.js';
import { listCommand } from '../verb/list-command.js';
import { tellFields, type Field } from '../output/lists.js';
import { asId, asText, flag, optional, param, several, since } from '../verb/params.js';
import type { Output } from '../output/output.js';
import { withProgress } from '../output/progress.js';
import { UsageError } from '../verb/usage-error.js';
import { group, verb } from '../verb/verb.js';
import { counted, turned, type Noun } from '../output/words.js';

const WEBHOOK = param('number that `webhooks list` shows', asId, { offers: 'webhooks' });
const DELIVERY = param('number that `webhooks deliveries` shows', asId, { offers: 'deliveries' });

const list = listCommand('webhooks list', WEBHOOKS, {
  about: 'webhooks of all users, the oldest first',
  examples: ['--active false', '--owner anna@example.org --json'],
});

const deliveries = listCommand('webhooks deliveries', DELIVERIES, {
  about: 'what was sent, the newest first: to one webhook, or to all',
  args: { webhook: optional({ ...WEBHOOK, parse: asText }) },
  options: { failed: flag('only what never arrived: the same as --status failed', { group: 'on' }) },
  examples: ['3 --failed', '--request REQ-2026-000123 --json'],
  more: ({ failed }) => (failed ? { status: ['failed'] } : {}),
});

const delivery = verb('webhooks delivery', {
  about: 'one delivery: the bytes that are sent, and what came back on each attempt',
  args: { delivery: DELIVERY },
  examples: ['12', '12 --json'],
  async read(shell, { delivery: id }) {
    const { getDelivery } = await import('../../core/webhooks/deliveries.js');
    const { wholeDelivery } = await import('../output/documents.js');
    const cut = (answer: string) => (answer.length > SHOWN_MAX ? `${answer.slice(0, SHOWN_MAX)}…` : answer);
    const { out } = shell;
    const { attempts, ...plain } = wholeDelivery(getDelivery(shell, id));
    const tries = attempts.map(({ at, ms, outcome, answer }, i): Field => {
      return [`attempt ${i + 1}`, `${out.time(at)} ${outcome} after ${ms} ms ${cut(answer ?? '')}`.trim()];
    });
    out.result({ ...plain, attempts }, () => tellFields(out, [...Object.entries(plain), ...tries]));
  },
});

const redeliver = verb('webhooks redeliver', {
  about: 'send deliveries again, the same bytes under the same webhook-id, and wait for the outcome',
  args: { deliveries: optional(several(DELIVERY)) },
  options: {
    failed: flag('everything that never arrived, the oldest first', { group: 'on' }),
    webhook: param('with --failed: only to this webhook', asId, {
      word: 'id',
      group: 'on',
      offers: 'webhooks',
    }),
    since: since('with --failed: only deliveries made'),
  },
  changes: true,
  examples: ['12', '12 13 --reason "receiver lost a day"', '--failed --webhook 3 --since 12h'],
  check(_, { deliveries, failed, webhook, since }) {
    if (failed && deliveries.length > 0) throw new UsageError('Give deliveries or --failed, not both.');
    if (failed) return;
    if (deliveries.length === 0)
      throw new UsageError('Which deliveries? None was given.', 'Give their numbers, or --failed.');
    if (webhook !== undefined || since !== undefined)
      throw new UsageError('--webhook and --since work only with --failed.');
  },
  async act(shell, { deliveries, failed, webhook: webhookId, since }) {
    const { countWaitingDeliveries, failedDeliveryIds, redelivery } =
      await import('../../core/webhooks/deliveries.js');
    const { ctx, by } = shell;
    const asked = { webhookId, since: since?.(ctx) };
    const ids = failed ? failedDeliveryIds(ctx, asked) : deliveries;
    const waiting = failed ? countWaitingDeliveries(ctx, asked) : 0;
    if (waiting > 0) {
      const sooner = { ...command('jobs push'), options: ['--kind', 'deliver-webhook'] };
      shell.out.note(
        `${counted(waiting, WAITING)} for the next attempt; at once: ${shell.out.command(sooner)}`,
      );
    }
    if (failed && ids.length > 0) await confirm(shell, `Send ${counted(ids.length, FAILED)} again?`);
    return runBatch(shell, ids, {
      ...redelivery(ctx, { ...by, signal: shell.signal }),
      does: 'send',
      named: ({ delivery, webhook }) => `${delivery.event} to ${webhook.url}`,
      isDone: ({ state }) => state === 'delivered',
      isWaiting: ({ state }) => state === 'pending',
      line: (result) => lineOf(shell.out, result),
    });
  },
});

const ping = verb('webhooks ping', {
  about: 'send a test message to the receiver, even while the webhook is off',
  args: { webhook: WEBHOOK },
  changes: true,
  examples: ['3', '3 --json'],
  async act(shell, { webhook: id }) {
    const { getWebhook } = await import('../../core/webhooks/webhooks.js');
    const { pingAndWait } = await import('../../core/webhooks/deliveries.js');
    const { wholeDelivery } = await import('../output/documents.js');
    const { ctx, by, out, signal, dryRun, interruption } = shell;
    const { url } = getWebhook(ctx, id);
    if (dryRun) return out.result({ webhookId: id, url }, () => out.link(`would ping webhook ${id} at`, url));
    interruption.say(() => 'the ping may have been sent; its answer was not waited for');
    const view = await withProgress(shell, 'waiting for the answer', () =>
      pingAndWait(ctx, id, { ...by, signal }),
    );
    interruption.say(() => '');
    const isDelivered = view.delivery.state === 'delivered';
    const { outcome, status, ms } = view.attempts.at(-1) ?? {
      outcome: 'not tried yet',
      status: null,
      ms: 0,
    };
    out.result(wholeDelivery(view), () => {
      if (isDelivered) out.link(`webhook ${id} answered ${status} after ${ms} ms:`, url);
      else out.link(`webhook ${id} did not accept the ping: ${outcome}:`, url);
    });
    return isDelivered ? EXIT.done : EXIT.failed;
  },
});

const toggle = (name: 'enable' | 'disable', about: string) =>
  verb(`webhooks ${name}`, {
    about,
    args: { webhook: WEBHOOK },
    changes: true,
    examples: ['3', '3 --reason "agreed by phone"'],
    async act(shell, { webhook: id }) {
      const isActive = name === 'enable';
      const { getWebhook } = await import('../../core/webhooks/webhooks.js');
      const { switchWebhook } = await import('../../core/webhooks/webhooks.js');
      const { webhookDocument } = await import('../output/documents.js');
      const { ctx, by, out, dryRun } = shell;
      const before = getWebhook(ctx, id);
      const isNew = (before.active === 1) !== isActive;
      const webhook = dryRun ? before : await switchWebhook(ctx, id, isActive, by);
      const said = turned(`webhook ${id}`, { isEnabled: isActive, isNew, dryRun });
      out.result(webhookDocument(webhook), () => (isNew ? out.link(said, webhook.url) : out.line(said)));
      if (!dryRun && isNew && isActive) {
        const next = { ...command('webhooks redeliver'), options: ['--failed', '--webhook', String(id)] };
        out.note(`what never arrived: ${out.command(next)}`);
      }
    },
  });

export const webhooks = group(
  'webhooks',
  {
    about: 'outbound webhooks: who is notified, what was sent; send it again',
    examples: ['list', 'deliveries 3 --failed', 'redeliver 12', 'ping 3'],
  },
  [
    list,
    deliveries,
    delivery,
    redeliver,
    ping,
    toggle('enable', 'switch a webhook on again and forget its failures'),
    toggle('disable', 'switch a webhook off: nothing more is sent to it'),
  ],
);

/** The most shown of an answer; --json has everything kept. */
const SHOWN_MAX = 200;

const WAITING: Noun = ['delivery waits', 'deliveries wait'];

const FAILED: Noun = ['failed delivery', 'failed deliveries'];

function lineOf(out: Output, { id, state, outcome: advice, nextTryAt }: Redelivery): string {
  const outcome = out.advice(advice);
  switch (state) {
    case 'delivered':
      return `delivered ${id}`;
    case 'pending': {
      const next = nextTryAt === null ? '' : `; next attempt ${out.time(nextTryAt)}`;
      return outcome === null ? `not tried yet ${id}${next}` : `failed ${id}: ${outcome}${next}`;
    }
    case 'failed':
    case null:
      return `failed ${id}: ${outcome}`;
  }
}
