/** A list command, made from a declared noun: its filters and orders as options, a table, `--json` and `--csv`. */
import { Option } from 'commander';
import type { AskedTime } from '../../core/calls/asked-time.js';
import { cursorOf, type Place } from '../../core/calls/cursor.js';
import type { Data } from '../../core/installation/data.js';
import type { IdSource } from '../../core/installation/known-ids.js';
import { orderOf, orderWords } from '../../core/resources/order.js';
import type {
  Field,
  Filter,
  Filters,
  RefTo,
  Resource,
  Value,
  Values,
} from '../../core/resources/resource.js';
import type { Shell } from '../io.js';
import { tellTable, type ListColumn } from '../output/lists.js';
import { inEnglish, withData } from '../run/open.js';
import { choicesOption, limitOption, REQUEST, requestArgument, textOption } from './options.js';
import type { Output } from '../output/output.js';
import { UsageError } from './usage-error.js';
import type { Verb } from './verb.js';
import { counted } from '../output/words.js';

const LIMIT = 50;

type Flags = Record<string, AskedTime | Place | string | number | boolean | readonly string[] | undefined> & {
  order?: string;
  cursor?: Place;
  limit?: number;
  csv?: boolean;
  since?: AskedTime | undefined;
  until?: AskedTime | undefined;
};

interface Own {
  instead?: (shell: Shell, flags: Flags) => Promise<void> | undefined;
  more?: (flags: Flags, argument: string | undefined) => Partial<Flags>;
}

/** What the command has of its own: what is shown in place of the list, and what an argument asks for in its filters’ words. */
export function listCommand<Row, F extends Filters, By extends string>(
  command: Verb,
  resource: Resource<Row, F, By>,
  { instead, more }: Own = {},
): Verb {
  for (const [name, filter] of Object.entries(resource.filters)) filterOption(command, name, filter);
  return command
    .addOption(new Option('--order <order>', 'by what, and in which direction').choices(orderWords(resource)))
    .cursor()
    .option('--limit <count>', `at most this many; ${LIMIT}, or with --csv all`, limitOption)
    .option('--csv', 'print a file for spreadsheets with all that is found')
    .does(
      (shell, flags: Flags, argument?: string) =>
        instead?.(shell, flags) ?? list(shell, resource, { ...flags, ...more?.(flags, argument) }),
    );
}

function filterOption(
  command: Verb,
  name: string,
  { kind, about, words = [], others, collection, known }: Filter<unknown>,
): void {
  if (kind === 'span') command.times(about);
  else if (kind === 'choice') command.addOption(choicesOption(name, about, words, others));
  else if (kind === 'flag')
    command.addOption(new Option(`--${name} <flag>`, about).choices(['true', 'false']));
  else if (collection) refOption(command, name, about, collection);
  else if (known) command.knownOption(`--${name} <${name}>`, `only ${about}`, known, textOption);
  else command.option(`--${name} <text>`, about, textOption);
}

/** How it is named, and what completion offers. */
const NAMES: Record<RefTo, readonly [words: string, source: IdSource | undefined]> = {
  users: ['e-mail address or number', 'users'],
  requests: [REQUEST, 'requests'],
  webhooks: ['number that `webhooks list` shows', 'webhooks'],
  equipments: ['its number', undefined],
  things: [
    'what names a request, words, an e-mail address, user:<id>, webhook:<id> or equipment:<id>',
    'requests',
  ],
};

function refOption(command: Verb, name: string, about: string, collection: RefTo): void {
  const [words, source] = NAMES[collection];
  const parse = collection === 'requests' ? requestArgument : textOption;
  const option = [`--${name} <${name}>`, `only those ${about}: ${words}`] as const;
  if (source) command.knownOption(...option, source, parse);
  else command.option(...option, parse);
}

async function list<Row, F extends Filters, By extends string>(
  shell: Shell,
  resource: Resource<Row, F, By>,
  flags: Flags,
): Promise<void> {
  if (flags.csv && shell.out.isJson) throw new UsageError('Give --csv or --json, not both.');
  const { csvLines, documentOf, every, placeOf, plain, shownFields, wordsOf } =
    await import('../../core/resources/show.js');
  const { sayIn } = await import('../../core/texts/index.js');
  const reads = await resource.load();
  return withData(shell, async (data) => {
    const { out } = shell;
    const { csv: isCsv = false, cursor: past, limit = LIMIT } = flags;
    const wanted = {
      filter: await valuesOf(shell, data, resource, flags),
      order: orderOf(resource, flags.order),
      ownerId: null,
    };
    if (isCsv && flags.limit === undefined) {
      for (const line of csvLines(resource, every(resource, reads, data, wanted), data.config))
        out.text(line);
      return;
    }
    const found = reads.walk(isCsv ? data : inEnglish(data), { ...wanted, past, limit: limit + 1 });
    const rows = found.slice(0, limit);
    const say = sayIn('en');
    const { config: reader } = inEnglish(data);
    // Columns that may shrink stand last.
    const columns = shownFields(resource)
      .toSorted(([, a], [, b]) => roomOf(a) - roomOf(b))
      .map(([name, field]) =>
        columnOf(name, field, {
          spare: resource.spare.indexOf(name),
          plain,
          words: (row: Row) => wordsOf(field, row, reader, say),
        }),
      );
    if (isCsv) for (const line of csvLines(resource, rows, data.config)) out.text(line);
    else
      out.result(
        rows.map((row) => documentOf(resource, row, reader)),
        () => tellTable(out, columns, rows),
      );
    const last = rows.at(-1);
    const isMore = found.length > limit;
    const total =
      isMore && resource.isCounted ? reads.page?.(data, { ...wanted, limit: 0, offset: 0 }).total : undefined;
    const shown =
      total === undefined
        ? `${counted(rows.length, resource.noun)} shown, there are more`
        : `${rows.length} of ${counted(total, resource.noun)} shown`;
    if (isMore && last)
      out.warn(
        `${shown}: --cursor ${cursorOf(placeOf(resource, wanted.order, last))} goes on, --limit shows more`,
      );
    else if (!isCsv) out.note(counted(rows.length, resource.noun));
  });
}

/** What is asked for under a name, as the noun's queries take it. */
async function valuesOf<F extends Filters>(
  shell: Shell,
  data: Data,
  { filters }: { filters: F },
  flags: Flags,
): Promise<Values<F>> {
  const values: Record<string, unknown> = {};
  for (const [name, filter] of Object.entries(filters))
    values[name] = await valueOf(shell, data, filter, name, flags);
  return values as Values<F>;
}

async function valueOf(
  shell: Shell,
  data: Data,
  { kind, collection }: Filter<unknown>,
  name: string,
  flags: Flags,
) {
  if (kind === 'span') return { from: flags.since?.(data) ?? null, until: flags.until?.(data) ?? null };
  const given = flags[name];
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

function roomOf<Row>({ kind, isLong, isLink }: Field<Row>): number {
  return isLink ? 3 : isLong ? 2 : kind === 'address' ? 1 : 0;
}

/** Its heading is the name of the member, the filter and the order, in words. */
function columnOf<Row>(
  name: string,
  field: Field<Row>,
  { spare, words, plain }: { spare: number; words: (row: Row) => string; plain: (value: Value) => string },
): ListColumn<Row> {
  const { kind, of, isLong = false, isWhole = false, isLink = false, states } = field;
  const cell = (row: Row, out: Output) => {
    const value = of(row);
    if (value === null) return '';
    if (kind === 'time') return out.time(plain(value));
    if (kind === 'state') return { state: plain(value) };
    if (states) return { state: states[value === true ? 0 : 1] };
    return out.isTerminal || field.isSaid ? out.timesIn(words(row)) : plain(value);
  };
  return {
    head: name.replaceAll(/(?=[A-Z])/g, ' ').toUpperCase(),
    ...((kind === 'id' || field.isNumber) && { align: 'right' }),
    ...(spare >= 0 && { spare }),
    isLink,
    isWide: isLong && !isWhole,
    isWhole,
    of: cell,
  };
}
