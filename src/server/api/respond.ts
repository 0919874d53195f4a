/** Sends JSON in the agreed media type. A GET has an ETag, so that a client with the same one gets 304 without a body. */
import { createHash } from 'node:crypto';
import { alone, type Item } from './hydra.js';
import { NEGOTIATED } from '../http/media-types.js';
import type { Call, Rendered } from '../parts.js';

export function render(mediaType: string, body: unknown): Rendered {
  const text = JSON.stringify(body);
  return { text, etag: `"${createHash('sha1').update(mediaType).update(text).digest('base64url')}"` };
}

/** An item's ETags, one per media type in which it may have been read. */
export function etagsOf(single: Item): string[] {
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

/** Sends one item. */
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

/** 204. */
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
