/** Tries of jobs: the handler first, then its effect and the end of the try in one transaction. */
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Db } from '../../db/db.js';
import { completeJob } from '../../db/jobs.js';
import type { JobKind, JobRow } from '../../db/schema.js';
import type { Writer } from '../../db/writer.js';
import { iso, type Clock } from '../clock.js';
import { describeError } from '../errors.js';
import { giveBack } from './give-back.js';
import { parseJob, type Job } from './kinds.js';
import type { Lanes } from './lanes.js';
import type { Outcomes } from './outcomes.js';

/**
 * What a handler leaves: changes to make in the transaction that completes the job, and a word for those who wait,
 * which that transaction may decide.
 */
export interface JobResult {
  settle?: (db: Db) => string | void;
  outcome?: string;
}

export type JobHandlers = { [K in JobKind]: (job: Job<K>, signal: AbortSignal) => Promise<JobResult> };

/** What became of one try. `available`: it failed and will be tried again. */
export interface TryOutcome {
  state: 'completed' | 'available' | 'failed' | 'lost';
  outcome?: string | undefined;
  error?: unknown;
}

export interface AttemptsParts {
  writer: Writer;
  clock: Clock;
  log: Logger;
  lanes: Lanes;
  /** Told of each try when its end is on disk. */
  outcomes: Outcomes;
  leaseToken: string;
}

interface EndedTry {
  outcome: TryOutcome;
  listeners: ReturnType<Outcomes['listeners']>;
}

export class Attempts {
  /** Tries that ended without it being written down (a full disk), by job: their leases are ours, but nobody works on them. */
  readonly unstored = new Map<number, unknown>();
  readonly #parts: AttemptsParts;
  readonly #abort = new AbortController();
  #handlers: JobHandlers | undefined;

  constructor(parts: AttemptsParts) {
    this.#parts = parts;
    // Every try listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Tells how each kind is done; before anything runs. */
  handle(handlers: JobHandlers): void {
    this.#handlers = handlers;
  }

  /** Tells every handler that runs to give up. */
  abort(): void {
    this.#abort.abort(new Error('the program stops'));
  }

  /** Never rejects. `onHandled` hears when the handler has ended, before that is on disk. */
  async make(row: JobRow, onHandled: (ms: number) => void): Promise<TryOutcome> {
    this.unstored.delete(row.id);
    const begun = performance.now();
    const storing = await this.#handle(row).then(
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

  async #handle(row: JobRow): Promise<JobResult> {
    if (!this.#handlers) throw new Error('no handlers');
    const job = parseJob(row);
    const handler = this.#handlers[job.kind] as (job: Job, signal: AbortSignal) => Promise<JobResult>;
    return handler(job, this.#abort.signal);
  }

  async #completed(row: JobRow, { settle, outcome }: JobResult, ms: number): Promise<EndedTry> {
    const { writer, clock, lanes, outcomes, leaseToken } = this.#parts;
    try {
      return await writer.write((db) => {
        const word = settle?.(db);
        lanes.settle(db, row, ms);
        if (!completeJob(db, { id: row.id, leaseToken, finishedAt: iso(clock.now()) })) throw new LostLease();
        return {
          outcome: { state: 'completed' as const, outcome: word ?? outcome },
          listeners: outcomes.listeners(row.id),
        };
      });
    } catch (error) {
      return this.#failed(row, error, ms);
    }
  }

  async #failed(row: JobRow, error: unknown, ms: number): Promise<EndedTry> {
    const { writer, clock, log, lanes, outcomes } = this.#parts;
    if (error instanceof LostLease)
      return { outcome: { state: 'lost' }, listeners: outcomes.listeners(row.id) };
    try {
      return await writer.write((db) => {
        lanes.settle(db, row, ms);
        const state = giveBack(db, row, error, clock.now());
        const outcome = state === 'lost' ? { state } : { state, error };
        return { outcome, listeners: outcomes.listeners(row.id) };
      });
    } catch (writeError) {
      // The disk may be full: the job is given back as soon as that can be written.
      this.unstored.set(row.id, error);
      log.error({ jobId: row.id, kind: row.kind, err: writeError }, 'a failed try could not be stored');
      return { outcome: { state: 'available', error }, listeners: outcomes.listeners(row.id) };
    }
  }

  #log({ id, kind, requestId, attempt }: JobRow, { state, error }: TryOutcome): void {
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

/** Another runner took the job over; whatever this try did is not stored. */
class LostLease extends Error {}
