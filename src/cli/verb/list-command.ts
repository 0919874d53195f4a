/** A list command, made from a declared noun: its filters and orders as options, a table, `--json` and `--csv`. */
import type { AskedTime } from '../../core/calls/asked-time.js';
import { cursorOf, type Place } from '../../core/calls/listing.js';
import type { Data } from '../../core/installation/data.js';
import {
  orderOf,
  orderWords,
  type Filter,
  type Filters,
  type RefTo,
  type Resource,
  type Values,
} from '../../core/resources/resource.js';
import type { Shell } from '../io.js';
import { inEnglish, withData } from '../run/open.js';
import {
  asCount,
  asText,
  choice,
  choices,
  CURSOR,
  flag,
  param,
  REQUEST,
  times,
  type Given,
  type Param,
  type Params,
} from './params.js';
import { UsageError } from './usage-error.js';
import { verb, type CommandRecord, type DeclaredCommand } from './verb.js';
import { counted } from '../output/words.js';

export const LIMIT = 50;

/** How many; with `--csv` all. */
export const AT_MOST = param(`at most this many; by default ${LIMIT}, with --csv all`, asCount, {
  word: 'count',
  group: 'output',
});

export const CSV = flag('print all that is found as a file for spreadsheets', { group: 'output' });

/** What the command is given: its filters under their names, the rest under these. */
export interface Asked extends Record<string, unknown> {
  order?: string | undefined;
  cursor?: Place | undefined;
  limit?: number | undefined;
  csv?: boolean;
  since?: AskedTime | undefined;
  until?: AskedTime | undefined;
}

interface Own<A extends Params, O extends Params> extends Omit<
  CommandRecord<A, O>,
  'changes' | 'check' | 'run' | 'read' | 'act'
> {
  /** What is shown in place of the list. */
  instead?: (shell: Shell, asked: Given<A, O> & Asked) => Promise<void> | undefined;
  /** What its own arguments and options ask for, in the filters’ words. */
  more?: (asked: Given<A, O>) => Asked;
}

/** The command's own arguments and options come before the filters. */
export function listCommand<
  Row,
  F extends Filters,
  By extends string,
  A extends Params = {},
  O extends Params = {},
>(
  path: string,
  resource: Resource<Row, F, By>,
  { instead, more, options, ...own }: Own<A, O>,
): DeclaredCommand {
  return verb<A, Params>(path, {
    ...own,
    options: {
      ...options,
      ...filterOptions(resource),
      order: choice('by what, and in which direction', orderWords(resource), { group: 'output' }),
      cursor: CURSOR,
      limit: AT_MOST,
      csv: CSV,
    },
    run: (shell, given) => {
      const asked = given as Given<A, O> & Asked;
      noCsvAndJson(shell, asked);
      return instead?.(shell, asked) ?? list(shell, resource, { ...asked, ...more?.(asked) });
    },
  });
}

/** How what it refers to is named, and what completion offers. */
const NAMED: Record<RefTo, Param> = {
  users: param('e-mail address or number', asText, { offers: 'users' }),
  requests: REQUEST,
  webhooks: param('number that `webhooks list` shows', asText, { offers: 'webhooks' }),
  equipments: param('its number', asText),
  things: param(
    'number or reference of a request, contract:<id>, signId, paymentId, an e-mail address, words from a request, user:<id>, webhook:<id> or equipment:<id>',
    asText,
    { offers: 'requests' },
  ),
};

export function filterOptions({ filters }: { filters: Filters }): Params {
  const options = Object.entries(filters).map(([name, filter]) =>
    filter.kind === 'span' ? times(`only those ${filter.about}`) : { [name]: filterOption(filter) },
  );
  return Object.assign({}, ...options) as Params;
}

function filterOption({ kind, about, words = [], others, collection, known }: Filter<unknown>): Param {
  const group = 'on';
  const only = `only those ${about}`;
  if (kind === 'choice') return choices(only, words, { others, group });
  if (kind === 'flag') return choice(only, ['true', 'false'], { word: 'flag', group });
  if (known) return param(only, asText, { offers: known, group });
  if (!collection) return param(only, asText, { word: 'text', group });
  return { ...NAMED[collection], about: `${only}: ${NAMED[collection].about}`, group };
}

async function list<Row, F extends Filters, By extends string>(
  shell: Shell,
  resource: Resource<Row, F, By>,
  asked: Asked,
): Promise<void> {
  const { every, placeOf, sumsOfAll, sumsOfRows } = await import('../../core/resources/show.js');
  const { tellRows } = await import('../output/rows.js');
  const { sumWords } = await import('../../core/payment/price.js');
  const reads = await resource.load();
  return withData(shell, async (data) => {
    const { out } = shell;
    const { csv: isCsv = false, cursor: past, limit = LIMIT } = asked;
    const wanted = {
      filter: await valuesOf(shell, data, resource, asked),
      order: orderOf(resource, asked.order),
      ownerId: null,
    };
    const look = { config: data.config, isCsv };
    if (isCsv && asked.limit === undefined)
      return tellRows(out, resource, every(resource, reads, data, { ...wanted, past }), look);
    const found = reads.walk(isCsv ? data : inEnglish(data), { ...wanted, past, limit: limit + 1 });
    const rows = found.slice(0, limit);
    tellRows(out, resource, rows, look);
    const last = rows.at(-1);
    const isMore = found.length > limit;
    const all =
      isMore && resource.isCounted ? reads.page?.(data, { ...wanted, limit: 0, offset: 0 }) : undefined;
    const sums = all ? sumsOfAll(all) : sumsOfRows(resource, rows);
    const inMoney = sums.length === 0 ? '' : `, ${sumWords('en', sums)}`;
    const shown =
      all === undefined
        ? `${counted(rows.length, resource.noun)} shown, there are more`
        : `${rows.length} of ${counted(all.total, resource.noun)} shown${inMoney && `${inMoney} in all`}`;
    if (isMore && last)
      out.warn(
        `${shown}: --cursor ${cursorOf(placeOf(resource, wanted.order, last))} goes on, --limit shows more`,
      );
    else if (!isCsv) out.note(`${counted(rows.length, resource.noun)}${inMoney}`);
  });
}

export function noCsvAndJson({ out }: Shell, { csv }: Pick<Asked, 'csv'>): void {
  if (csv && out.isJson) throw new UsageError('Give --csv or --json, not both.');
}

/** What is asked for under a name, as the noun's queries take it. */
export async function valuesOf<F extends Filters>(
  shell: Shell,
  data: Data,
  { filters }: { filters: F },
  asked: Asked,
): Promise<Values<F>> {
  const values: Record<string, unknown> = {};
  for (const [name, filter] of Object.entries(filters))
    values[name] = await valueOf(shell, data, filter, name, asked);
  return values as Values<F>;
}

async function valueOf(
  shell: Shell,
  data: Data,
  { kind, collection }: Filter<unknown>,
  name: string,
  asked: Asked,
) {
  if (kind === 'span') return { from: asked.since?.(data) ?? null, until: asked.until?.(data) ?? null };
  const given = asked[name];
  if (given === undefined) return null;
  if (kind === 'flag') return given === 'true';
  if (kind === 'text') return [given];
  if (collection === undefined || typeof given !== 'string') return given;
  if (collection === 'requests') {
    const { findRequest } = await import('../run/request.js');
    return [(await findRequest(shell, data, given)).id];
  }
  const { named } = await import('../../core/resources/named.js');
  return named(data, collection, given);
}
