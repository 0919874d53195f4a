/** `esignctl todo` (rules 10, 12). */
import { command } from '../../core/commands.js';
import type { needDocument } from '../../core/needs/need-document.js';
import type { BulkCheck } from '../../core/schedule/bulk-check.js';
import { tellTable, type ListColumn } from '../output/lists.js';
import { inEnglish } from '../run/open.js';
import type { Output } from '../output/output.js';
import { limit } from '../verb/params.js';
import { verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

export const todo = verb('todo', {
  about: 'what needs the office: since when, what happened, and the next command',
  options: { limit: limit('at most this many cases') },
  examples: ['', '--json', '--limit 200'],
  async act(shell, { limit }) {
    const { listNeeds } = await import('../../core/needs/needs.js');
    const { bulkCheck } = await import('../../core/schedule/bulk-check.js');
    const { needDocument } = await import('../../core/needs/need-document.js');
    const { ctx, out } = shell;
    const { needs, isMore } = await listNeeds(inEnglish(ctx), limit);
    const listed = needs.map((need) => needDocument(need, (next) => out.command(next)));
    out.result(listed, () => tellTable(out, COLUMNS, listed));
    if (isMore) out.warn(`${counted(needs.length, 'case')} shown, there are more: --limit shows them`);
    else out.note(needs.length === 0 ? 'no action needed' : counted(needs.length, 'case'));
    out.note(asOf(out, bulkCheck(ctx)));
  },
});

type Listed = ReturnType<typeof needDocument>;

const COLUMNS: readonly ListColumn<Listed>[] = [
  { head: 'SINCE', of: ({ since }, out) => out.time(since) },
  { head: 'REQUEST', of: ({ request }) => request },
  { head: 'CUSTOMER', of: ({ customer }) => customer },
  { head: 'WHAT', isWhole: true, of: ({ what }, out) => out.timesIn(what) },
  { head: 'NEXT', isLink: true, of: ({ next }) => next },
];

/** A signature or payment whose webhook was lost is not in the list: the next bulk check finds it, or nobody does. */
function asOf(out: Output, { lastAt, nextAt }: BulkCheck): string {
  const last =
    lastAt === null ? 'The providers have not been asked yet' : `The providers were last asked at ${lastAt}`;
  const all = (name: 'check-signature' | 'payments check') =>
    `\`${out.command({ ...command(name), options: ['--all'] })}\``;
  const next =
    nextAt === null
      ? `esignd is not asking them now, ${all('check-signature')} and ${all('payments check')} do`
      : `the next time is ${nextAt}`;
  return `${last}; ${next}.`;
}
