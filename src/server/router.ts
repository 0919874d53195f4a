/** Finds the handlers of a call. Those of an address that comes again are remembered instead of searched for. */
import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/** When there are more, it starts over. */
const ADDRESSES_MAX = 1_000;
/** Longer ones are none of ours. */
const LENGTH_MAX = 200;

export class RememberingRouter<T> implements Router<T> {
  readonly name = 'RememberingRouter';
  readonly #tree = new TrieRouter<T>();
  readonly #found = new Map<string, Result<T>>();

  add(method: string, path: string, handler: T): void {
    this.#tree.add(method, path, handler);
    this.#found.clear();
  }

  match(method: string, path: string): Result<T> {
    const address = `${method} ${path}`;
    const known = this.#found.get(address);
    if (known) return known;
    const found = this.#tree.match(method, path);
    if (address.length > LENGTH_MAX) return found;
    if (this.#found.size >= ADDRESSES_MAX) this.#found.clear();
    this.#found.set(address, found);
    return found;
  }
}
