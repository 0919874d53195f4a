/** Runs `esignctl explain`. */
import { explain, type Explanation } from '../../core/explain/explain.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import type { Column } from '../table.js';

const COLUMNS: readonly Column[] = [{ head: 'TIME' }, { head: 'WHO' }, { head: 'WHAT', isWhole: true }];

export function explainCommand(
  shell: Shell,
  { key, offline = false }: { key: string; offline?: boolean },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx }) => {
    const story = await withProgress(shell, 'asking the providers', () => explain(ctx, key, { offline }));
    shell.out.result(story, () => tell(shell, story));
    return EXIT.done;
  });
}

/** Who and what it is about, what happened, and at the end what to do. */
function tell({ out }: Shell, { subject, timeline, findings, verdict, next }: Explanation): void {
  const { reference, title, status, customer, contractId, signId, others } = subject;
  out.line(`${reference} (request ${subject.id}): ${title}`);
  const contract = contractId === null ? 'no contract' : `contract ${contractId}`;
  out.line(`${status}, customer ${customer}, ${contract}${signId ? `, signId ${signId}` : ''}`);
  for (const other of others) out.line(`also of this customer: ${other.reference}, ${other.status}`);
  out.line('');
  out.table(
    COLUMNS,
    timeline.map(({ at, actor, message, note }) => [
      out.time(at),
      actor ?? '',
      note === null ? message : `${message}: ${note}`,
    ]),
  );
  out.line('');
  out.line(`Verdict: ${verdict}`);
  for (const { message, next: command } of findings.slice(1)) {
    out.line(`Also: ${message}${command === null ? '' : ` (${command})`}`);
  }
  out.line(next === null ? 'Next: nothing' : `Next: ${next}`);
}
