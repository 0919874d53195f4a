/** Use-cases of what a user owns, made of what differs: who may, and what is written in the change. */
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import { actorOf, type UserRow } from '../users/rights.js';
import type { Keep } from './idempotency.js';

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

// The types of the use-cases behind a resource: how a user creates, reads, lists, changes or deletes it.

/**
 * Guards a change against what others have changed since the caller looked. It gets the current state inside the
 * change's transaction and throws if that is not what the caller saw; then nothing is changed.
 */
export type Precondition<T> = (current: T) => void;

export type CreateOne<Row, Input> = (
  ctx: Context,
  user: UserRow,
  input: Input,
  keep?: Keep<Row>,
) => Promise<Row>;

/** Throws `not_found` also for somebody else's. */
export type GetOne<Row> = (ctx: Pick<Context, 'db'>, user: UserRow, id: number) => Row;

export type ChangeOne<Row, Wanted> = (
  ctx: Context,
  user: UserRow,
  id: number,
  wanted: Wanted,
  precondition?: Precondition<Row>,
) => Promise<Row>;

export type DeleteOne<Row> = (
  ctx: Context,
  user: UserRow,
  id: number,
  precondition?: Precondition<Row>,
) => Promise<void>;
