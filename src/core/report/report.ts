/** What was sent, signed and paid in a time, what of it is still open, and what of that is overdue: in count and money (rules 15). */
import {
  FIGURES,
  listReported,
  sumReported,
  type Figure,
  type ReportedRow,
  type ReportSpan,
} from '../../db/contracts/report.js';
import type { TimeRange } from '../calls/listing.js';
import { iso } from '../clock.js';
import type { Data } from '../installation/data.js';
import { overdueSince } from '../requests/too-long.js';
import { customerNames } from '../requests/requests.js';
import { plusDays, startOfDay, wallClock } from '../zone.js';

export { FIGURES, type Figure };

interface Counted {
  count: number;
  /** In minor units. */
  amount: number;
}

/** In one currency. */
export type Block = { currency: string } & Record<Figure, Counted>;

export interface Report {
  from: string;
  until: string;
  /** That of the settings first. */
  blocks: [Block, ...Block[]];
}

export interface ReportRow extends ReportedRow {
  figure: Figure;
  customer: string;
}

type Asked = { [P in keyof TimeRange]: string };

export function readReport(data: Data, asked: Asked): Report {
  const span = spanOf(data, asked);
  const { currency: ours } = data.config;
  const blocks = new Map<string, Block>();
  for (const figure of FIGURES)
    for (const { currency, count, amount } of sumReported(data.db, figure, span)) {
      const block = blocks.get(currency) ?? emptyBlock(currency);
      blocks.set(currency, { ...block, [figure]: { count, amount } });
    }
  const own = blocks.get(ours) ?? emptyBlock(ours);
  return { ...asked, blocks: [own, ...[...blocks.values()].filter(({ currency }) => currency !== ours)] };
}

/** For programs: the first block, and the others. */
export function reportDocument({ from, until, blocks: [first, ...others] }: Report) {
  return { from, until, ...first, others };
}

function emptyBlock(currency: string): Block {
  const none = { count: 0, amount: 0 };
  return { currency, sent: none, signed: none, paid: none, open: none, overdue: none };
}

/** What was counted, by figure and time. */
export function reportRows(
  data: Data,
  asked: Asked,
  {
    figures = FIGURES,
    limit = Number.MAX_SAFE_INTEGER,
  }: { figures?: readonly Figure[]; limit?: number } = {},
): ReportRow[] {
  const span = spanOf(data, asked);
  return figures.flatMap((figure) => {
    const rows = listReported(data.db, figure, span, limit);
    const names = customerNames(data.db, rows);
    return rows.map((row) => ({ ...row, figure, customer: names(row) }));
  });
}

function spanOf({ config, clock }: Data, asked: Asked): ReportSpan {
  return { ...asked, overdueSince: overdueSince(config, clock.now()) };
}

/** `2026-10`, from its first moment to that of the next, in ESIGN_TIMEZONE. */
export function monthSpan({ config: { timeZone } }: Pick<Data, 'config'>, month: string): Asked {
  const startOf = (each: string) => iso(startOfDay(timeZone, `${each}-01`));
  return { from: startOf(month), until: startOf(nextMonth(month)) };
}

export function thisMonth({ config: { timeZone }, clock }: Data): string {
  return wallClock(timeZone, clock.now()).day.slice(0, 7);
}

/** The newest first, this one included. */
export function lastMonths(data: Data, count: number): string[] {
  const months = [thisMonth(data)];
  while (months.length < count) months.push(plusDays(`${months.at(-1)}-01`, -1).slice(0, 7));
  return months;
}

/** No month has more than 31 days, and none less than 28. */
function nextMonth(month: string): string {
  return plusDays(`${month}-01`, 31).slice(0, 7);
}
