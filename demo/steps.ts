/** Prints one line per step with the time since the start, and knows the current step in case it fails. */

export type Print = (line: string) => void;

export class Steps {
  readonly #print: Print;
  readonly #started = performance.now();
  /** The current step, in words that fit behind "failed:". */
  current = 'starting';

  constructor(print: Print) {
    this.#print = print;
  }

  /** Runs one step and prints what `tell` makes of its result. */
  async take<T>(doing: string, work: () => Promise<T>, tell: (result: T) => string): Promise<T> {
    this.current = doing;
    const result = await work();
    this.say(tell(result));
    return result;
  }

  say(sentence: string): void {
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(2);
    this.#print(`${seconds.padStart(6)} s  ${sentence}`);
  }
}
