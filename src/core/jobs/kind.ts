/** Everything about a kind of job, in one record. Queue code reads records and knows no kind by name. */
import type { Db } from '../../db/db.js';
import type { JobRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import type { Context } from '../context.js';
import type { AppError } from '../errors.js';

export interface JobKind<Name extends string = string, Payload = unknown> {
  readonly name: Name;
  /** The waits between attempts; after the last one the job has failed (rules 5). */
  readonly waitsMs: readonly number[];
  /** How many run at once. Each kind has its own, so that a slow mail server never delays a payment. */
  readonly slots: number;
  /** Its jobs have lanes; those of one lane run one after the other. */
  readonly isInLanes?: boolean;
  /** Jobs with the same key are enqueued once. */
  uniqueKey(payload: Payload, now: string): string;
  /** Loads the handler, which enqueueing does not need. */
  load(): Promise<JobHandler<Name, Payload>>;
  /** Settles its subject when the last attempt ended without doing so, for example in a crash. */
  giveUp?(tx: Change, payload: Partial<Payload>): void;
  /** Whether no mail goes to the office when this job fails for good. */
  failsQuietly?(payload: Partial<Payload>): boolean;
  /** Why another attempt would be pointless; undefined when it makes sense. */
  whyPointless?(db: Db, job: JobRow): AppError | undefined;
}

export type JobOf<Name extends string, Payload> = Omit<JobRow, 'kind' | 'payload'> & {
  kind: Name;
  payload: Payload;
};

export interface JobHandler<Name extends string, Payload> {
  /** Can run twice without harm. An error ends the attempt, and the job waits for the next. */
  run(ctx: Context, job: JobOf<Name, Payload>, signal: AbortSignal): Promise<JobResult>;
}

/**
 * A handler's result: changes to commit with the job's completion, and an outcome for those who wait. `settle` may
 * return another outcome.
 */
export interface JobResult {
  settle?: (tx: Change) => string | void;
  outcome?: string;
}

/** The outcome of one attempt. `available`: it failed and will be retried. */
export interface AttemptOutcome {
  state: 'completed' | 'available' | 'failed' | 'lost';
  outcome?: string | undefined;
  error?: unknown;
}

export interface HeardOutcome extends AttemptOutcome {
  /** True for the first listener that asks: an attempt's result is taken once. */
  take: () => boolean;
}

/** The part of the runner that use-cases know. */
export interface Jobs {
  /** False in a program that runs only the jobs of its own command. */
  readonly isRunning: boolean;
  /** Runs a waiting job now, due or not; undefined when it is not waiting. Throws `held`. */
  runNow(id: number): Promise<AttemptOutcome | undefined>;
  /**
   * Claims a job for this process in the unit that enqueues it, if a slot is free. After the commit the caller passes
   * the row to `run`. Undefined when all slots are taken; then it waits its turn.
   */
  claimHere(db: Db, job: Pick<JobRow, 'id' | 'kind'>): JobRow | undefined;
  run(row: JobRow): Promise<AttemptOutcome>;
  /**
   * Resolves with the outcome of the job's next attempt in this process; undefined when none ends within `waitMs`.
   * Called in the unit that enqueues the job, it never receives an earlier attempt's outcome.
   */
  nextOutcome(id: number, waitMs: number): Promise<HeardOutcome | undefined>;
}
