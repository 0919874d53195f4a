/** A creating POST answers 201 with the new item; with an `Idempotency-Key` it creates only once. */
import type { MiddlewareHandler } from 'hono';
import { createOnce, type Keep } from '../../core/calls/idempotency.js';
import { describes } from './docs/operation.js';
import { HttpError } from '../http/errors.js';
import type { Item } from './hydra.js';
import type { Call, Env, Parts } from '../parts.js';
import { sendCreated } from './respond.js';

const HEADER = 'Idempotency-Key';

/** Applies the caller's `Idempotency-Key`; throws 400 for an invalid one. */
export function once(): MiddlewareHandler<Env> {
  const check: MiddlewareHandler<Env> = (c, next) => {
    const key = c.req.header(HEADER);
    if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw new HttpError(400, `The "${HEADER}" header should have 1 to 255 printable ASCII characters.`);
    }
    return next();
  };
  return describes(check, {
    headers: [
      {
        name: HEADER,
        about:
          'Sent again with the same key within 24 hours, the call returns its first answer and creates nothing.',
        example: '0b6e9a4c-5b1f-4c57-9d0f-6c1f0a7b9d11',
      },
    ],
    refuses: [400, 409, 422],
    sets: ['Idempotent-Replayed'],
  });
}

export interface Creating<T> {
  /** The body; the same key must come with the same body. */
  body: unknown;
  toItem: (made: T) => Item;
  make: (keep: Keep<T>) => Promise<T>;
}

export async function sendCreatedOnce<T>(
  c: Call,
  { ctx }: Parts,
  { body, toItem, make }: Creating<T>,
): Promise<Response> {
  const key = c.req.header(HEADER);
  if (key === undefined) return sendCreated(c, toItem(await make(() => undefined)));
  const call = { userId: c.get('user').id, operation: `POST ${c.req.path}`, key, body };
  const { answer, isReplayed } = await createOnce(ctx, call, {
    make,
    answerOf: (made) => JSON.stringify(toItem(made)),
  });
  if (isReplayed) c.header('Idempotent-Replayed', 'true');
  return sendCreated(c, JSON.parse(answer) as Item);
}
