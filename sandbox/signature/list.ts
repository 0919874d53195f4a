/** The list call's filters and its cursor. Operators are written as the provider writes them: `status[in]=a,b`. */
import type { World } from '../world.js';
import { listRequests } from './actions.js';
import { invalid } from './problems.js';
import type { SignatureRequest } from './types.js';
import { briefRequestView } from './views.js';

type Filter = (request: SignatureRequest, value: string) => boolean;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const FILTERS: Record<string, Filter> = {
  status: (request, value) => request.status === value,
  'status[eq]': (request, value) => request.status === value,
  'status[in]': (request, value) => value.split(',').includes(request.status),
  external_id: (request, value) => request.externalId === value,
  'external_id[eq]': (request, value) => request.externalId === value,
  'created_at[eq]': (request, value) => dayOf(request.createdAt) === dayOf(moment(value)),
  'created_at[after]': (request, value) => request.createdAt > moment(value),
  'created_at[before]': (request, value) => request.createdAt < moment(value),
  'created_at[between]': ({ createdAt }, value) => {
    const [from = '', to = ''] = value.split(',');
    return createdAt >= moment(from) && createdAt <= moment(to);
  },
  'source[eq]': (_, value) => value === 'public_api',
  'source[in]': (_, value) => value.split(',').includes('public_api'),
  q: (request, value) => request.name.toLowerCase().includes(value.toLowerCase()),
};

/** One page, newest first; refuses an unknown cursor. With `isFirstAgain` it is the first, whatever the cursor, and more follow. */
export function listPage(world: World, query: Record<string, string>, { isFirstAgain = false } = {}) {
  const limit = Number(query['limit'] ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw invalid('limit', 'This value must be from 1 to 100.');
  const filters = filtersOf(query);
  const all = listRequests(world);
  const found = filters.length === 0 ? all : all.filter((request) => filters.every((fits) => fits(request)));
  const { number, after } = placeOf(query);
  const start = after === undefined || isFirstAgain ? 0 : found.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0 && !isFirstAgain)
    throw invalid('after', 'This cursor is not valid.');
  const page = found.slice(start, start + limit);
  const last = page.at(-1);
  const isMore = isFirstAgain || start + limit < found.length;
  const next = last && isMore ? cursorOf(number + 1, last.id) : null;
  return { meta: { next_cursor: next }, data: page.map(briefRequestView) };
}

/** The number of the page that is asked for, from 1. */
export function pageAsked(query: Record<string, string>): number {
  return placeOf(query).number;
}

function filtersOf(query: Record<string, string>): ((request: SignatureRequest) => boolean)[] {
  return Object.entries(query).flatMap(([name, value]) => {
    const fits = FILTERS[name];
    return fits ? [(request: SignatureRequest) => fits(request, value)] : [];
  });
}

function moment(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid('created_at', 'This value is not a valid date.');
  return ms;
}

const cursorOf = (page: number, id: string): string => Buffer.from(`${page} ${id}`).toString('base64url');

function placeOf({ after: cursor }: Record<string, string>): { number: number; after?: string } {
  if (cursor === undefined) return { number: 1 };
  const [number, after = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  return { number: Number(number), after };
}
