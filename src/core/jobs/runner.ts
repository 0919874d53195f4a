/**
 * Runs the jobs of the table inside this process: claims under a lease, runs, settles. A handler's effect and the job's
 * completion are one transaction; a handler may therefore run twice, but its effect is stored once.
 *
 * Nothing is polled in this process: a commit that owes a job wakes the runner, and one timer waits for the next due
 * time. What other processes write is noticed by the database's data version.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Db } from '../../db/db.js';
import { claimJob, claimJobs, renewLeases, type Lease } from '../../db/claims.js';
import { findJob } from '../../db/jobs.js';
import { firstDueTimes } from '../../db/waiting-jobs.js';
import type { JobKind, JobRow } from '../../db/schema.js';
import type { Writer } from '../../db/writer.js';
import { addMs, iso, type Clock } from '../clock.js';
import { NOT_MEASURED, type Metrics } from '../metrics.js';
import { isProcessAlive } from '../process.js';
import { Attempts, type JobHandlers, type TryOutcome } from './attempts.js';
import { beginWaitsAnew } from './clock-set-back.js';
import { giveBackRunning } from './give-back.js';
import { JOB_KINDS } from './kinds.js';
import { KIND_IN_LANES, Lanes } from './lanes.js';
import { Outcomes, type HeardOutcome } from './outcomes.js';
import { enqueueAgain, enqueueClaimed, JOBS_TOPIC, type NewWork } from './queue.js';
import { Slots } from './slots.js';
import { watchClockSetBack, watchOthers } from './watches.js';

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
  readonly #slots: Slots;
  readonly #lanes: Lanes;
  readonly #attempts: Attempts;
  readonly #outcomes = new Outcomes();
  readonly #running = new Set<Promise<unknown>>();
  readonly #stops: (() => void)[] = [];
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
    this.#slots = new Slots(slots);
    this.#lanes = new Lanes(this.#slots.free(KIND_IN_LANES));
    this.#attempts = new Attempts({
      writer,
      clock,
      log,
      lanes: this.#lanes,
      outcomes: this.#outcomes,
      leaseToken: this.#leaseToken,
    });
  }

  /** Tells the runner how each kind is done; before anything runs. */
  handle(handlers: JobHandlers): void {
    this.#attempts.handle(handlers);
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
    this.#every(
      WATCH_MS,
      watchOthers(this.#db, () => this.#wake()),
    );
    this.#every(
      WATCH_MS,
      watchClockSetBack(this.#clock, () => void this.#beginWaitsAnew()),
    );
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
    this.#attempts.abort();
    await this.#giveUpRunning().catch((error: unknown) =>
      // The next start takes them up: their process is dead then.
      this.#log.error({ err: error }, 'jobs that still run could not be given back'),
    );
  }

  /** Whatever these tries still do is not stored: their lease is gone. */
  async #giveUpRunning(): Promise<void> {
    const isOurs = ({ leaseToken }: JobRow) => leaseToken === this.#leaseToken;
    await this.#giveBack(isOurs, () => new Error('the program that ran it was stopped'));
  }

  #giveBack(isLost: (job: JobRow) => boolean, reason: (job: JobRow) => unknown): Promise<number[]> {
    return giveBackRunning({ db: this.#db, writer: this.#writer, clock: this.#clock }, isLost, reason);
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
      await Promise.all(claimed.map((row) => this.run(row)));
      tries += claimed.length;
    }
  }

  /** Runs one waiting job now, due or not; undefined: it is not waiting (somebody runs it, or it has ended). */
  async runNow(id: number): Promise<TryOutcome | undefined> {
    const row = await this.#writer.write((db) => claimJob(db, { id, ...this.#lease() }));
    return row && this.run(row);
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
    return !this.#stopping && this.#slots.free(kind) > 0;
  }

  /** Runs a job that is taken, by `claimHere` for instance. */
  run(row: JobRow): Promise<TryOutcome> {
    this.#slots.take(row.kind);
    const trying = this.#try(row).then((outcome) => {
      this.#running.delete(trying);
      return outcome;
    });
    this.#running.add(trying);
    return trying;
  }

  async #try(row: JobRow): Promise<TryOutcome> {
    let seconds = 0;
    const outcome = await this.#attempts.make(row, (ms) => {
      seconds = ms / 1000;
      // Freed before that is on disk: the next claim shares its commit.
      this.#slots.release(row.kind);
      this.#lanes.end(row);
      this.#wake();
    });
    // Its lane is free only now.
    if (row.lane !== null) this.#wake();
    this.#metrics.jobTried({ kind: row.kind, outcome: outcome.state, seconds });
    return outcome;
  }

  /**
   * Resolves with the next try of a job that this process ends; undefined: it ended none within `waitMs`. Whoever owes
   * the try asks in the unit that does so, and never hears of the one before.
   */
  nextOutcome(id: number, waitMs: number): Promise<HeardOutcome | undefined> {
    return this.#outcomes.next(id, waitMs);
  }

  /**
   * Gives back the jobs that nobody works on any more: those whose lease has lapsed, those that `isOrphan` names, and
   * our own whose end could not be written down.
   */
  async recover(isOrphan: (job: JobRow) => boolean): Promise<number> {
    const now = iso(this.#clock.now());
    const { unstored } = this.#attempts;
    const isLost = (job: JobRow) =>
      job.leaseToken === this.#leaseToken
        ? unstored.has(job.id)
        : (job.leaseUntil as string) < now || isOrphan(job);
    const lost = await this.#giveBack(
      isLost,
      ({ id }) => unstored.get(id) ?? new Error('the process that ran it ended'),
    );
    for (const id of lost) unstored.delete(id);
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
      return;
    }
    // While there is work, wakes follow each other: only after the last of them it is asked when the next is due.
    clearTimeout(this.#timer);
    if (this.isRunning) this.#timer = setTimeout(() => this.#sleep(), 0);
  }

  /** What is due stays due: without a pause a full disk would be asked without end. */
  #afterFailedPump(error: unknown): void {
    this.#pumping = undefined;
    this.#pumpAgain = false;
    this.#log.error({ err: error }, 'jobs could not be claimed');
    if (this.isRunning) this.#timer = setTimeout(() => this.#wake(), CLAIM_AGAIN_MS);
  }

  async #pump(): Promise<void> {
    for (const row of await this.#claimDue()) void this.run(row);
  }

  /** Claims, in one commit, what is due for every kind that has a slot free. */
  async #claimDue(): Promise<JobRow[]> {
    const now = iso(this.#clock.now());
    const due = this.#nextDue().filter(({ dueAt }) => dueAt <= now);
    if (due.length === 0) return [];
    return this.#writer.write((db) => due.flatMap(({ kind }) => this.#claim(db, kind, now)));
  }

  #claim(db: Db, kind: JobKind, now: string): JobRow[] {
    const claim = { now, limit: this.#slots.free(kind), ...this.#lease() };
    return kind === KIND_IN_LANES ? this.#lanes.claim(db, claim) : claimJobs(db, { kind, ...claim });
  }

  /** When the first job that could run now is due, of each kind that has one and a slot free. */
  #nextDue(): { kind: JobKind; dueAt: string }[] {
    const times = firstDueTimes(this.#db);
    return this.#slots.open().flatMap((kind) => {
      const dueAt = kind === KIND_IN_LANES ? this.#lanes.nextDueAt(times) : times[kind];
      return dueAt ? [{ kind, dueAt }] : [];
    });
  }

  #sleep(): void {
    if (this.#pumping) return;
    try {
      const now = this.#clock.now().getTime();
      const waits = this.#nextDue().map(({ dueAt }) => Date.parse(dueAt) - now);
      this.#timer = setTimeout(() => this.#wake(), Math.max(0, Math.min(SLEEP_MAX_MS, ...waits)));
    } catch (error) {
      this.#afterFailedPump(error);
    }
  }

  /** A job by its id, as it is stored now. */
  find(id: number): JobRow | undefined {
    return findJob(this.#db, id);
  }
}
