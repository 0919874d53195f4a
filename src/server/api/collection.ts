/**
 * Declares a collection once: pages, filters and orders (rules 6). Its route parses queries by the declaration;
 * `hydra:search` and the API's documents are made from it.
 */
import type { Direction, Listing, Order } from '../../core/calls/listing.js';
import { keysOf } from '../../core/pick.js';
import type { Filters, Reads, Resource as Noun, Values } from '../../core/resources/resource.js';
import { filtersOf, type Filter, type Spelling } from './filters.js';
import { collection, parsePagination, searchOf, type Item, type Pagination, type QueryMap } from './hydra.js';

/** A query parameter: its name and the property it is about. */
export interface Parameter extends Spelling {
  name: string;
  property: string;
}

/** What one call asks for. */
export interface Asked<F extends Filters, By extends string> extends Pagination {
  query: QueryMap;
  filter: Values<F>;
  /** Undefined for the default order. */
  order: Order<By> | undefined;
}

export interface Collection<F extends Filters, By extends string> {
  readonly type: string;
  readonly path: string;
  /** Filters and orders, without those of paging. */
  readonly parameters: readonly Parameter[];
  /** Throws 400 for an impossible page, size or date; any other nonsense is ignored. */
  ask(query: QueryMap, baseUrl: string): Asked<F, By>;
  /** `at`: the path, if it differs from the collection's. */
  answer<Row>(
    asked: Asked<F, By>,
    listing: Listing<Row>,
    toItem: (row: Row) => Item,
    at?: string,
  ): Record<string, unknown>;
}

export function declareCollection<F extends Filters, By extends string>(
  { type, path, inPath = [] }: { type: string; path: string; inPath?: readonly string[] | undefined },
  { filters, orders }: Pick<Listed<never, F, By>, 'filters' | 'orders'>,
): Collection<F, By> {
  const spelt = filtersOf(Object.entries(filters).filter(([name]) => !inPath.includes(name)));
  const words = keysOf(orders);
  const parameters = parametersOf(spelt, words);
  const variables = parameters.map(({ name, property }) => [name, property] as const);
  const searchAt = (at: string) => variables.length > 0 && { search: searchOf(at, variables) };
  return {
    type,
    path,
    parameters,
    ask: (query, baseUrl) => ({
      query,
      ...parsePagination(query),
      filter: readFilters<F>(spelt, query, baseUrl),
      order: orderOf(words, query),
    }),
    answer: (asked, listing, toItem, at = path) => {
      const about = { type, path: at, query: asked.query, pagination: asked, ...searchAt(at) };
      return collection(about, listing, toItem);
    },
  };
}

/** What a collection takes from its noun. */
export interface Listed<Row, F extends Filters, By extends string> extends Pick<
  Noun<never, F, By>,
  'filters' | 'orders' | 'readers'
> {
  load: () => Promise<Pick<Reads<Row, F, By>, 'page'>>;
}

type Spelt = Readonly<Record<string, Filter<unknown>>>;

function parametersOf(filters: Spelt, orders: readonly string[]): Parameter[] {
  const filtering = Object.entries(filters).flatMap(([property, { spellings }]) =>
    Object.entries(spellings).map(([rest, spelling]) => ({ ...spelling, name: property + rest, property })),
  );
  const schema = { type: 'string', enum: ['asc', 'desc'] };
  const about = 'The direction of the order.';
  const ordering = orders.map((property) => ({ name: `order[${property}]`, property, about, schema }));
  return [...filtering, ...ordering];
}

function readFilters<F extends Filters>(filters: Spelt, query: QueryMap, baseUrl: string): Values<F> {
  const read = Object.entries(filters).map(([property, filter]) => [
    property,
    filter.read(query[property], { property, baseUrl }),
  ]);
  return Object.fromEntries(read) as Values<F>;
}

/** The first key of `order` that names an orderable property and a direction. */
function orderOf<O extends string>(orders: readonly O[], query: QueryMap): Order<O> | undefined {
  for (const [property, value] of Object.entries(query['order'] ?? {})) {
    const by = orders.find((known) => known === property);
    const direction = typeof value === 'string' ? value.toLowerCase() : undefined;
    if (by !== undefined && isDirection(direction)) return { by, direction };
  }
  return undefined;
}

function isDirection(word: string | undefined): word is Direction {
  return word === 'asc' || word === 'desc';
}
