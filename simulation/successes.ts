/** Watches every call and command that changes something: when it is answered as a success, its effect must be on disk. */
import type { Answer, Call } from './network.js';
import { effectOf, withoutEffect } from './rules/effects.js';
import type { Rows } from './rules/facts.js';
import type { World } from './world.js';

export class Successes {
  readonly #world: World;
  readonly #rows: Rows;
  /** The newest entry of the history when each call or command began. */
  readonly #since = new Map<object, number>();

  constructor(world: World, rows: Rows, newest: () => number) {
    this.#world = world;
    this.#rows = rows;
    world.network.watch({
      begun: (call) => {
        if (effectOf(lineOf(call))) this.#since.set(call, newest());
        return () => this.#since.delete(call);
      },
      answered: (call, answer) => this.#answered(call, answer),
    });
    world.office.onCommand = (words) => {
      const line = words.join(' ');
      if (effectOf(line)) this.#since.set(words, newest());
      return (code) => {
        if (code === 0) this.#succeeded(words, { line, item: {} });
        this.#since.delete(words);
      };
    };
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#since.clear();
  }

  #answered(call: Call, { status, headers, body }: Answer): void {
    if (new URL(call.url).hostname !== `${this.#world.name}.sim` || status >= 300 || !this.#since.has(call))
      return;
    // The first answer once more.
    if (headers['idempotent-replayed'] === 'true') this.#since.set(call, 0);
    this.#succeeded(call, { line: lineOf(call), item: JSON.parse(body.toString()) as { id: number } });
  }

  #succeeded(what: object, done: { line: string; item: { id?: number } }): void {
    const since = this.#since.get(what);
    if (since === undefined) return;
    for (const each of withoutEffect(this.#rows, { ...done, since })) this.#world.trace.broken(each);
  }
}

function lineOf({ method, url }: Call): string {
  return `${method} ${new URL(url).pathname}`;
}
