/**
 * Changes that are only meant for what the caller has seen: `If-Match` with the ETag of a GET (RFC 9110, 13.1.1). It is
 * compared in the transaction of the change, so of two callers who saw the same one hears 412.
 */
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import type { Precondition } from '../core/precondition.js';
import { noted } from './docs/notes.js';
import { HttpError } from './errors.js';
import type { Item } from './hydra.js';
import type { Env } from './parts.js';
import { etagsOf } from './respond.js';

const HEADER = 'If-Match';

/** Tells the documents that the change it stands in honours `If-Match`. */
export function conditional(): MiddlewareHandler<Env> {
  return noted<MiddlewareHandler<Env>>((_, next) => next(), {
    headers: [
      {
        name: HEADER,
        about: 'One or more ETags of the item as GET gave them, or `*`. 412 if it has changed since.',
        example: '"0Xq1S1pK0hJ0bqU2l9P1aY3Uo8k"',
      },
    ],
    refuses: [412],
  });
}

/** Throws 412 unless the item is one that the caller has named; undefined without the header. */
export function ifMatch<T>(c: HonoContext<Env>, toItem: (current: T) => Item): Precondition<T> | undefined {
  const header = c.req.header(HEADER);
  if (header === undefined || header.trim() === '*') return undefined;
  // As they stand: a weak tag, W/"…", vouches for no bytes and equals none of ours.
  const named = header.split(',').map((tag) => tag.trim());
  return (current) => {
    if (etagsOf(toItem(current)).some((etag) => named.includes(etag))) return;
    throw new HttpError(412, 'This has been changed since it was read. Read it again.');
  };
}
