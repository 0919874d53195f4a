/**
 * Runs jobs in this process: claims them under a lease (ADR 3), runs and settles them. A handler's effect and the
 * job's completion are one transaction, so a handler may run twice, but its effect is stored once.
 *
 * Our own commits need no polling: one that enqueues a job wakes the runner, and a timer waits for the next due time.
 * Commits of other processes are noticed by the database's watch.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '../log/log.js';
import type { Db } from '../../db/db.js';
import { claimJob, claimJobs, renewLeases, shortenLeases, type Lease } from '../../db/jobs/claims.js';
import { insertClaimedJob, listRunningJobs, type NewJob } from '../../db/jobs/jobs.js';
import { firstDueTimes, isAnyDue } from '../../db/jobs/waiting.js';
import type { JobRow } from '../../db/schema.js';
import { watchDatabase } from '../../db/watch.js';
import type { Writer } from '../../db/writer.js';
import { addMs, iso, MINUTE_MS, type Clock } from '../clock.js';
import { once } from '../once.js';
import type { Metrics } from '../status/metrics.js';
import { isHeld, refuseWhileHeld } from '../installation/hold.js';
import { hasEnded } from '../installation/process.js';
import { CallsFirst } from './calls-first.js';
import { Attempts, Outcomes, type Handle } from './attempts.js';
import { beginWaitsAnew, TOLERANCE_MS } from './clock-set-back.js';
import { releaseRunning } from './release.js';
import type { AttemptOutcome, HeardOutcome, JobKind, Jobs } from './kind.js';
import { JOB_KINDS } from './kinds.js';
import { JOB_NAMES } from './names.js';
import { Lanes, Slots } from './lanes.js';
import { JOBS_TOPIC, takers } from './queue.js';

const LEASE_MS = MINUTE_MS;
const RENEW_MS = 20_000;
const LOST_CHECK_MS = 5_000;
/** How often to look for due jobs whatever the timer says, so that a changed clock delays no job for long. */
const LOOK_MS = 30_000;
/** Timers cannot wait longer. */
const SLEEP_MAX_MS = 2 ** 31 - 1;
const STOP_GRACE_MS = 30_000;
const CLAIM_AGAIN_MS = 1_000;

export interface JobRunnerParts {
  db: Db;
  writer: Writer;
  clock: Clock;
  log: Log;
  holder: string;
  handle: Handle;
  metrics?: Metrics | undefined;
  /** Overrides the slots of a kind. */
  slots?: Readonly<Record<string, number>> | undefined;
}

export class JobRunner implements Jobs {
  readonly #parts: JobRunnerParts;
  // Made when first asked for: most commands run no job.
  readonly #leaseToken = once(() => randomUUID());
  readonly #slots: Slots;
  readonly #lanes: Lanes;
  readonly #attempts: Attempts;
  readonly #outcomes = new Outcomes();
  readonly calls = new CallsFirst();
  readonly #running = new Set<Promise<unknown>>();
  /** Stored as claimed by units that are not committed yet. */
  readonly #taken = new Map<number, { row: JobRow; begin: () => void }>();
  readonly #stops: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #pumping: Promise<void> | undefined;
  #pumpAgain = false;
  /** Also as long as it has not looked. */
  #isHeld = true;
  /** Kinds of which due jobs wait: a freed slot is for them, and what is new waits behind them. */
  #queued = new Set<string>();
  #started = false;
  #stopping = false;

  constructor(parts: JobRunnerParts) {
    this.#parts = parts;
    this.#slots = new Slots(parts.slots);
    const inLanes = JOB_KINDS.filter(({ isInLanes }) => isInLanes);
    const lanes = new Lanes(Math.max(...inLanes.map(({ name }) => this.#slots.free(name))));
    this.#lanes = lanes;
    this.#attempts = new Attempts({
      ...parts,
      lanes,
      outcomes: this.#outcomes,
      leaseToken: this.#leaseToken,
    });
  }

  get isRunning(): boolean {
    return this.#started && !this.#stopping;
  }

  /** Releases what a crash left behind, then runs jobs as they become due until `stop`. */
  async start(): Promise<void> {
    this.#started = true;
    await this.recover();
    this.#stops.push(this.#parts.writer.onCommit(JOBS_TOPIC, () => this.#wake()));
    this.#stops.push(this.#watch());
    takers.set(this.#parts.db, (db, job) => this.#take(db, job));
    this.#stops.push(() => takers.delete(this.#parts.db));
    this.#every(RENEW_MS, () => this.#renew());
    this.#every(LOST_CHECK_MS, () => this.#recoverLost());
    this.#every(LOOK_MS, () => this.#wake());
    await this.#beginWaitsAnew();
  }

  /** Claims nothing more and waits for running jobs, 30 s at most; then releases the rest. */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stops.splice(0)) stop();
    await this.#pumping;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([this.idle(), grace]);
    clearTimeout(timer);
    if (this.#running.size === 0) return;
    this.#attempts.abort();
    await this.#giveUpRunning().catch((error: unknown) =>
      // The next start releases them, because their process is dead then.
      this.#parts.log.error({ err: error }, 'jobs that still run could not be given back'),
    );
  }

  /** Whatever these attempts still do is not stored: their lease is gone. */
  async #giveUpRunning(): Promise<void> {
    const isOurs = ({ leaseToken }: JobRow) => leaseToken === this.#leaseToken();
    await this.#release(isOurs, () => new Error('the program that ran it was stopped'));
  }

  #release(isLost: (job: JobRow) => boolean, reason: (job: JobRow) => unknown): Promise<number[]> {
    return releaseRunning(this.#parts, isLost, reason);
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  /** Runs every due job, and those they make due, until none is left; returns the number of attempts. */
  async drain(): Promise<number> {
    for (let tries = 0; ;) {
      const claimed = await this.#claimDue();
      if (claimed.length === 0) return tries;
      await Promise.all(claimed.map((row) => this.run(row)));
      tries += claimed.length;
    }
  }

  async runNow(id: number): Promise<AttemptOutcome | undefined> {
    refuseWhileHeld(this.#parts);
    const row = await this.#parts.writer.write((db) => claimJob(db, { id, ...this.#lease() }));
    return row && this.run(row);
  }

  claimHere(db: Db, { id, kind }: Pick<JobRow, 'id' | 'kind'>): JobRow | undefined {
    const taken = this.#taken.get(id);
    // Not there, if the unit that stored it was undone: the id is another job's now.
    const at = taken ? db.afterCommit.indexOf(taken.begin) : -1;
    if (taken && at >= 0) {
      db.afterCommit.splice(at, 1);
      return taken.row;
    }
    if (this.#stopping || this.#slots.free(kind) <= 0 || isHeld(this.#parts)) return undefined;
    const claimed = claimJob(db, { id, ...this.#lease() });
    if (claimed) this.#slots.reserve(kind, 1);
    return claimed;
  }

  /** Stores a new job as claimed and begins it after the commit, if it need not wait: for its time, its lane, others or a slot. */
  #take(db: Db, job: NewJob): number | undefined {
    if (job.lane !== null || Date.parse(job.runAt) > this.#parts.clock.now().getTime()) return undefined;
    if (this.#isHeld || this.#queued.has(job.kind) || this.#slots.free(job.kind) <= 0) return undefined;
    const row = insertClaimedJob(db, { ...job, ...this.#lease() });
    if (!row) return undefined;
    this.#slots.reserve(job.kind, 1);
    const begin = () => {
      this.#taken.clear();
      void this.run(row);
    };
    this.#taken.set(row.id, { row, begin });
    db.afterCommit.push(begin);
    return row.id;
  }

  run(row: JobRow): Promise<AttemptOutcome> {
    this.#slots.take(row.kind);
    const trying = this.#attempt(row).then((outcome) => {
      this.#running.delete(trying);
      return outcome;
    });
    this.#running.add(trying);
    return trying;
  }

  async #attempt(row: JobRow): Promise<AttemptOutcome> {
    if (this.calls.areComing) await this.calls.over();
    let seconds = 0;
    const outcome = await this.#attempts.make(row, (ms) => {
      seconds = ms / 1000;
      // Freed before it is on disk, so that the next claim shares its commit.
      this.#slots.release(row.kind);
      this.#lanes.end(row);
      if (row.lane !== null || this.#queued.has(row.kind)) this.#wake();
    });
    // Only now is its lane free.
    if (row.lane !== null) this.#wake();
    this.#parts.metrics?.jobTried({ kind: row.kind, outcome: outcome.state, seconds });
    return outcome;
  }

  nextOutcome(id: number, waitMs: number): Promise<HeardOutcome | undefined> {
    return this.#outcomes.next(id, waitMs);
  }

  /**
   * Releases jobs that nobody works on: those whose process has ended, those with an expired lease, and our own whose
   * end could not be stored.
   */
  async recover(): Promise<number> {
    const now = iso(this.#parts.clock.now());
    const { unstored } = this.#attempts;
    const isLost = (job: JobRow) =>
      job.leaseToken === this.#leaseToken()
        ? unstored.has(job.id)
        : (job.leaseUntil as string) < now || hasEnded(job.leaseHolder, this.#parts.holder);
    const lost = await this.#release(
      isLost,
      ({ id }) => unstored.get(id) ?? new Error('the process that ran it ended'),
    );
    for (const id of lost) unstored.delete(id);
    return lost.length;
  }

  #recoverLost(): void {
    this.recover().catch((error: unknown) =>
      this.#parts.log.error({ err: error }, 'jobs that nobody is working on could not be released'),
    );
  }

  #lease(): Lease {
    return {
      leaseToken: this.#leaseToken(),
      leaseHolder: this.#parts.holder,
      leaseUntil: iso(addMs(this.#parts.clock.now(), LEASE_MS)),
    };
  }

  #every(ms: number, act: () => void): void {
    const timer = setInterval(act, ms);
    this.#stops.push(() => clearInterval(timer));
  }

  /** Acts on what our own commits do not announce: those of another process, and a clock that was set back. */
  #watch(): () => void {
    const read = () => ({ version: this.#parts.db.dataVersion(), clock: this.#parts.clock.now().getTime() });
    let seen = read();
    return watchDatabase(this.#parts.db.raw.name, () => {
      // Notices files that were moved, also while nothing is written.
      this.#parts.writer.refusal();
      const before = seen;
      seen = read();
      if (seen.clock < before.clock - TOLERANCE_MS) void this.#beginWaitsAnew();
      const isNews = seen.version !== before.version;
      if (isNews) this.#wake();
      return isNews;
    });
  }

  /** Of jobs, and the leases of processes that cannot be seen from here. And looks for due jobs. */
  async #beginWaitsAnew(): Promise<void> {
    const now = this.#parts.clock.now();
    try {
      await this.#shortenLeases(now);
      for (const kind of JOB_NAMES) {
        const jobs = await beginWaitsAnew(this.#parts, kind, now);
        if (jobs > 0) this.#parts.log.warn({ kind, jobs }, 'the clock was set back: waits begin anew');
      }
    } catch (error) {
      this.#parts.log.error({ err: error }, 'waits could not begin anew after the clock was set back');
    }
    this.#wake();
  }

  /** Their holders renew them as long as they live. */
  async #shortenLeases(now: Date): Promise<void> {
    const leaseUntil = iso(addMs(now, LEASE_MS + TOLERANCE_MS));
    if (!listRunningJobs(this.#parts.db).some((job) => (job.leaseUntil as string) > leaseUntil)) return;
    const leases = await this.#parts.writer.write((db) => shortenLeases(db, { leaseUntil }));
    this.#parts.log.warn({ leases }, 'the clock was set back: leases begin anew');
  }

  #renew(): void {
    if (this.#running.size === 0) return;
    const until = iso(addMs(this.#parts.clock.now(), LEASE_MS));
    this.#parts.writer
      .write((db) => renewLeases(db, { leaseToken: this.#leaseToken(), leaseUntil: until }))
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'leases could not be renewed'));
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
    // While there is work, wakes follow each other; only the last one looks up when the next job is due.
    clearTimeout(this.#timer);
    if (this.isRunning) this.#timer = setTimeout(() => this.#sleep(), 0);
  }

  /** Due jobs stay due; without a pause a full disk would cause a busy loop. */
  #afterFailedPump(error: unknown): void {
    this.#pumping = undefined;
    this.#pumpAgain = false;
    this.#parts.log.error({ err: error }, 'jobs could not be claimed');
    if (this.isRunning) this.#timer = setTimeout(() => this.#wake(), CLAIM_AGAIN_MS);
  }

  async #pump(): Promise<void> {
    for (const row of await this.#claimDue()) void this.run(row);
  }

  /** Claims due jobs of every kind with a free slot, in one commit. */
  async #claimDue(): Promise<JobRow[]> {
    const now = iso(this.#parts.clock.now());
    const due = this.#nextDue(now).filter(({ dueAt }) => dueAt <= now);
    if (due.length === 0) return [];
    return this.#parts.writer.write((db) => due.flatMap(({ kind }) => this.#claim(db, kind, now)));
  }

  #claim(db: Db, { name, isInLanes }: JobKind, now: string): JobRow[] {
    const claim = { now, limit: this.#slots.free(name), ...this.#lease() };
    if (claim.limit <= 0) return [];
    const claimed = isInLanes ? this.#lanes.claim(db, claim) : claimJobs(db, { kind: name, ...claim });
    this.#slots.reserve(name, claimed.length);
    if (!isAnyDue(db, { kind: name, now })) this.#queued.delete(name);
    return claimed;
  }

  /**
   * When the first runnable job of each kind is due, except those due now that have no slot. None while held; whoever lets go
   * commits, which wakes us.
   */
  #nextDue(now: string): { kind: JobKind; dueAt: string }[] {
    const times = firstDueTimes(this.#parts.db, JOB_NAMES);
    this.#isHeld = times.heldSince !== null;
    const next = JOB_KINDS.flatMap((kind) => {
      const dueAt = kind.isInLanes ? this.#lanes.nextDueAt(times) : times[kind.name];
      return dueAt && !this.#isHeld ? [{ kind, dueAt }] : [];
    });
    this.#queued = new Set(next.flatMap(({ kind, dueAt }) => (dueAt <= now ? kind.name : [])));
    return next.filter(({ kind, dueAt }) => dueAt > now || this.#slots.free(kind.name) > 0);
  }

  #sleep(): void {
    if (this.#pumping) return;
    try {
      const now = this.#parts.clock.now();
      const waits = this.#nextDue(iso(now)).map(({ dueAt }) => Date.parse(dueAt) - now.getTime());
      if (waits.length === 0) return;
      this.#timer = setTimeout(() => this.#wake(), Math.max(0, Math.min(SLEEP_MAX_MS, ...waits)));
    } catch (error) {
      this.#afterFailedPump(error);
    }
  }
}
