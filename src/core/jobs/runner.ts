/**
 * Runs the jobs of the table inside this process: claims under a lease, runs, settles. A handler's effect and the job's
 * completion are one transaction; a handler may therefore run twice, but its effect is stored once.
 *
 * Nothing is polled in this process: a commit that owes a job wakes the runner, and one timer waits for the next due
 * time. What other processes write is noticed by the database's data version.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Db } from '../../db/db.js';
import {
  claimJob,
  claimJobs,
  completeJob,
  findJob,
  listRunningJobs,
  nextRunAt,
  renewLeases,
  type Lease,
} from '../../db/jobs.js';
import type { JobKind, JobRow } from '../../db/schema.js';
import type { Writer } from '../../db/writer.js';
import { addMs, iso, type Clock } from '../clock.js';
import { describeError } from '../errors.js';
import { NOT_MEASURED, type Metrics } from '../metrics.js';
import { isProcessAlive } from '../process.js';
import { beginWaitsAnew, TOLERANCE_MS } from './clock-set-back.js';
import { giveBack } from './give-back.js';
import { JOB_KINDS, parseJob, type Job } from './kinds.js';
import { KIND_IN_LANES, Lanes } from './lanes.js';
import { enqueueAgain, enqueueClaimed, JOBS_TOPIC, type NewWork } from './queue.js';

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

const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** How often other processes' commits are looked for; well within the 250 ms that are promised. */
const WATCH_MS = 100;
const LAPSED_CHECK_MS = 5_000;
/** The longest a timer sleeps, so that a clock that is set back or forth delays no job for long. */
const SLEEP_MAX_MS = 30_000;
const STOP_GRACE_MS = 30_000;
/** After a claim that failed. */
const CLAIM_AGAIN_MS = 1_000;

/** How many jobs of a kind run at once: a slow mail server or a hanging receiver never takes the place of a payment. */
export const SLOTS: Readonly<Record<JobKind, number>> = {
  'create-payment-session': 8,
  'complete-signature': 32,
  'send-mail': 8,
  'deliver-webhook': 64,
};

export interface JobRunnerParts {
  db: Db;
  writer: Writer;
  clock: Clock;
  log: Logger;
  metrics?: Metrics | undefined;
  /** Other numbers of jobs of a kind at once than the usual ones. */
  slots?: Partial<Record<JobKind, number>> | undefined;
}

export class JobRunner {
  readonly #db: Db;
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #leaseToken = randomUUID();
  readonly #slots: Readonly<Record<JobKind, number>>;
  readonly #busy: Record<JobKind, number>;
  readonly #lanes: Lanes;
  readonly #running = new Set<Promise<unknown>>();
  readonly #waiting = new Map<number, Set<(outcome?: TryOutcome) => void>>();
  /** Tries that ended without it being written down (a full disk), by job: their leases are ours, but nobody works on them. */
  readonly #unstored = new Map<number, unknown>();
  readonly #abort = new AbortController();
  readonly #stops: (() => void)[] = [];
  #handlers: JobHandlers | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pumping: Promise<void> | undefined;
  #pumpAgain = false;
  #started = false;
  #stopping = false;

  constructor({ db, writer, clock, log, metrics, slots }: JobRunnerParts) {
    this.#db = db;
    this.#writer = writer;
    this.#clock = clock;
    this.#log = log;
    this.#metrics = metrics ?? NOT_MEASURED;
    this.#slots = { ...SLOTS, ...slots };
    // Every try listens to it.
    setMaxListeners(0, this.#abort.signal);
    this.#lanes = new Lanes(this.#slots[KIND_IN_LANES]);
    this.#busy = Object.fromEntries(JOB_KINDS.map((kind) => [kind, 0])) as Record<JobKind, number>;
  }

  /** Tells the runner how each kind is done; before anything runs. */
  handle(handlers: JobHandlers): void {
    this.#handlers = handlers;
  }

  get isRunning(): boolean {
    return this.#started && !this.#stopping;
  }

  /** Takes up what a crash left behind, then runs jobs as they become due until `stop`. */
  async start(): Promise<void> {
    this.#started = true;
    await this.recover((job) => !isProcessAlive(job.leasePid) || job.leasePid === process.pid);
    await this.#beginWaitsAnew();
    this.#stops.push(this.#writer.onCommit(JOBS_TOPIC, () => this.#wake()));
    this.#every(WATCH_MS, this.#watchOthers());
    this.#every(WATCH_MS, this.#watchClock());
    this.#every(RENEW_MS, () => this.#renew());
    this.#every(LAPSED_CHECK_MS, () => this.#recoverLapsed());
    this.#wake();
  }

  /** Claims nothing more and waits for what runs, 30 s at most; what then still runs is given back. */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stops.splice(0)) stop();
    await this.#pumping;
    if (this.#running.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([this.idle(), grace]);
    clearTimeout(timer);
    if (this.#running.size === 0) return;
    this.#abort.abort(new Error('the daemon stops'));
    await this.#giveUpRunning().catch((error: unknown) =>
      // The next start takes them up: their process is dead then.
      this.#log.error({ err: error }, 'jobs that still run could not be given back'),
    );
  }

  /** Whatever these tries still do is not stored: their lease is gone. */
  #giveUpRunning(): Promise<void> {
    return this.#writer.write((db) => {
      const ours = listRunningJobs(db).filter(({ leaseToken }) => leaseToken === this.#leaseToken);
      for (const job of ours)
        giveBack(db, job, new Error('the daemon stopped while it ran'), this.#clock.now());
    });
  }

  /** Resolves when nothing runs in this process any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** Runs every job that is due now, and those that they make due, until none is left; tells how many tries that were. */
  async drain(): Promise<number> {
    for (let tries = 0; ;) {
      const claimed = await this.#claimDue();
      if (claimed.length === 0) return tries;
      await Promise.all(claimed.map((row) => this.#run(row)));
      tries += claimed.length;
    }
  }

  /** Runs one waiting job now, due or not; undefined: it is not waiting (somebody runs it, or it has ended). */
  async runNow(id: number): Promise<TryOutcome | undefined> {
    const row = await this.#writer.write((db) => claimJob(db, { id, ...this.#lease() }));
    return row && this.#run(row);
  }

  /**
   * In the unit that owes it: takes the job for this process if a slot is free, which spares a second commit. After
   * the commit the caller passes the row to `run`; undefined: all slots are taken, and it waits its turn in the table.
   */
  claimHere(db: Db, { id, kind }: Pick<JobRow, 'id' | 'kind'>): JobRow | undefined {
    return this.#hasSlot(kind) ? claimJob(db, { id, ...this.#lease() }) : undefined;
  }

  /** `enqueueAgain` and `claimHere` in one; a job that is new is stored as one that is taken. */
  enqueueHere<K extends JobKind>(
    db: Db,
    work: NewWork<K> & { uniqueKey: string },
  ): { id: number; claimed: JobRow | undefined } {
    const claimed = this.#hasSlot(work.kind) ? enqueueClaimed(db, work, this.#lease()) : undefined;
    if (claimed) return { id: claimed.id, claimed };
    const owed = enqueueAgain(db, work);
    return { id: owed.id, claimed: this.claimHere(db, owed) };
  }

  #hasSlot(kind: JobKind): boolean {
    return !this.#stopping && this.#free(kind) > 0;
  }

  /** Runs a job that `claimHere` or `enqueueHere` took. */
  run(row: JobRow): Promise<TryOutcome> {
    return this.#run(row);
  }

  /** Resolves with the next try of a job that this process makes; undefined: it made none within `waitMs`. */
  nextOutcome(id: number, waitMs: number): Promise<TryOutcome | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      const done = (outcome?: TryOutcome) => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve(outcome);
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.set(id, waiting.add(done));
    });
  }

  /**
   * Gives back the jobs that nobody works on any more: those whose lease has lapsed, those that `isOrphan` names, and
   * our own whose end could not be written down.
   */
  async recover(isOrphan: (job: JobRow) => boolean): Promise<number> {
    const now = iso(this.#clock.now());
    const isLost = (job: JobRow) =>
      job.leaseToken === this.#leaseToken
        ? this.#unstored.has(job.id)
        : (job.leaseUntil as string) < now || isOrphan(job);
    if (!listRunningJobs(this.#db).some(isLost)) return 0;
    const lost = await this.#writer.write((db) => {
      const lost = listRunningJobs(db).filter(isLost);
      for (const job of lost) {
        const error = this.#unstored.get(job.id) ?? new Error('the process that ran it ended');
        giveBack(db, job, error, this.#clock.now());
      }
      return lost;
    });
    for (const { id } of lost) this.#unstored.delete(id);
    return lost.length;
  }

  #recoverLapsed(): void {
    this.recover(() => false).catch((error: unknown) =>
      this.#log.error({ err: error }, 'lapsed jobs could not be given back'),
    );
  }

  #lease(): Lease {
    return {
      leaseToken: this.#leaseToken,
      leasePid: process.pid,
      leaseUntil: iso(addMs(this.#clock.now(), LEASE_MS)),
    };
  }

  #every(ms: number, act: () => void): void {
    const timer = setInterval(act, ms);
    this.#stops.push(() => clearInterval(timer));
  }

  #watchOthers(): () => void {
    let seen = this.#db.dataVersion();
    return () => {
      const version = this.#db.dataVersion();
      if (version === seen) return;
      seen = version;
      this.#wake();
    };
  }

  #watchClock(): () => void {
    let seen = this.#clock.now().getTime();
    return () => {
      const now = this.#clock.now().getTime();
      const isSetBack = now < seen - TOLERANCE_MS;
      seen = now;
      if (isSetBack) void this.#beginWaitsAnew();
    };
  }

  async #beginWaitsAnew(): Promise<void> {
    const now = this.#clock.now();
    try {
      for (const kind of JOB_KINDS) {
        const jobs = await beginWaitsAnew({ db: this.#db, writer: this.#writer }, kind, now);
        if (jobs > 0) this.#log.warn({ kind, jobs }, 'the clock was set back: waits begin anew');
      }
    } catch (error) {
      this.#log.error({ err: error }, 'waits could not begin anew after the clock was set back');
    }
    this.#wake();
  }

  #renew(): void {
    if (this.#running.size === 0) return;
    const until = iso(addMs(this.#clock.now(), LEASE_MS));
    this.#writer
      .write((db) => renewLeases(db, this.#leaseToken, until))
      .catch((error: unknown) => this.#log.error({ err: error }, 'leases could not be renewed'));
  }

  #wake(): void {
    if (!this.isRunning) return;
    if (this.#pumping) {
      this.#pumpAgain = true;
      return;
    }
    this.#pumping = this.#pump().then(
      () => this.#afterPump(),
      (error: unknown) => this.#afterFailedPump(error),
    );
  }

  #afterPump(): void {
    this.#pumping = undefined;
    if (this.#pumpAgain) {
      this.#pumpAgain = false;
      this.#wake();
    } else this.#sleep();
  }

  /** What is due stays due: without a pause a full disk would be asked without end. */
  #afterFailedPump(error: unknown): void {
    this.#pumping = undefined;
    this.#pumpAgain = false;
    this.#log.error({ err: error }, 'jobs could not be claimed');
    if (this.isRunning) this.#timer = setTimeout(() => this.#wake(), CLAIM_AGAIN_MS);
  }

  async #pump(): Promise<void> {
    for (const row of await this.#claimDue()) void this.#run(row);
  }

  /** Claims, in one commit, what is due for every kind that has a slot free. */
  async #claimDue(): Promise<JobRow[]> {
    const now = iso(this.#clock.now());
    const due = JOB_KINDS.filter((kind) => this.#free(kind) > 0 && isDue(this.#nextDueAt(kind), now));
    if (due.length === 0) return [];
    return this.#writer.write((db) => due.flatMap((kind) => this.#claim(db, kind, now)));
  }

  #claim(db: Db, kind: JobKind, now: string): JobRow[] {
    const claim = { now, limit: this.#free(kind), ...this.#lease() };
    return kind === KIND_IN_LANES ? this.#lanes.claim(db, claim) : claimJobs(db, { kind, ...claim });
  }

  #nextDueAt(kind: JobKind): string | undefined {
    return kind === KIND_IN_LANES ? this.#lanes.nextDueAt(this.#db) : nextRunAt(this.#db, kind);
  }

  #free(kind: JobKind): number {
    return this.#slots[kind] - this.#busy[kind];
  }

  #sleep(): void {
    clearTimeout(this.#timer);
    if (!this.isRunning) return;
    const times = JOB_KINDS.filter((kind) => this.#free(kind) > 0)
      .map((kind) => this.#nextDueAt(kind))
      .filter((time) => time !== undefined)
      .map((time) => Date.parse(time));
    const wait = Math.min(SLEEP_MAX_MS, ...times.map((time) => time - this.#clock.now().getTime()));
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, wait));
  }

  #run(row: JobRow): Promise<TryOutcome> {
    this.#busy[row.kind] += 1;
    this.#unstored.delete(row.id);
    const trying = this.#try(row).then((outcome) => {
      this.#running.delete(trying);
      for (const tell of this.#waiting.get(row.id) ?? []) tell(outcome);
      return outcome;
    });
    this.#running.add(trying);
    return trying;
  }

  async #try(row: JobRow): Promise<TryOutcome> {
    const begun = performance.now();
    const storing = await this.#do(row).then(
      (result) => (ms: number) => this.#completed(row, result, ms),
      (error: unknown) => (ms: number) => this.#failed(row, error, ms),
    );
    const ms = performance.now() - begun;
    const stored = storing(ms);
    // Freed before that is on disk: the next claim shares its commit.
    this.#busy[row.kind] -= 1;
    this.#lanes.end(row);
    this.#wake();
    const outcome = await stored;
    // Its lane is free only now.
    if (row.lane !== null) this.#wake();
    this.#metrics.jobTried({ kind: row.kind, outcome: outcome.state, seconds: ms / 1000 });
    return outcome;
  }

  async #completed(row: JobRow, { settle, outcome }: JobResult, ms: number): Promise<TryOutcome> {
    try {
      const decided = await this.#writer.write((db) => {
        const word = settle?.(db);
        this.#lanes.settle(db, row, ms);
        const finishedAt = iso(this.#clock.now());
        if (!completeJob(db, { id: row.id, leaseToken: this.#leaseToken, finishedAt })) throw new LostLease();
        return word;
      });
      this.#log.info({ jobId: row.id, kind: row.kind, requestId: row.requestId ?? undefined }, 'job done');
      return { state: 'completed', outcome: decided ?? outcome };
    } catch (error) {
      return this.#failed(row, error, ms);
    }
  }

  async #do(row: JobRow): Promise<JobResult> {
    if (!this.#handlers) throw new Error('no handlers');
    const job = parseJob(row);
    const handler = this.#handlers[job.kind] as (job: Job, signal: AbortSignal) => Promise<JobResult>;
    return handler(job, this.#abort.signal);
  }

  async #failed(row: JobRow, error: unknown, ms: number): Promise<TryOutcome> {
    if (error instanceof LostLease) return { state: 'lost' };
    try {
      const state = await this.#writer.write((db) => {
        this.#lanes.settle(db, row, ms);
        return giveBack(db, row, error, this.#clock.now());
      });
      if (state === 'lost') return { state };
      this.#log.warn(
        {
          jobId: row.id,
          kind: row.kind,
          requestId: row.requestId,
          attempt: row.attempt,
          error: describeError(error),
        },
        state === 'failed' ? 'job failed for good' : 'job failed, will be tried again',
      );
      return { state, error };
    } catch (writeError) {
      // The disk may be full: `recover` gives the job back as soon as that can be written.
      this.#unstored.set(row.id, error);
      this.#log.error({ jobId: row.id, kind: row.kind, err: writeError }, 'a failed try could not be stored');
      return { state: 'available', error };
    }
  }

  /** A job by its id, as it is stored now. */
  find(id: number): JobRow | undefined {
    return findJob(this.#db, id);
  }
}

/** Another runner took the job over; whatever this try did is not stored. */
class LostLease extends Error {}

function isDue(runAt: string | undefined, now: string): boolean {
  return runAt !== undefined && runAt <= now;
}
