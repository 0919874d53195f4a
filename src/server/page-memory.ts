/**
 * Pages of collections that were asked for a moment ago, ready to be sent. A page follows from the database, its address, its
 * media type and who asks, so it may be sent again until the database changes.
 */
import type { Context as HonoContext } from 'hono';
import type { Context } from '../core/context.js';
import { ReadMemory } from '../core/read-memory.js';
import type { Env } from './parts.js';
import { render, sendRendered, type Rendered } from './respond.js';

const CHARACTERS_MAX = 16 * 1024 * 1024;

export class PageMemory {
  readonly #pages: ReadMemory<Rendered>;

  constructor({ db }: Context) {
    this.#pages = new ReadMemory(db, {
      sizeMax: CHARACTERS_MAX,
      sizeOf: ({ text }, key) => text.length + key.length,
    });
  }

  /** Sends the body that `make` gives, or the same as when it was asked for last. */
  send(c: HonoContext<Env>, make: () => unknown): Response {
    const { url } = c.req;
    const mediaType = c.get('mediaType');
    // The path as it was routed, so that both versions of the address share their pages.
    const key = `${c.get('user').id} ${mediaType} ${c.req.path}${url.slice(searchAt(url))}`;
    return sendRendered(
      c,
      this.#pages.get(key, () => render(mediaType, make())),
    );
  }
}

function searchAt(url: string): number {
  const at = url.indexOf('?');
  return at === -1 ? url.length : at;
}
