/** `esignctl inbox …`: inbound events from the providers (rules 10). */
import type { InboxEvent, RejectedDeliveryRow } from '../../core/inbox/inbox.js';
import { INBOX } from '../../core/resources/inbox.js';
import type { InboxReplay } from '../../core/inbox/replay.js';
import { runBatch } from '../run/batch.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { listCommand } from '../verb/list-command.js';
import { tellFields, tellList, type List } from '../output/lists.js';
import { withData, withSession } from '../run/open.js';
import { idArgument, idList } from '../verb/options.js';
import type { Output } from '../output/output.js';
import type { Verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const ID = 'number that `inbox list` shows';

export function inbox(program: Verb): void {
  const inbox = program
    .command('inbox')
    .description('inbound webhooks: list, show, process again; also those that were turned away')
    .examples('inbox list', 'inbox list --rejected', 'inbox show 7');
  listCommand(
    inbox
      .command('list')
      .description('inbound events, the newest first')
      .option('--rejected', 'calls that were turned away, with the reason'),
    INBOX,
    { instead: (shell, { rejected, limit }) => (rejected ? listRejected(shell, limit) : undefined) },
  ).examples('inbox list --status refused', 'inbox list --rejected --json', 'inbox list --since 3d --csv');
  inbox
    .command('show')
    .description('one inbound event with its body')
    .known('<id>', ID, 'inbox', idArgument)
    .examples('inbox show 7', 'inbox show 7 --json')
    .does(show);
  inbox
    .command('replay')
    .description('process inbound events again; nothing is done twice')
    .known('<ids...>', ID, 'inbox', idList)
    .changes()
    .examples(
      'inbox replay 7',
      'inbox replay 7 8 --reason "database was restored"',
      'inbox replay 7 --dry-run',
    )
    .does(replay);
}

/** For people what became of it, as in the time line; for programs the stored word. */
function outcomeOf({ outcome }: Pick<InboxReplay, 'outcome'>, out: Output) {
  return outcome && out.words(`inbox.outcome.${outcome}`, outcome);
}

function reasonOf({ reason }: Pick<RejectedDeliveryRow, 'reason'>, out: Output) {
  return out.words(`inbox.rejected.${reason}`, reason);
}

const REJECTED_SHOWN = 50;

const REJECTED: List<Omit<RejectedDeliveryRow, 'id'>> = {
  noun: ['call', 'calls'],
  columns: [
    { head: 'AT', of: ({ at }, out) => out.time(at) },
    { head: 'FOR', of: ({ source }) => source },
    { head: 'REASON', isWide: true, of: reasonOf },
    { head: 'BYTES', align: 'right', spare: 0, of: ({ size }) => size },
    { head: 'ADDRESS', of: ({ address }) => address },
    { head: 'CLAIMS TO BE ABOUT', isWide: true, of: ({ claimedId }) => claimedId },
  ],
};

/** Rejected calls, of which the newest thousand are kept. */
async function listRejected(shell: Shell, limit = REJECTED_SHOWN): Promise<void> {
  const { newestRejected, rejectedOfAllTime } = await import('../../core/inbox/inbox.js');
  return withData(shell, (data) => {
    const rows = newestRejected(data, limit).map(({ at, source, reason, size, address, claimedId }) => {
      return { at, source, reason, size, address, claimedId };
    });
    tellList(shell.out, REJECTED, { rows });
    shell.out.note(`${rejectedOfAllTime(data)} rejected since the installation; the newest 1,000 are kept`);
  });
}

async function show(shell: Shell, _: object, id: number): Promise<void> {
  const { getInboxEvent } = await import('../../core/inbox/inbox.js');
  return withData(shell, (data) => {
    const { event, requestId = null } = getInboxEvent(data, id);
    const { body: bytes, ...fields } = event;
    const document = { ...fields, requestId, body: bytes?.toString('utf8') ?? null };
    const told = { ...document, outcome: outcomeOf(event, shell.out) };
    shell.out.result(document, () => tellFields(shell.out, Object.entries(told)));
  });
}

async function replay(shell: Shell, _: object, ids: number[]): Promise<ExitCode> {
  const { getInboxEvent } = await import('../../core/inbox/inbox.js');
  const { mustBeReplayable, replayInbox } = await import('../../core/inbox/replay.js');
  return withSession(shell, ({ ctx, by }) =>
    runBatch<InboxEvent, InboxReplay>(shell, ids, {
      does: 'process',
      did: 'replayed',
      doing: 'processing',
      find: (id) => mustBeReplayable(getInboxEvent(ctx, id).event),
      named: ({ eventName }) => eventName,
      untried: (id, event, why) => {
        const { state = null, outcome = null } = event ?? {};
        return { id, state, outcome, error: shell.out.advice(why) };
      },
      run: (onResult) => replayInbox(ctx, ids, { ...by, signal: shell.signal, onResult }),
      isDone: ({ error }) => error === null,
      line: ({ id, state, outcome, error }) => {
        if (error !== null) return `failed ${id}: ${error}`;
        return state === 'received'
          ? `accepted ${id}: the daemon will process it`
          : `replayed ${id}: ${outcomeOf({ outcome }, shell.out)}`;
      },
      soFar: (done) => `${done} of ${counted(ids.length, 'event')} processed`,
    }),
  );
}
