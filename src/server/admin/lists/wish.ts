/** What the address of a list page asks for, read by the noun's declaration; what is wrong with it is said in the call's notices. */
import { AppError } from '../../../core/errors.js';
import type { Order } from '../../../core/calls/listing.js';
import { named } from '../../../core/resources/named.js';
import { orderOf, orderWord, orderWords } from '../../../core/resources/order.js';
import type { Filter, Filters, Resource, Values } from '../../../core/resources/resource.js';
import { boundsOfDay } from '../../../core/zone.js';
import { SEARCH_LENGTH_MAX } from '../frame/layout.js';
import type { PageCall } from '../frame/page-call.js';

export interface Wish<F extends Filters, By extends string> {
  /** The address of the list as it was understood; only what is set stands in it. */
  words: Readonly<Record<string, string>>;
  /** Undefined: it names something that is not there, so nothing is found. */
  filter: Values<F> | undefined;
  order: Order<By>;
}

export function wishOf<Row, F extends Filters, By extends string>(
  call: PageCall,
  resource: Resource<Row, F, By>,
): Wish<F, By> {
  const read = Object.entries(resource.filters).map(
    ([name, filter]) => [name, readFilter(call, name, filter)] as const,
  );
  const words: Record<string, string> = Object.assign({}, ...read.map(([, { words }]) => words));
  const isThere = read.every(([, { value }]) => value !== undefined);
  const values = Object.fromEntries(read.map(([name, { value }]) => [name, value]));
  const own = orderWord(orderOf(resource));
  const order = call.choice('order', 'admin.list.order', orderWords(resource)) ?? own;
  return {
    words: { ...words, ...(order !== own && { order }) },
    filter: isThere ? (values as Values<F>) : undefined,
    order: orderOf(resource, order),
  };
}

interface Read {
  words: Record<string, string>;
  value: unknown;
}

function readFilter(call: PageCall, name: string, filter: Filter<unknown>): Read {
  const { kind, label, words = [], others = [], collection } = filter;
  if (kind === 'span') return readSpan(call);
  if (kind === 'choice' || kind === 'flag') {
    const word = call.choice(name, label, kind === 'flag' ? ['true', 'false'] : [...words, ...others]);
    if (word === undefined) return { words: {}, value: null };
    return { words: { [name]: word }, value: kind === 'flag' ? word === 'true' : [word] };
  }
  const typed = call.query(name, SEARCH_LENGTH_MAX);
  if (typed === '') return { words: {}, value: null };
  const value = collection ? namedIn(call, collection, typed) : kind === 'text' ? [typed] : typed;
  return { words: { [name]: typed }, value };
}

/** Undefined with a notice for what is not there. */
function namedIn(
  call: PageCall,
  collection: NonNullable<Filter<unknown>['collection']>,
  typed: string,
): readonly unknown[] | undefined {
  try {
    return named(call.ctx, collection, typed);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    call.notices.push(call.view.t('admin.list.unknown', { typed }));
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
