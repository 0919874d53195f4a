/** Runs `esignctl failed replay` for somebody who named nothing: each failed job is shown, and a person decides. */
import {
  getFailedJob,
  listFailed,
  removeFailed,
  replayFailed,
  type FailedFilter,
} from '../../core/jobs/failed.js';
import { choose } from '../ask.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withSession, type Session } from '../session.js';
import { lineOf } from './failed-replay.js';
import { counted } from './words.js';

const CHOICES = [
  { value: 'replay', name: 'replay: run it once more' },
  { value: 'skip', name: 'skip: leave it in the list' },
  { value: 'remove', name: 'remove: take it off for good' },
  { value: 'stop', name: 'stop here' },
] as const;

type Choice = (typeof CHOICES)[number]['value'];

interface Wish {
  filter: FailedFilter;
  reason: string | undefined;
}

/** The oldest first, as they would have run. Each decision is carried out at once, so stopping loses none. */
export function chooseCommand(shell: Shell, { filter, reason }: Wish): Promise<ExitCode> {
  return withSession(shell, async (session) => {
    const { out } = shell;
    const { total } = listFailed(session.ctx, filter, 1);
    if (total === 0) out.note('0 failed jobs');
    const ids = listFailed(session.ctx, filter, total)
      .jobs.map(({ id }) => id)
      .toReversed();
    let failures = 0;
    for (const [i, id] of ids.entries()) {
      const { kind, attempt, lastError, finishedAt } = getFailedJob(session.ctx, id);
      out.note(
        `${i + 1} of ${total}: ${id} ${kind}, ${counted(attempt, 'try', 'tries')}, ${out.time(finishedAt)}: ${lastError}`,
      );
      const choice = await choose<Choice>(shell, `Job ${id}?`, CHOICES);
      if (choice === 'stop') break;
      if (!(await carryOut(shell, session, { id, kind, choice, reason }))) failures += 1;
    }
    return failures > 0 ? EXIT.failed : EXIT.done;
  });
}

interface Decision {
  id: number;
  kind: string;
  choice: Choice;
  reason: string | undefined;
}

/** False: it was tried and has failed again. */
async function carryOut(
  { out, signal }: Shell,
  { ctx, actor }: Session,
  { id, kind, choice, reason }: Decision,
): Promise<boolean> {
  const who = { actor, ...(reason && { reason }) };
  if (choice === 'remove') {
    await removeFailed(ctx, [id], who);
    out.line(`removed ${id} ${kind}`);
  }
  if (choice !== 'replay') return true;
  const onResult = (result: Parameters<typeof lineOf>[0]) => out.line(lineOf(result));
  const { failed } = await replayFailed(ctx, [id], { ...who, signal, onResult });
  return failed === 0;
}
