/**
 * A pool of vitest whose worker outlives a run: the modules stay loaded from one mutant to the next, and loading them took
 * longer than most tests. A mutant in code that runs while a module is loaded gets a worker of its own.
 */
import { EventEmitter } from 'node:events';
import type { SerializedConfig } from 'vitest';
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from 'vitest/node';

/** A worker is replaced after so many runs. */
const RUNS_MAX = 100;
type Message = { type?: string; __vitest_worker_response__?: true };

interface Kept {
  fork: ForksPoolWorker;
  runs: number;
}

/** Each process of Stryker runs one mutant at a time. */
let kept: Kept | undefined;

export function createPoolWorker(options: PoolOptions): PoolWorker {
  const told = new Map<string, unknown>(Object.entries(options.project.getProvidedContext()));
  return told.get('mode') === 'mutant' && told.get('mutantActivation') !== 'static'
    ? new KeptWorker(options)
    : new ForksPoolWorker(options);
}

/** To vitest a worker that is started and stopped for each run. */
class KeptWorker implements PoolWorker {
  readonly name = 'kept';
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  readonly #events = new EventEmitter();
  #isNew = false;
  #config: SerializedConfig | undefined;
  #isRunning = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  on(event: string, callback: (...args: unknown[]) => void): void {
    this.#events.on(event, callback);
  }

  off(event: string, callback: (...args: unknown[]) => void): void {
    this.#events.off(event, callback);
  }

  async start(): Promise<void> {
    if (kept !== undefined && kept.runs >= RUNS_MAX) await discard();
    this.#isNew = kept === undefined;
    kept ??= await begun(this.#options);
    kept.runs += 1;
    kept.fork.on('message', this.#hear);
    kept.fork.on('error', this.#fail);
    kept.fork.on('exit', this.#exit);
  }

  send(message: WorkerRequest): void {
    switch (message.type) {
      case 'start':
        this.#config = message.context.config;
        if (this.#isNew) break;
        return this.#answer('started');
      case 'stop':
        return this.#answer('stopped');
      case 'run':
        this.#isRunning = true;
        // The worker has the settings of the run that started it, among them the names of the tests to run.
        return kept?.fork.send({
          ...message,
          context: { ...message.context, config: this.#config },
        } as WorkerRequest);
      case 'collect':
      case 'cancel':
    }
    kept?.fork.send(message);
  }

  async stop(): Promise<void> {
    kept?.fork.off('message', this.#hear);
    kept?.fork.off('error', this.#fail);
    kept?.fork.off('exit', this.#exit);
    if (this.#isRunning) await discard();
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  readonly #hear = (message: Message): void => {
    if (message.type === 'testfileFinished') this.#isRunning = false;
    this.#events.emit('message', message);
  };

  readonly #fail = (error: unknown): void => void this.#events.emit('error', error);

  readonly #exit = (...args: unknown[]): void => void this.#events.emit('exit', ...args);

  #answer(type: 'started' | 'stopped'): void {
    setImmediate(() => this.#events.emit('message', { type, __vitest_worker_response__: true }));
  }
}

async function begun(options: PoolOptions): Promise<Kept> {
  const fork = new ForksPoolWorker(options);
  await fork.start();
  fork.on('exit', () => {
    if (kept?.fork === fork) kept = undefined;
  });
  return { fork, runs: 0 };
}

export async function discard(): Promise<void> {
  const { fork } = kept ?? {};
  kept = undefined;
  await fork?.stop();
}
