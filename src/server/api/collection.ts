/**
 * Declares a collection once: pages, filters and orders (rules 6). Its route parses queries by the declaration;
 * `hydra:search` and the API's documents are made from it.
 */
import type { Direction, Listing, Order } from '../../core/calls/listing.js';
import type { Filter, Spelling } from './filters.js';
import { collection, searchOf, type Item, parsePagination, type Pagination } from './hydra.js';
import type { QueryMap } from '../http/query.js';

export type Filters = Record<string, Filter<unknown>>;

interface Declaration<F extends Filters, O extends string> {
  type: string;
  path: string;
  filters: F;
  /** The properties it can be ordered by; lists have a default order. */
  orders: readonly O[];
}

/** A query parameter: its name and the property it is about. */
export interface Parameter extends Spelling {
  name: string;
  property: string;
}

/** What one call asks for. */
export interface Asked<F extends Filters, O extends string> extends Pagination {
  query: QueryMap;
  filter: { [P in keyof F]: F[P] extends Filter<infer T> ? T : never };
  /** Undefined for the default order. */
  order: Order<O> | undefined;
}

export interface Collection<F extends Filters, O extends string> {
  readonly type: string;
  readonly path: string;
  /** Filters and orders, without those of paging. */
  readonly parameters: readonly Parameter[];
  /** Throws 400 for an impossible page, size or date; any other nonsense is ignored. */
  ask(query: QueryMap, baseUrl: string): Asked<F, O>;
  /** `at`: the path, if it differs from the collection's. */
  answer<Row>(
    asked: Asked<F, O>,
    listing: Listing<Row>,
    toItem: (row: Row) => Item,
    at?: string,
  ): Record<string, unknown>;
}

export function declareCollection<F extends Filters, const O extends string>(
  declaration: Declaration<F, O>,
): Collection<F, O> {
  const { type, path, filters, orders } = declaration;
  const parameters = parametersOf(declaration);
  const variables = parameters.map(({ name, property }) => [name, property] as const);
  const searchAt = (at: string) => variables.length > 0 && { search: searchOf(at, variables) };
  return {
    type,
    path,
    parameters,
    ask: (query, baseUrl) => ({
      query,
      ...parsePagination(query),
      filter: readFilters(filters, query, baseUrl),
      order: orderOf(orders, query),
    }),
    answer: (asked, listing, toItem, at = path) => {
      const about = { type, path: at, query: asked.query, pagination: asked, ...searchAt(at) };
      return collection(about, listing, toItem);
    },
  };
}

function parametersOf<F extends Filters, O extends string>({
  filters,
  orders,
}: Declaration<F, O>): Parameter[] {
  const filtering = Object.entries(filters).flatMap(([property, { spellings }]) =>
    Object.entries(spellings).map(([rest, spelling]) => ({ ...spelling, name: property + rest, property })),
  );
  const schema = { type: 'string', enum: ['asc', 'desc'] };
  const about = 'The direction of the order.';
  const ordering = orders.map((property) => ({ name: `order[${property}]`, property, about, schema }));
  return [...filtering, ...ordering];
}

function readFilters<F extends Filters>(
  filters: F,
  query: QueryMap,
  baseUrl: string,
): Asked<F, never>['filter'] {
  const read = Object.entries(filters).map(([property, filter]) => [
    property,
    filter.read(query[property], { property, baseUrl }),
  ]);
  return Object.fromEntries(read) as Asked<F, never>['filter'];
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
