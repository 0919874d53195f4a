/** The types of the use-cases behind a resource: how a user creates, reads, lists, changes or deletes it. */
import type { Context } from '../context.js';
import type { UserRow } from '../users/rights.js';
import type { Keep } from './idempotency.js';

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
