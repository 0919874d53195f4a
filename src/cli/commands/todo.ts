/** `esignctl todo` (rules 10, 12). */
import { command } from '../../core/commands.js';
import type { BulkCheck } from '../../core/schedule/bulk-check.js';
import { inEnglish } from '../run/open.js';
import type { Output } from '../output/output.js';
import { AT_MOST, CSV, LIMIT, noCsvAndJson } from '../verb/list-command.js';
import { verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

export const todo = verb('todo', {
  about: 'what needs the office: since when, what happened, and the next command',
  options: {
    limit: AT_MOST,
    csv: CSV,
  },
  examples: ['', '--json', '--limit 200', '--csv'],
  check: (shell, { csv }) => noCsvAndJson(shell, { csv }),
  async act(shell, { csv: isCsv, limit = isCsv ? Infinity : LIMIT }) {
    const { listNeeds } = await import('../../core/needs/needs.js');
    const { apart, rowsOf } = await import('../../core/needs/rows.js');
    const { bulkCheck } = await import('../../core/schedule/bulk-check.js');
    const { tellRows } = await import('../output/rows.js');
    const { todoIn } = await import('../../core/resources/todo.js');
    const { ctx, out } = shell;
    const { needs, isMore } = await listNeeds(isCsv ? ctx : inEnglish(ctx), limit);
    const noun = todoIn((advice) => out.advice(advice));
    tellRows(out, noun, isCsv ? apart(needs) : rowsOf(needs), { config: ctx.config, isCsv });
    if (isMore) out.warn(`${counted(needs.length, 'case')} shown, there are more: --limit shows them`);
    else out.note(needs.length === 0 ? 'no action needed' : counted(needs.length, 'case'));
    out.note(asOf(out, bulkCheck(ctx)));
  },
});

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
