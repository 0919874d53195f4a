/**
 * Group commit (ADR 1): every write of a process goes through one queue, and what arrives during one turn of the
 * event loop shares a commit, and so an fsync. Each unit is atomic by itself (a savepoint) and resolves only after the
 * commit, so an answer always means "on disk".
 */
import { codeOf } from './caught.js';
import type { Db } from './db.js';

/** Work for one transaction. Synchronous by design: nothing may be awaited under the write lock. */
export type Unit<T> = (db: Db) => T;

export interface WriterOptions {
  /** How long units wait, asynchronously, for another process to release the write lock. */
  lockWaitMs?: number;
  /** The most units per commit; more wait, so that other processes get their turn. */
  unitsPerCommitMax?: number;
}

interface Waiting {
  unit: Unit<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Prepared once; `exec` would parse them for every unit. */
function prepareSteps({ raw }: Db) {
  return {
    begin: raw.prepare('BEGIN IMMEDIATE'),
    commit: raw.prepare('COMMIT'),
    rollback: raw.prepare('ROLLBACK'),
    savepoint: raw.prepare('SAVEPOINT unit'),
    release: raw.prepare('RELEASE unit'),
    undo: raw.prepare('ROLLBACK TO unit'),
  };
}

type Outcome = { value: unknown } | { error: unknown };

/** Another process held the write lock longer than `lockWaitMs`; nothing was changed. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';
}

const RETRY_LOCK_MS = 5;

/** What use-cases need of it. */
export type UnitWriter = Pick<Writer, keyof Writer>;

/** Writes through `writer`; each unit first runs `mustHold` in its own transaction, and does nothing if that throws. */
export function fenced(writer: UnitWriter, mustHold: (db: Db) => void): UnitWriter {
  return {
    write: (unit) =>
      writer.write((db) => {
        mustHold(db);
        return unit(db);
      }),
    onCommit: (topic, listener) => writer.onCommit(topic, listener),
    onFailure: (listener) => writer.onFailure(listener),
    refuseWhile: (refusal) => writer.refuseWhile(refusal),
    refusal: () => writer.refusal(),
    idle: () => writer.idle(),
  };
}

export class Writer {
  readonly #db: Db;
  readonly #steps: ReturnType<typeof prepareSteps>;
  readonly #lockWaitMs: number;
  readonly #unitsPerCommitMax: number;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #failureListeners: ((error: unknown) => void)[] = [];
  #refusal: () => Error | undefined = () => undefined;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #lockedSince: number | undefined;

  constructor(db: Db, { lockWaitMs = 10_000, unitsPerCommitMax = 500 }: WriterOptions = {}) {
    this.#db = db;
    this.#steps = prepareSteps(db);
    this.#lockWaitMs = lockWaitMs;
    this.#unitsPerCommitMax = unitsPerCommitMax;
  }

  /** Runs `unit` in a transaction and resolves after its commit. If it throws, only its own changes are undone. */
  write<T>(unit: Unit<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ unit, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Calls `listener` after each commit that announced `topic`. Returns a function that unsubscribes. */
  onCommit(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Calls `listener` with every error of a unit, commit or begin, including refusals by units. */
  onFailure(listener: (error: unknown) => void): void {
    this.#failureListeners.push(listener);
  }

  /** While `refusal` returns an error, every unit is refused with it: also one that was committed meanwhile. */
  refuseWhile(refusal: () => Error | undefined): void {
    this.#refusal = refusal;
  }

  /** Why nothing can be stored at present. */
  refusal(): Error | undefined {
    try {
      return this.#refusal();
    } catch (error) {
      // A database that cannot be asked stores nothing either: whoever waits must hear of it.
      return error as Error;
    }
  }

  /** Resolves when all units so far are settled. */
  async idle(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #schedule(delayMs = 0): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const flush = () => {
      this.#scheduled = false;
      this.#flush();
    };
    // The check phase follows the poll phase, so all sockets readable in this turn have been served.
    if (delayMs === 0) setImmediate(flush);
    else setTimeout(flush, delayMs);
  }

  #flush(): void {
    const refusal = this.refusal();
    if (refusal) return this.#refuseAll(refusal);
    try {
      this.#steps.begin.run();
    } catch (error) {
      this.#couldNotBegin(error);
      return;
    }
    this.#lockedSince = undefined;
    const batch = this.#waiting.splice(0, this.#unitsPerCommitMax);
    const outcomes = this.#runAll(batch);
    const acts = this.#db.afterCommit.splice(0);
    const lost = this.refusal();
    for (const [i, { resolve, reject }] of batch.entries()) {
      const outcome = lost ? { error: lost } : (outcomes[i] as Outcome);
      if ('error' in outcome) this.#fail(reject, outcome.error);
      else resolve(outcome.value);
    }
    if (!lost) for (const act of acts) act();
    for (const topic of this.#db.clearTopics()) {
      for (const listener of this.#listeners.get(topic) ?? []) listener();
    }
    if (this.#waiting.length > 0) this.#schedule();
  }

  #runAll(batch: Waiting[]): Outcome[] {
    const { raw, afterCommit } = this.#db;
    try {
      const outcomes = batch.map(({ unit }) => this.#runOne(unit, batch.length > 1));
      if (raw.inTransaction) this.#steps.commit.run();
      return outcomes;
    } catch (error) {
      // The commit failed, or SQLite rolled back the whole transaction (disk full): no change was made.
      if (raw.inTransaction) this.#steps.rollback.run();
      afterCommit.length = 0;
      return batch.map(() => ({ error }));
    }
  }

  #runOne(unit: Unit<unknown>, shared: boolean): Outcome {
    const { raw, afterCommit } = this.#db;
    const before = [...afterCommit];
    if (shared) this.#steps.savepoint.run();
    try {
      const value = unit(this.#db);
      if (value instanceof Promise) throw new TypeError('a unit of work must not be async');
      if (shared) this.#steps.release.run();
      return { value };
    } catch (error) {
      // It may also have taken out what an earlier unit has left.
      afterCommit.splice(0, afterCommit.length, ...before);
      if (!raw.inTransaction) throw error;
      if (shared) {
        this.#steps.undo.run();
        this.#steps.release.run();
      } else this.#steps.rollback.run();
      return { error };
    }
  }

  #couldNotBegin(error: unknown): void {
    const now = performance.now();
    this.#lockedSince ??= now;
    if (isBusy(error) && now - this.#lockedSince < this.#lockWaitMs) {
      this.#schedule(RETRY_LOCK_MS);
      return;
    }
    this.#lockedSince = undefined;
    const reason = isBusy(error)
      ? new DatabaseBusyError('another process keeps the database locked', { cause: error })
      : error;
    this.#refuseAll(reason);
  }

  #refuseAll(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) this.#fail(reject, error);
  }

  #fail(reject: Waiting['reject'], error: unknown): void {
    for (const listener of this.#failureListeners) listener(error);
    reject(error);
  }
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}
