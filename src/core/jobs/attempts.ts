/** Attempts of jobs: first the handler, then its effect and the attempt's end in one transaction. */
import { setMaxListeners } from 'node:events';
import type { Log } from '../log/log.js';
import { completeJob } from '../../db/jobs/jobs.js';
import type { JobRow } from '../../db/schema.js';
import type { Writer } from '../../db/writer.js';
import { JOB } from '../actor.js';
import { change } from '../change.js';
import type { Clock } from '../clock.js';
import { describeError } from '../errors.js';
import { release } from './release.js';
import type { AttemptOutcome, HeardOutcome, JobResult } from './kind.js';
import { parseJob, type Job } from './kinds.js';
import type { Lanes } from './lanes.js';

export type Handle = (job: Job, signal: AbortSignal) => Promise<JobResult>;

export interface AttemptsParts {
  writer: Writer;
  clock: Clock;
  log: Log;
  lanes: Lanes;
  /** Notified of each attempt when its end is on disk. */
  outcomes: Outcomes;
  leaseToken: () => string;
  handle: Handle;
}

interface EndedTry {
  outcome: AttemptOutcome;
  listeners: ReturnType<Outcomes['listeners']>;
}

export class Attempts {
  /** Attempts whose end could not be stored (a full disk), by job: we hold their leases, but nobody works on them. */
  readonly unstored = new Map<number, unknown>();
  readonly #parts: AttemptsParts;
  readonly #abort = new AbortController();

  constructor(parts: AttemptsParts) {
    this.#parts = parts;
    // Every attempt listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  abort(): void {
    this.#abort.abort(new Error('the program stops'));
  }

  /** Never rejects. Calls `onHandled` when the handler has ended, before that is on disk. */
  async make(row: JobRow, onHandled: (ms: number) => void): Promise<AttemptOutcome> {
    this.unstored.delete(row.id);
    const begun = performance.now();
    const storing = await this.#run(row).then(
      (result) => (ms: number) => this.#completed(row, result, ms),
      (error: unknown) => (ms: number) => this.#failed(row, error, ms),
    );
    const ms = performance.now() - begun;
    const stored = storing(ms);
    onHandled(ms);
    const { outcome, listeners } = await stored;
    this.#log(row, outcome);
    this.#parts.outcomes.tell(listeners, outcome);
    return outcome;
  }

  async #run(row: JobRow): Promise<JobResult> {
    return this.#parts.handle(parseJob(row), this.#abort.signal);
  }

  async #completed(row: JobRow, { settle, outcome }: JobResult, ms: number): Promise<EndedTry> {
    const { lanes, leaseToken } = this.#parts;
    try {
      return await change(this.#parts, { actor: JOB }, (tx) => {
        const word = settle?.(tx);
        lanes.settle(tx.db, row, ms);
        const { id, lane } = row;
        if (!completeJob(tx.db, { id, lane, leaseToken: leaseToken(), finishedAt: tx.now }))
          throw new Error('another runner took the job over');
        return this.#ended(row, { state: 'completed', outcome: word ?? outcome });
      });
    } catch (error) {
      return this.#failed(row, error, ms);
    }
  }

  async #failed(row: JobRow, error: unknown, ms: number): Promise<EndedTry> {
    const { log, lanes } = this.#parts;
    try {
      return await change(this.#parts, { actor: JOB }, (tx) => {
        lanes.settle(tx.db, row, ms);
        return this.#ended(row, { state: release(tx, row, error), error });
      });
    } catch (writeError) {
      // The disk may be full; the job is released as soon as that can be stored.
      this.unstored.set(row.id, error);
      log.error({ jobId: row.id, kind: row.kind, err: writeError }, 'a failed try could not be stored');
      return this.#ended(row, { state: 'available', error });
    }
  }

  #ended({ id }: JobRow, outcome: AttemptOutcome): EndedTry {
    return { outcome, listeners: this.#parts.outcomes.listeners(id) };
  }

  #log({ id, kind, requestId, attempt }: JobRow, { state, error }: AttemptOutcome): void {
    const about = { jobId: id, kind, requestId: requestId ?? undefined };
    if (state === 'completed') this.#parts.log.info(about, 'job done');
    else if (state !== 'lost' && !this.unstored.has(id)) {
      this.#parts.log.warn(
        { ...about, attempt, error: describeError(error) },
        state === 'failed' ? 'job failed for good' : 'job failed, will be tried again',
      );
    }
  }
}

type Listener = (heard?: HeardOutcome) => void;

/** Listeners for the end of an attempt: each waits for the one that was running or enqueued when it began to wait. */
export class Outcomes {
  readonly #waiting = new Map<number, Set<Listener>>();

  /**
   * Resolves with the outcome of the job's next attempt to end; undefined when none ends within `waitMs`. Called in
   * the unit that enqueues the job, it never receives the outcome of an attempt that ended before that unit, even in the same
   * commit.
   */
  next(id: number, waitMs: number): Promise<HeardOutcome | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      const done: Listener = (heard) => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve(heard);
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.set(id, waiting.add(done));
    });
  }

  /** The listeners of the attempt that ends now. Called in the unit that ends it, so later ones wait for the next. */
  listeners(id: number): Listener[] {
    return [...(this.#waiting.get(id) ?? [])];
  }

  tell(listeners: readonly Listener[], outcome: AttemptOutcome): void {
    let isTaken = false;
    const take = () => !isTaken && (isTaken = true);
    for (const done of listeners) done({ ...outcome, take });
  }
}
