/** Watches every call and command that changes something: when it is answered as a success, its effect must be on disk. */
import type { Answer, Call } from '../network.js';
import { effectOf, withoutEffect } from '../rules/effects.js';
import type { Evidence } from './evidence.js';

export class Successes {
  readonly #of: Evidence;
  /** The newest entry of the history when each call or command began. */
  readonly #since = new Map<object, number>();

  constructor(of: Evidence) {
    this.#of = of;
    of.world.network.watch({
      begun: (call) => {
        if (effectOf(lineOf(call))) this.#since.set(call, of.lastHistory);
        return () => this.#since.delete(call);
      },
      answered: (call, answer) => this.#answered(call, answer),
    });
    of.world.office.onCommand = (words) => {
      const line = words.join(' ');
      if (effectOf(line)) this.#since.set(words, of.lastHistory);
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
    const isOurs = new URL(call.url).hostname === `${this.#of.world.name}.sim`;
    if (!isOurs || status >= 300 || !this.#since.has(call)) return;
    // The first answer once more.
    if (headers['idempotent-replayed'] === 'true') this.#since.set(call, 0);
    this.#succeeded(call, { line: lineOf(call), item: JSON.parse(body.toString()) as { id: number } });
  }

  #succeeded(what: object, done: { line: string; item: { id?: number } }): void {
    const since = this.#since.get(what);
    if (since === undefined) return;
    this.#of.tell(withoutEffect(this.#of.rows, { ...done, since }));
  }
}

function lineOf({ method, url }: Call): string {
  return `${method} ${new URL(url).pathname}`;
}
