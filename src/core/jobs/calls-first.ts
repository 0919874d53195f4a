/** The longest time between two connections of one burst. */
const QUIET_MS = 5;
/** A steady stream of calls must not keep jobs from beginning: after this wait, they may begin for a while, even if calls keep coming. */
const WAIT_MAX_MS = 250;
const OPEN_MS = 1_000;

/**
 * Calls come before jobs. Node takes one new connection in each turn of its loop: if jobs began while a burst of calls was coming in, the last caller
 * would wait for the work of all the others.
 */
export class CallsFirst {
  #connectedAt = -Infinity;
  #openUntil = -Infinity;
  #waiting: Promise<void> | undefined;

  connected(): void {
    this.#connectedAt = performance.now();
  }

  get areComing(): boolean {
    const now = performance.now();
    return now >= this.#openUntil && now - this.#connectedAt < QUIET_MS;
  }

  /** Resolves when connections stop coming, or after a short wait at the latest. All jobs wait together. */
  over(): Promise<void> {
    this.#waiting ??= this.#wait().finally(() => (this.#waiting = undefined));
    return this.#waiting;
  }

  async #wait(): Promise<void> {
    const latest = performance.now() + WAIT_MAX_MS;
    while (this.areComing && performance.now() < latest)
      await new Promise<void>((next) => void setImmediate(next));
    if (this.areComing) this.#openUntil = performance.now() + OPEN_MS;
  }
}
