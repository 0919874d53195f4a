/**
 * Ctrl-C, step by step and all within a second: nothing new is begun; calls under way are cut off; what then still runs
 * is left. Everything is stored in transactions and files get their names when they are whole, so nothing is half done
 * here, whatever is cut. The last word says what was done and what was not.
 */
import type { CallCut } from '../../core/http/provider-error.js';
import { EXIT } from '../exit-codes.js';
import type { CliIo } from '../io.js';
import { Interrupted } from '../verb/usage-error.js';

const CUT_AFTER_MS = 300;
const LEAVE_AFTER_MS = 800;

export class Interruption {
  /** Aborts at once: nothing new is to be begun. */
  readonly signal: AbortSignal;
  readonly #cut = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #soFar: () => string = () => '';

  constructor(signal: AbortSignal = new AbortController().signal) {
    this.signal = signal;
  }

  /** Aborts a moment later: nothing is waited for any more. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** What to say should the command be interrupted from now on; returns what was to be said before. */
  say(soFar: () => string): () => string {
    const before = this.#soFar;
    this.#soFar = soFar;
    return before;
  }

  /** Before the database closes: what there is to say is found out now. */
  settle(): void {
    const words = this.signal.aborted ? this.#soFar() : '';
    this.#soFar = () => words;
  }

  /** The work's answer, or what it throws; Interrupted when it does not end in time. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const left = new Promise<never>((_, reject) => {
      const begin = () => this.#begin(() => reject(new Interrupted('interrupted')));
      if (this.signal.aborted) begin();
      else this.signal.addEventListener('abort', begin, { once: true });
    });
    try {
      return await Promise.race([work(), left]);
    } finally {
      for (const timer of this.#timers) clearTimeout(timer);
    }
  }

  /** Empty: there is nothing to say beyond that it was interrupted. */
  words(error?: unknown): string {
    return [this.#soFar(), callWords(error)].filter(Boolean).join('; ');
  }

  #begin(leave: () => void): void {
    const cut = setTimeout(() => this.#cut.abort(), CUT_AFTER_MS);
    this.#timers.push(cut, setTimeout(leave, LEAVE_AFTER_MS));
  }
}

/** Told apart by name: the class lives beside the HTTP client, which --help must not load. */
function callWords(error: unknown): string {
  if (!(error instanceof Error) || error.name !== 'CallCut') return '';
  const { provider, mayHaveActed } = error as CallCut;
  return mayHaveActed
    ? `the ${provider} had not answered, and may still carry out the call: run the same command again to find out`
    : `the ${provider} had not answered`;
}

/** `signal` aborts on the first SIGINT or SIGTERM of this process; a pager gets its SIGINT itself. */
export function interrupts(): Required<Pick<CliIo, 'signal' | 'leaveCtrlC'>> {
  const controller = new AbortController();
  let isLeft = false;
  const stop = (name: NodeJS.Signals) => {
    if (isLeft && name === 'SIGINT') return;
    // Safe, because everything is stored in transactions; the next run resumes.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    // Ends the line on which the terminal echoed `^C`.
    if (process.stderr.isTTY) process.stderr.write('\n');
    controller.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return {
    signal: controller.signal,
    leaveCtrlC: async (work) => {
      isLeft = true;
      try {
        return await work();
      } finally {
        isLeft = false;
      }
    },
  };
}
