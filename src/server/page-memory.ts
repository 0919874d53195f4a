/**
 * Caches rendered pages of collections. A page depends only on the database, its address, its media type and the
 * user, so it can be sent again until the database changes.
 */
import type { Context } from '../core/context.js';
import { ReadMemory } from '../core/calls/read-memory.js';
import type { Call } from './parts.js';
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

  /** Sends the cached body, or that of `make`. */
  send(c: Call, make: () => unknown): Response {
    const { url } = c.req;
    const mediaType = c.get('mediaType');
    // The routed path, so that both versions of an address share their pages.
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
