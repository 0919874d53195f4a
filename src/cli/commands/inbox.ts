/** `esignctl inbox …`: inbound events from the providers (rules 10). */
import type { Data } from '../../core/installation/data.js';
import { INBOX, REJECTED } from '../../core/resources/inbox.js';
import type { InboxReplay } from '../../core/inbox/replay.js';
import { runBatch } from '../run/batch.js';
import type { Shell } from '../io.js';
import { LIMIT, listCommand } from '../verb/list-command.js';
import { tellFields } from '../output/lists.js';
import { withData } from '../run/open.js';
import { asId, flag, param, several } from '../verb/params.js';
import type { Output } from '../output/output.js';
import { UsageError } from '../verb/usage-error.js';
import { group, verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const EVENT = param('number that `inbox list` shows', asId, { offers: 'inbox' });

const list = listCommand('inbox list', INBOX, {
  about: 'inbound events, the newest first',
  options: { rejected: flag('the calls that were rejected, with the reason', { group: 'on' }) },
  examples: ['--status refused', '--rejected --json', '--since 3d --csv'],
  instead(shell, { rejected, csv = false, limit, ...others }) {
    if (!rejected) return undefined;
    if (Object.values(others).some((each) => each !== undefined))
      throw new UsageError('With --rejected, give at most --limit and --csv: these calls have no filters.');
    return withData(shell, (data) => listRejected(shell, data, csv, limit));
  },
});

const show = verb('inbox show', {
  about: 'one inbound event with its body',
  args: { id: EVENT },
  examples: ['7', '7 --json'],
  async read(shell, { id }) {
    const { getInboxEvent } = await import('../../core/inbox/inbox.js');
    const { event, requestId = null } = getInboxEvent(shell, id);
    const { body: bytes, ...fields } = event;
    const document = { ...fields, requestId, body: bytes?.toString('utf8') ?? null };
    const told = { ...document, outcome: outcomeOf(event, shell.out) };
    shell.out.result(document, () => tellFields(shell.out, Object.entries(told)));
  },
});

const replay = verb('inbox replay', {
  about: 'process inbound events again; nothing is done twice',
  args: { ids: several(EVENT) },
  changes: true,
  examples: ['7', '7 8 --reason "database was restored"', '7 --dry-run'],
  async act(shell, { ids }) {
    const { inboxReplay } = await import('../../core/inbox/replay.js');
    const { ctx, by } = shell;
    return runBatch(shell, ids, {
      ...inboxReplay(ctx, by),
      does: 'process',
      named: ({ eventName }) => eventName,
      isDone: ({ error }) => error === null,
      line: ({ id, outcome, error }) =>
        error === null
          ? `replayed ${id}: ${outcomeOf({ outcome }, shell.out)}`
          : `failed ${id}: ${shell.out.advice(error)}`,
    });
  },
});

export const inbox = group(
  'inbox',
  {
    about: 'inbound events: list, show, process again; also the calls that were rejected',
    examples: ['list', 'list --rejected', 'show 7'],
  },
  [list, show, replay],
);

/** For people what became of it, as in the time line; for programs the stored word. */
function outcomeOf({ outcome }: Pick<InboxReplay, 'outcome'>, out: Output) {
  return outcome && out.words(`inbox.outcome.${outcome}`, outcome);
}

async function listRejected({ out }: Shell, data: Data, isCsv: boolean, limit?: number): Promise<void> {
  const { newestRejected, rejectedOfAllTime } = await import('../../core/inbox/inbox.js');
  const { REJECTIONS_KEPT } = await import('../../core/inbox/rejections.js');
  const { tellRows } = await import('../output/rows.js');
  const rows = newestRejected(data, limit ?? (isCsv ? REJECTIONS_KEPT : LIMIT));
  tellRows(out, REJECTED, rows, { config: data.config, isCsv });
  if (isCsv) return;
  out.note(counted(rows.length, 'call'));
  out.note(
    `${rejectedOfAllTime(data)} rejected since the installation; the newest ${REJECTIONS_KEPT.toLocaleString('en')} are kept`,
  );
}
