/** What the address of a list page asks for, read by the noun's declaration; what is wrong with it is said in the call's notices. */
import { AppError } from '../../core/errors.js';
import type { Direction, Order } from '../../core/calls/listing.js';
import { named } from '../../core/resources/named.js';
import type { Filter, Filters, Resource, Values } from '../../core/resources/resource.js';
import { boundsOfDay } from '../../core/zone.js';
import { SEARCH_LENGTH_MAX } from './layout.js';
import type { PageCall } from './page-call.js';

export interface Wish<F extends Filters, By extends string> {
  /** The address of the list as it was understood; only what is set stands in it. */
  words: Readonly<Record<string, string>>;
  /** Undefined: it names something that is not there, so nothing is found. */
  filter: Values<F> | undefined;
  order: Order<By>;
}

/** `createdAt-desc`. */
export function orderWord({ by, direction }: Order<string>): string {
  return `${by}-${direction}`;
}

export function ownOrder<By extends string>({ orders }: { orders: Record<By, Direction> }): Order<By> {
  const [[by, direction]] = Object.entries(orders) as [[By, Direction]];
  return { by, direction };
}

export function wishOf<Row, F extends Filters, By extends string>(
  call: PageCall,
  resource: Resource<Row, F, By>,
): Wish<F, By> {
  const read = Object.entries(resource.filters).map(([name, filter]) => [
    name,
    readFilter(call, name, filter),
  ]);
  const found = Object.fromEntries(read) as Record<string, Read>;
  const words = Object.assign({}, ...Object.values(found).map(({ words }) => words)) as Record<
    string,
    string
  >;
  const isThere = Object.values(found).every(({ value }) => value !== undefined);
  const values = Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]));
  const own = ownOrder(resource);
  const choices = Object.keys(resource.orders).flatMap((by) => [`${by}-asc`, `${by}-desc`]);
  const asked = call.choice('order', 'admin.list.order', choices) ?? orderWord(own);
  const [by, direction] = asked.split('-') as [By, Direction];
  return {
    words: { ...words, ...(asked !== orderWord(own) && { order: asked }) },
    filter: isThere ? (values as Values<F>) : undefined,
    order: { by, direction },
  };
}

interface Read {
  words: Record<string, string>;
  value: unknown;
}

function readFilter(call: PageCall, name: string, filter: Filter<unknown>): Read {
  const { kind, label, words = [], collection } = filter;
  if (kind === 'span') return readSpan(call);
  if (kind === 'choice' || kind === 'flag') {
    const word = call.choice(name, label, kind === 'flag' ? ['true', 'false'] : words);
    if (word === undefined) return { words: {}, value: null };
    return { words: { [name]: word }, value: kind === 'flag' ? word === 'true' : [word] };
  }
  const typed = call.query(name, SEARCH_LENGTH_MAX);
  if (typed === '') return { words: {}, value: null };
  const value = collection ? numberOf(call, collection, typed) : kind === 'text' ? [typed] : typed;
  return { words: { [name]: typed }, value };
}

/** Undefined with a notice for what is not there. */
function numberOf(
  call: PageCall,
  collection: NonNullable<Filter<unknown>['collection']>,
  typed: string,
): number[] | undefined {
  try {
    return [named(call.ctx, collection, typed)];
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    const { t } = call.view;
    call.notices.push(
      collection === 'users' ? t('admin.requests.no_owner', { owner: typed }) : t('admin.deliveries.unknown'),
    );
    return undefined;
  }
}

/** From the start of the first day to the start of the other, in the page's time zone. */
function readSpan(call: PageCall): Read {
  const { timeZone } = call.view;
  const [since, until] = [call.day('since', 'list.since'), call.day('until', 'list.until')];
  const startOf = (day: string) => (day ? boundsOfDay(timeZone, day).from.toISOString() : null);
  return {
    words: { ...(since && { since }), ...(until && { until }) },
    value: { from: startOf(since), until: startOf(until) },
  };
}
