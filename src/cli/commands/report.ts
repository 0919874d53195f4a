/** `esignctl report` (rules 15). */
import { InvalidArgumentError } from 'commander';
import { isMonth } from '../../core/calls/asked-time.js';
import type { Block, Figure } from '../../core/report/report.js';
import { tellTable, type ListColumn } from '../output/lists.js';
import { CSV, noCsvAndJson } from '../verb/list-command.js';
import { param, times } from '../verb/params.js';
import { UsageError } from '../verb/usage-error.js';
import { verb } from '../verb/verb.js';

const ABOUT = `
sent, signed: contracts sent or signed in that time. paid: requests completed
in it. open: signed in it, and not paid yet. overdue: of these, those unpaid
for longer than the reminders, without money that is on its way or waits for a
decision. --csv prints the rows behind these figures.`;

export const report = verb('report', {
  about:
    'what was sent, signed and paid in a month, and what of it is unpaid or overdue: how many, and how much',
  options: {
    month: param('of this month, such as 2026-10; by default this one', asMonth, {
      word: 'month',
      group: 'on',
    }),
    ...times('what happened'),
    csv: CSV,
  },
  text: ABOUT,
  examples: [
    '',
    '--month 2026-10',
    '--since 2026-01-01 --until 2027-01-01 --json',
    '--month 2026-10 --csv > october.csv',
  ],
  check(shell, { month, since, until, csv }) {
    noCsvAndJson(shell, { csv });
    if ((since === undefined) !== (until === undefined))
      throw new UsageError('Give both --since and --until.');
    if (month !== undefined && since !== undefined)
      throw new UsageError('Give --month, or --since and --until.');
  },
  async read(shell, { month, since, until, csv: isCsv }) {
    const core = await import('../../core/report/report.js');
    const { out, config, db, clock } = shell;
    const data = { config, db, clock };
    const asked =
      since && until
        ? { from: since(data), until: until(data) }
        : core.monthSpan(data, month ?? core.thisMonth(data));
    if (isCsv) {
      const { REPORTED } = await import('../../core/resources/report.js');
      const { tellRows } = await import('../output/rows.js');
      return tellRows(out, REPORTED, core.reportRows(data, asked), { config, isCsv });
    }
    const found = core.readReport(data, asked);
    const { from, until: end, blocks } = found;
    return out.result(core.reportDocument(found), () => {
      tellTable(
        out,
        COLUMNS,
        blocks.flatMap((block) => core.FIGURES.map((figure) => ({ figure, block }))),
      );
      out.note(`from ${out.time(from)} to ${out.time(end)}`);
    });
  },
});

const COLUMNS: readonly ListColumn<{ figure: Figure; block: Block }>[] = [
  { head: 'FIGURE', of: ({ figure }) => figure },
  { head: 'COUNT', align: 'right', of: ({ figure, block }) => String(block[figure].count) },
  {
    head: 'AMOUNT',
    align: 'right',
    of: ({ figure, block }, out) => out.money(block[figure].amount, block.currency),
  },
];

function asMonth(text: string): string {
  if (!isMonth(text)) throw new InvalidArgumentError('Give a month, such as 2026-10.');
  return text;
}
