/**
 * `If-Match` with an ETag guards a change against what the caller has not seen (RFC 9110, 13.1.1). It is compared in
 * the change's transaction, so of two callers who saw the same state one gets 412.
 */
import type { MiddlewareHandler } from 'hono';
import type { Precondition } from '../../core/calls/owned.js';
import { describes } from './docs/notes.js';
import { HttpError } from '../http/errors.js';
import type { Item } from './hydra.js';
import type { Call, Env } from '../parts.js';
import { etagsOf } from './respond.js';

const HEADER = 'If-Match';

/** Notes for the documents that the route honours `If-Match`. */
export function conditional(): MiddlewareHandler<Env> {
  return describes<MiddlewareHandler<Env>>((_, next) => next(), {
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

/** The precondition throws 412 unless the caller has named the current item; undefined without the header. */
export function ifMatch<T>(c: Call, toItem: (current: T) => Item): Precondition<T> | undefined {
  const header = c.req.header(HEADER);
  if (header === undefined || header.trim() === '*') return undefined;
  // Compared as they are: a weak tag (W/"…") never matches.
  const named = header.split(',').map((tag) => tag.trim());
  return (current) => {
    if (etagsOf(toItem(current)).some((etag) => named.includes(etag))) return;
    throw new HttpError(412, 'This has been changed since it was read. Read it again.');
  };
}
