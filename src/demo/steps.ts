/** One line a step, with the time since the start; and the name of the step that is under way, should it fail. */

export type Print = (line: string) => void;

export class Steps {
  readonly #print: Print;
  readonly #started = performance.now();
  /** What is being done right now, in words that fit behind "failed:". */
  current = 'starting';

  constructor(print: Print) {
    this.#print = print;
  }

  /** Does one step and prints the sentence that `tell` makes of its result. */
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
