/**
 * A resource of the API, declared once: what an item shows, how its collection is asked for, what may be done with it and
 * by whom. The routes check by the declaration and the documents show it (rules 6).
 */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Keep } from '../../core/calls/idempotency.js';
import { parseInput } from '../../core/calls/input.js';
import type { ChangeOne, CreateOne, DeleteOne, GetOne } from '../../core/calls/owned.js';
import type { Listing } from '../../core/calls/listing.js';
import type { Context } from '../../core/context.js';
import { orderOf, type Filters } from '../../core/resources/resource.js';
import { isAdmin, mustBeAdmin, ownerScope, type UserRow } from '../../core/users/rights.js';
import { JSON_TYPES, PATCH_TYPES, readJsonObject } from '../http/body.js';
import { declareCollection, type Asked, type Collection, type Listed } from './collection.js';
import { isTime, type ID } from './docs/fields.js';
import {
  documented,
  created,
  listed,
  removed,
  shown,
  type Operation,
  type Resource,
} from './docs/operation.js';
import { queryOf, shownTime, type Item } from './hydra.js';
import { conditional, ifMatch, once, sendCreatedOnce, sendItem, sendNothing, sendPage } from './respond.js';
import { idParam, iriOf, type CollectionName } from './iri.js';
import { authenticated, consumes, negotiated, patchable } from './middleware.js';
import type { Call, Env, Parts } from '../parts.js';

type Fields = { id: typeof ID } & z.ZodRawShape;

/** A value for each field, times as they are stored; what is null or undefined is left out. */
type Shown<S extends Fields> = { id: number } & {
  [K in keyof Omit<S, 'id'>]: z.output<S[K]> | null | undefined;
};

interface Declaration<Row, S extends Fields, F extends Filters, By extends string> {
  type: string;
  name: CollectionName;
  about: string;
  fields: S;
  /** Only the fields are shown, whatever else it returns. */
  shows: (row: Row) => Shown<S>;
  /** Whose lists the collection is. */
  noun: Listed<NoInfer<Row>, F, By>;
  /** Filters that the path of the collection sets. */
  inPath?: readonly (keyof F & string)[];
}

export interface ApiResource<Row, F extends Filters, By extends string> extends Resource {
  noun: Listed<Row, F, By>;
  collection: Collection<F, By>;
  item: (row: Row) => Item;
}

export function declareResource<Row, S extends Fields, F extends Filters, By extends string>(
  declaration: Declaration<Row, S, F, By>,
): ApiResource<Row, F, By> {
  const { type, name, about, fields, shows, noun, inPath } = declaration;
  const path = `/api/${name}`;
  const collection = declareCollection({ type, path, inPath }, noun);
  const members = Object.entries(fields).map(([member, field]) => ({ member, asTime: isTime(field) }));
  const toItem = (row: Row) => {
    const values: { id: number } & Record<string, unknown> = shows(row);
    const item: Item = { '@id': iriOf(name, values.id), '@type': type };
    for (const { member, asTime } of members) {
      const value = values[member];
      if (value === null || value === undefined) continue;
      item[member] = asTime && typeof value === 'string' ? shownTime(value) : value;
    }
    return item;
  };
  const { parameters } = collection;
  return { type, path, about, fields: z.object(fields), parameters, noun, collection, item: toItem };
}

export function itemPath({ path }: Resource) {
  return `${path}/:id{[0-9]+}`;
}

type Told = Omit<Operation, 'returns' | 'takes'>;

export interface Change<Row, Input> extends Told {
  takes: z.ZodType<Input>;
  /** Members that count only from an administrator; from others they are not looked at. */
  administratorsOnly?: readonly string[];
  run: (...call: [...Parameters<ChangeOne<Row, Input>>, c: Call]) => Promise<Row>;
}

/** A page of the collection: what its user may see. */
export async function listFor<Row, F extends Filters, By extends string>(
  { noun: { readers, orders, load } }: ApiResource<Row, F, By>,
  ctx: Context,
  user: UserRow,
  { filter, order = orderOf({ orders }), limit, offset }: Asked<F, By>,
): Promise<Listing<Row>> {
  if (readers === 'administrator') mustBeAdmin(user);
  const { page } = await load();
  if (!page) throw new Error('a list without pages is not of the API');
  return page(ctx, { filter, order, ownerId: ownerScope(user), limit, offset });
}

/** What can be done, each by the use-case that does it. */
interface Acts<Row, New, Patch, Put> {
  /** The title of its list; without one, it has none of its own. */
  list?: string;
  create?: Told & Pick<Change<Row, New>, 'takes' | 'administratorsOnly'> & { run: CreateOne<Row, New> };
  /** Throws `not_found` for what this user does not see: a change of it is 404 too. */
  show: Told & {
    run: GetOne<Row>;
    /** What is done before it is shown. */
    refresh?: (ctx: Context, row: Row) => Promise<Row>;
  };
  change?: Change<Row, Patch>;
  replace?: Change<Row, Put>;
  remove?: Told & { run: DeleteOne<Row> };
}

export function resourceRoutes<Row, F extends Filters, By extends string, New, Patch, Put>(
  parts: Parts,
  resource: ApiResource<Row, F, By>,
  { list, create, show, change, replace, remove }: Acts<Row, New, Patch, Put>,
): Hono<Env> {
  const { ctx } = parts;
  const { path, collection, item: toItem } = resource;
  const one = itemPath(resource);
  const member = authenticated(parts);
  const routes = new Hono<Env>();
  const changes = <Input>(
    method: 'PATCH' | 'PUT',
    types: readonly string[],
    { run, administratorsOnly, ...told }: Change<Row, Input>,
  ) => {
    const about = documented({ ...told, returns: shown(resource) });
    routes.on(method, one, about, member, consumes(types), negotiated(), conditional(), async (c) => {
      const user = c.get('user');
      const id = idParam(c);
      show.run(ctx, user, id);
      if (told.isForAdministrators) mustBeAdmin(user);
      const body = await readJsonObject(c, types);
      const input = parseInput(told.takes, isAdmin(user) ? body : without(body, administratorsOnly));
      return sendItem(c, toItem(await run(ctx, user, id, input, ifMatch(c, toItem), c)));
    });
  };

  if (change) routes.use(one, patchable());
  if (list) {
    const isForAdministrators = resource.noun.readers === 'administrator';
    const about = documented({ title: list, isForAdministrators, returns: listed(resource) });
    routes.get(path, about, member, negotiated(), async (c) => {
      const asked = collection.ask(queryOf(c), ctx.config.baseUrl);
      const page = await listFor(resource, ctx, c.get('user'), asked);
      return sendPage(c, collection.answer(asked, page, toItem));
    });
  }
  if (create) {
    const about = documented({ ...create, returns: created(resource) });
    routes.post(path, about, member, consumes(JSON_TYPES), negotiated(), once(), async (c) => {
      const user = c.get('user');
      if (create.isForAdministrators) mustBeAdmin(user);
      const body = await readJsonObject(c);
      const counts = isAdmin(user) ? body : without(body, create.administratorsOnly);
      const input = parseInput(create.takes, counts);
      const make = (keep: Keep<Row>) => create.run(ctx, user, input, keep);
      return sendCreatedOnce(c, parts, { body, toItem, make });
    });
  }
  routes.get(one, documented({ ...show, returns: shown(resource) }), member, negotiated(), async (c) => {
    const row = show.run(ctx, c.get('user'), idParam(c));
    return sendItem(c, toItem(show.refresh ? await show.refresh(ctx, row) : row));
  });
  if (change) changes('PATCH', PATCH_TYPES, change);
  if (replace) changes('PUT', JSON_TYPES, replace);
  if (remove) {
    const about = documented({ ...remove, returns: removed(resource) });
    routes.delete(one, about, member, conditional(), async (c) => {
      await remove.run(ctx, c.get('user'), idParam(c), ifMatch(c, toItem));
      return sendNothing(c);
    });
  }
  return routes;
}

function without(body: Record<string, unknown>, members: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !members.includes(name)));
}
