/** Sends JSON in the agreed media type; a GET carries an ETag, so that a client which has it gets 304 and no body. */
import { createHash } from 'node:crypto';
import type { Context as HonoContext } from 'hono';
import { alone, type Item } from './hydra.js';
import { NEGOTIATED } from './media-types.js';
import type { Env } from './parts.js';

type Call = HonoContext<Env>;

/** A body as it is sent, and what tells it from others. As text: Node writes it together with the headers, bytes apart. */
export interface Rendered {
  text: string;
  etag: string;
}

export function render(mediaType: string, body: unknown): Rendered {
  const text = JSON.stringify(body);
  return { text, etag: `"${createHash('sha1').update(mediaType).update(text).digest('base64url')}"` };
}

/** Of an item that stands alone: one tag for each media type in which it may have been read. */
export function etagsOf(single: Item): string[] {
  return NEGOTIATED.map((mediaType) => render(mediaType, alone(single)).etag);
}

export function sendJson(c: Call, body: unknown): Response {
  return sendRendered(c, render(c.get('mediaType'), body));
}

export function sendRendered(c: Call, { text, etag }: Rendered): Response {
  c.header('ETag', etag);
  c.header('Cache-Control', 'no-cache, private');
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (isRead && isKnown(c.req.header('If-None-Match'), etag)) return c.body(null, 304);
  c.header('Content-Type', `${c.get('mediaType')}; charset=utf-8`);
  return c.body(text, 200);
}

/** One item that was asked for or changed. */
export function sendItem(c: Call, single: Item): Response {
  c.header('Content-Location', single['@id']);
  return sendJson(c, alone(single));
}

/** An item that this call has made; with 202 one on which the work goes on. */
export function sendCreated(c: Call, single: Item, status: 201 | 202 = 201): Response {
  c.header('Location', single['@id']);
  c.header('Content-Location', single['@id']);
  const { text, etag } = render(c.get('mediaType'), alone(single));
  c.header('ETag', etag);
  c.header('Content-Type', `${c.get('mediaType')}; charset=utf-8`);
  c.header('Cache-Control', 'no-cache, private');
  return c.body(text, status);
}

/** What was asked for is done, and there is nothing to show. */
export function sendNothing(c: Call): Response {
  c.header('Cache-Control', 'no-cache, private');
  return c.body(null, 204);
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  // A cache that compressed the body may have marked the tag as weak.
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
