/** `esignctl todo` (rules 10, 12). */
import type { needDocument } from '../../core/needs/need-document.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { tellTable, type ListColumn } from '../lists.js';
import { withSession } from '../open.js';
import type { Verb } from '../verb.js';
import { counted } from '../words.js';

export function todo(program: Verb): void {
  program
    .command('todo')
    .description('what needs the office: since when, what happened, and the command that settles it')
    .limit('at most this many cases')
    .examples('todo', 'todo --json', 'todo --limit 200')
    .does(list);
}

type Listed = ReturnType<typeof needDocument>;

const COLUMNS: readonly ListColumn<Listed>[] = [
  { head: 'SINCE', isFirm: true, of: ({ since }, out) => out.time(since) },
  { head: 'REQUEST', isFirm: true, of: ({ request }) => request },
  { head: 'CUSTOMER', of: ({ customer }) => customer },
  { head: 'WHAT', isWhole: true, of: ({ what }, out) => out.timesIn(what) },
  { head: 'NEXT', isWhole: true, of: ({ next }) => next },
];

async function list(shell: Shell, { limit }: { limit: number }): Promise<ExitCode> {
  const { listNeeds } = await import('../../core/needs/needs.js');
  const { needDocument } = await import('../../core/needs/need-document.js');
  const { out } = shell;
  return withSession(shell, async ({ ctx }) => {
    const { needs, isMore } = await listNeeds(ctx, limit);
    const listed = needs.map((need) => needDocument(need, (next) => out.command(next)));
    out.result(listed, () => tellTable(out, COLUMNS, listed));
    if (isMore) out.warn(`${counted(needs.length, 'case')} shown, there are more: --limit shows them`);
    else out.note(needs.length === 0 ? 'nothing needs the office' : counted(needs.length, 'case'));
    return EXIT.done;
  });
}
