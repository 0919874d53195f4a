/** Use-cases of what a user owns, made of what differs: who may, and what is written in the change. */
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import { actorOf, type UserRow } from '../users/rights.js';
import type { ChangeOne, CreateOne, DeleteOne, GetOne } from './use-cases.js';

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
