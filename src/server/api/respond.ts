/** Sends JSON in the agreed media type. A GET has an ETag, so that a client with the same one gets 304 without a body. */
import { createHash } from 'node:crypto';
import { alone, type Item } from './hydra.js';
import { NEGOTIATED } from '../http/media-types.js';
import type { Call, Rendered, Env, Parts } from '../parts.js';
import type { MiddlewareHandler } from 'hono';
import { createOnce, type Keep } from '../../core/calls/idempotency.js';
import type { Precondition } from '../../core/calls/owned.js';
import { describes } from './docs/operation.js';
import { HttpError } from '../http/errors.js';

export function render(mediaType: string, body: unknown): Rendered {
  const text = JSON.stringify(body);
  return { text, etag: `"${createHash('sha1').update(mediaType).update(text).digest('base64url')}"` };
}

/** An item's ETags, one per media type in which it may have been read. */
function etagsOf(single: Item): string[] {
  return NEGOTIATED.map((mediaType) => render(mediaType, alone(single)).etag);
}

export function sendJson(c: Call, body: unknown): Response {
  return sendRendered(c, render(c.get('mediaType'), body));
}

function sendRendered(c: Call, { text, etag }: Rendered): Response {
  c.header('ETag', etag);
  c.header('Cache-Control', 'no-cache, private');
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (isRead && isKnown(c.req.header('If-None-Match'), etag)) return c.body(null, 304);
  c.header('Content-Type', contentType(c));
  return c.body(text, 200);
}

export function contentType(c: Call): string {
  return `${c.get('mediaType')}; charset=utf-8`;
}

/** Sends a page of a collection, which may be sent again until the database changes. */
export function sendPage(c: Call, body: unknown): Response {
  const page = render(c.get('mediaType'), body);
  c.set('page', page);
  return sendRendered(c, page);
}

export function sendItem(c: Call, single: Item): Response {
  c.header('Content-Location', single['@id']);
  return sendJson(c, alone(single));
}

/** Sends a new item; with 202 one that is still being worked on. */
export function sendCreated(c: Call, single: Item, status: 201 | 202 = 201): Response {
  c.header('Location', single['@id']);
  c.header('Content-Location', single['@id']);
  const { text, etag } = render(c.get('mediaType'), alone(single));
  c.header('ETag', etag);
  c.header('Content-Type', contentType(c));
  c.header('Cache-Control', 'no-cache, private');
  return c.body(text, status);
}

export function sendNothing(c: Call): Response {
  c.header('Cache-Control', 'no-cache, private');
  return c.body(null, 204);
}

/** Whether an If-None-Match names the ETag. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  // A compressing cache may have weakened the tag.
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

// `If-Match` with an ETag guards a change against what the caller has not seen (RFC 9110, 13.1.1). It is compared in
// the change's transaction, so of two callers who saw the same state one gets 412.

const IF_MATCH = 'If-Match';

/** Notes for the documents that the route honours `If-Match`. */
export function conditional(): MiddlewareHandler<Env> {
  return describes<MiddlewareHandler<Env>>((_, next) => next(), {
    headers: [
      {
        name: IF_MATCH,
        about: 'One or more ETags of the item as GET gave them, or `*`. 412 if it has changed since.',
        example: '"0Xq1S1pK0hJ0bqU2l9P1aY3Uo8k"',
      },
    ],
    refuses: [412],
  });
}

/** The precondition throws 412 unless the caller has named the current item; undefined without the header. */
export function ifMatch<T>(c: Call, toItem: (current: T) => Item): Precondition<T> | undefined {
  const header = c.req.header(IF_MATCH);
  if (header === undefined || header.trim() === '*') return undefined;
  // Compared as they are: a weak tag (W/"…") never matches.
  const named = header.split(',').map((tag) => tag.trim());
  return (current) => {
    if (etagsOf(toItem(current)).some((etag) => named.includes(etag))) return;
    throw new HttpError(412, 'This has been changed since it was read. Read it again.');
  };
}

// A creating POST answers 201 with the new item; with an `Idempotency-Key` it creates only once.

const ONCE = 'Idempotency-Key';

/** Applies the caller's `Idempotency-Key`; throws 400 for an invalid one. */
export function once(): MiddlewareHandler<Env> {
  const check: MiddlewareHandler<Env> = (c, next) => {
    const key = c.req.header(ONCE);
    if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw new HttpError(400, `The "${ONCE}" header should have 1 to 255 printable ASCII characters.`);
    }
    return next();
  };
  return describes(check, {
    headers: [
      {
        name: ONCE,
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
  const key = c.req.header(ONCE);
  if (key === undefined) return sendCreated(c, toItem(await make(() => undefined)));
  const call = { userId: c.get('user').id, operation: `POST ${c.req.path}`, key, body };
  const { answer, isReplayed } = await createOnce(ctx, call, {
    make,
    answerOf: (made) => JSON.stringify(toItem(made)),
  });
  if (isReplayed) c.header('Idempotent-Replayed', 'true');
  return sendCreated(c, JSON.parse(answer) as Item);
}
