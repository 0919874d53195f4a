/**
 * Time, and whose turn it is. The world is a list of things that will happen; the next one happens when everything
 * that the last one set going has come to rest. So nothing depends on how fast the computer is, and a year takes as
 * long as its events.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Disk } from './disk.js';

/** What `kill -9` ends: whatever was still to happen in it never happens. */
export class Process {
  static #lastPid = 1_000;
  readonly name: string;
  readonly machine: Machine;
  readonly pid: number;
  isAlive = true;
  /** Done at its death, such as letting go of files. */
  readonly atDeath: (() => void)[] = [];

  constructor(name: string, machine: Machine, pid?: number) {
    this.name = name;
    this.machine = machine;
    this.pid = pid ?? (Process.#lastPid += 1);
  }

  static beginAnew(): void {
    Process.#lastPid = 1_000;
  }
}

export interface Machine {
  /** How far its clock is ahead of the true time. */
  aheadMs: number;
  disk?: Disk;
}

export interface Happening {
  at: number;
  readonly process: Process;
  readonly run: () => void;
  isCanceled: boolean;
  /** Lets go of whatever else knows it, once it will not happen. */
  forget?: () => void;
}

/**
 * A `setInterval`. While nothing happens, its next turns would do what the last one did: they are left out, but for one
 * that notices what lapses while nothing happens, such as leases.
 */
export interface Poll {
  readonly everyMs: number;
  readonly process: Process;
  readonly run: () => void;
  isOver: boolean;
  next: Happening | undefined;
  /** The last turn there was. */
  turnAt: number;
}

/** Shorter intervals watch for changes only. */
const QUICK_MS = 1_000;
/** The longest lease, and some. */
const LAPSE_MS = 61_000;

const realImmediate = setImmediate;
const current = new AsyncLocalStorage<Process>();

export class Scheduler {
  readonly start: number;
  now: number;
  steps = 0;
  /** The world stands still, and what runs has the real machine. */
  isFrozen = false;
  /** Nothing happens in it any more. */
  isOver = false;
  /** The next event runs when this is zero: work of Node's own threads, such as a digest. */
  #outside = 0;
  #wakeLoop: (() => void) | undefined;
  #events = 0;
  /** The next one is the last. */
  readonly #list: Happening[] = [];
  readonly #resting = new Set<Poll>();
  /** Whatever runs in no process of the world: the simulator itself. */
  readonly nobody: Process;
  readonly processes = new Map<number, Process>();
  readonly #outsideQueue = { last: Promise.resolve() as Promise<unknown> };

  constructor(start: number) {
    Process.beginAnew();
    this.start = start;
    this.now = start;
    this.nobody = this.begin('world', { aheadMs: 0 });
  }

  begin(name: string, machine: Machine): Process {
    const process = new Process(name, machine);
    this.processes.set(process.pid, process);
    return process;
  }

  kill(process: Process): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    this.processes.delete(process.pid);
    for (const act of process.atDeath.splice(0)) act();
    this.happened();
  }

  /** Nothing happens any more, and nothing of it is kept: what was cut short may still know this world. */
  end(): void {
    this.isOver = true;
    for (const process of this.processes.values()) this.kill(process);
    for (const { forget } of this.#list.splice(0)) forget?.();
    this.#resting.clear();
  }

  process(): Process {
    return current.getStore() ?? this.nobody;
  }

  /** Runs `work` as this process. */
  in<T>(process: Process, work: () => T): T {
    return current.run(process, work);
  }

  /** Wall-clock time as this process sees it. */
  clock(): number {
    return Math.floor(this.now + this.process().machine.aheadMs);
  }

  after(ms: number, run: () => void, process = this.process()): Happening {
    const at = this.now + (ms > 0 ? ms : 0);
    const happening: Happening = { at, process, run, isCanceled: false };
    this.#push(happening);
    return happening;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Something that a poll might notice. */
  happened(): void {
    this.#events += 1;
    if (this.#resting.size === 0) return;
    for (const poll of this.#resting) this.#planTurn(poll);
    this.#resting.clear();
  }

  every(ms: number, run: () => void): Poll {
    const process = this.process();
    const poll = { everyMs: Math.max(1, ms), process, run, isOver: false, next: undefined, turnAt: this.now };
    this.#planTurn(poll);
    return poll;
  }

  endPoll(poll: Poll): void {
    poll.isOver = true;
    if (poll.next) poll.next.isCanceled = true;
    this.#resting.delete(poll);
  }

  /** The first turn that is due after this time. */
  #planTurn(poll: Poll, waitMs = 0): void {
    if (poll.next) poll.next.isCanceled = true;
    const turns = Math.floor((this.now + waitMs - poll.turnAt) / poll.everyMs) + 1;
    const at = poll.turnAt + turns * poll.everyMs;
    poll.next = this.after(at - this.now, () => this.#turn(poll, at, waitMs === 0), poll.process);
  }

  #turn(poll: Poll, at: number, isNews: boolean): void {
    poll.turnAt = at;
    const before = this.#events;
    poll.run();
    if (poll.isOver) return;
    if (this.#events !== before) return this.#planTurn(poll);
    if (isNews && poll.everyMs >= QUICK_MS) this.#planTurn(poll, LAPSE_MS);
    this.#resting.add(poll);
  }

  /**
   * Holds the world until Node's own threads have done `work`. One at a time, so that the order in which they end is
   * the order in which they began.
   */
  outside<T>(work: () => Promise<T>): Promise<T> {
    if (this.isFrozen) return work();
    this.#outside += 1;
    const done = this.#outsideQueue.last.then(work);
    this.#outsideQueue.last = done.catch(() => undefined);
    const ended = () => {
      this.#outside -= 1;
      if (this.#outside === 0) this.#wakeLoop?.();
    };
    done.then(ended, ended);
    return done;
  }

  /** Holds the world while `work` uses real files and real timers. */
  async frozen<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.outside(async () => {
      this.isFrozen = true;
      try {
        return await work();
      } finally {
        this.isFrozen = false;
      }
    });
    this.happened();
    return result;
  }

  /** Resolves when nothing runs any more that has begun. */
  async #quiet(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => realImmediate(resolve));
      if (this.#outside === 0) return;
      await new Promise<void>((resolve) => (this.#wakeLoop = resolve));
      this.#wakeLoop = undefined;
    }
  }

  /** Lets things happen until `isOver`, or until nothing is left to happen. */
  async run(isOver: () => boolean): Promise<void> {
    await this.#quiet();
    while (!isOver()) {
      const next = this.#list.pop();
      if (!next) return;
      if (next.isCanceled || !next.process.isAlive) {
        next.forget?.();
        continue;
      }
      this.now = Math.max(this.now, next.at);
      this.steps += 1;
      current.run(next.process, next.run);
      await this.#quiet();
    }
  }

  /** Behind whatever happens at the same moment; most things happen soon, so the list is searched from its early end. */
  #push(happening: Happening): void {
    let [low, high] = [0, this.#list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#list[middle] as Happening).at > happening.at) low = middle + 1;
      else high = middle;
    }
    this.#list.splice(low, 0, happening);
  }
}
