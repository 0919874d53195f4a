/** Use-cases of what a user owns, made of what differs: who may, and what is written in the change. */
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import type { Db } from '../../db/db.js';
import { actorOf, ownerScope, type UserRow } from '../users/rights.js';
import type { Direction, ListAsked, Order, PageOf, Listing } from './listing.js';
import type { ChangeOne, CreateOne, DeleteOne, GetOne, ListSome } from './use-cases.js';

export function createOne<Row, Input>(
  make: (tx: Change, user: UserRow, input: Input, ctx: Context) => Row,
): CreateOne<Row, Input> {
  return (ctx, user, input, keep) =>
    change(ctx, { actor: actorOf(user) }, (tx) => {
      const row = make(tx, user, input, ctx);
      keep?.(tx.db, row);
      return row;
    });
}

/** `find` throws for a user who may not change it. */
export function changeOne<Row, Wanted>(
  find: GetOne<Row>,
  write: (tx: Change, before: Row, wanted: Wanted) => Row,
): ChangeOne<Row, Wanted> {
  return (ctx, user, id, wanted, precondition) =>
    change(ctx, { actor: actorOf(user) }, (tx) => {
      const before = find(tx, user, id);
      precondition?.(before);
      return write(tx, before, wanted);
    });
}

/** `find` throws for a user who may not delete it. */
export function deleteOne<Row>(find: GetOne<Row>, remove: (tx: Change, row: Row) => void): DeleteOne<Row> {
  return (ctx, user, id, precondition) =>
    change(ctx, { actor: actorOf(user) }, (tx) => {
      const row = find(tx, user, id);
      precondition?.(row);
      remove(tx, row);
    });
}

type Owned<Filter> = Omit<Filter, 'ownerId'> & { ownerId: number | null };
type OwnedPage<Filter, By extends string> = PageOf & {
  filter: Owned<Filter>;
  order: Order<By> | undefined;
  direction: Direction;
};

/** Those that the user may see, in ascending order by default. */
export function listOwned<Row, Filter, By extends string = never>(
  page: (db: Db, asked: OwnedPage<Filter, By>) => Listing<Row>,
): ListSome<Row, ListAsked<Filter, By>> {
  return ({ db }, user, { order, limit, offset, ...asked }) => {
    const filter = { ...asked.filter, ownerId: ownerScope(user) };
    return page(db, { filter, order, direction: order?.direction ?? 'asc', limit, offset });
  };
}
