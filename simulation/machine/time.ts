/** Replaces Node's clocks and timers by those of the simulated world. */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Cron } from 'croner';
import type { Happening, Poll, Process, Scheduler } from './scheduler.js';

const require = createRequire(import.meta.url);

/** The part of Node's timers that the programs use. */
class Timer {
  readonly #cancel: () => void;
  constructor(cancel: () => void) {
    this.#cancel = cancel;
  }
  close(): this {
    this.#cancel();
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

const real = { setTimeout, setImmediate, setInterval, clearTimeout };

const clear = (timer: unknown): void => {
  if (timer instanceof Timer) timer.close();
  else real.clearTimeout(timer as NodeJS.Timeout);
};

export function installTime(world: () => Scheduler): void {
  const cancel = (happening: Happening) => new Timer(() => (happening.isCanceled = true));
  const setTimeout = (run: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) =>
    world().isFrozen
      ? real.setTimeout(run, ms, ...args)
      : // Node's shortest wait.
        cancel(world().after(Math.max(1, ms || 1), () => run(...args)));
  const setImmediate = (run: (...args: unknown[]) => void, ...args: unknown[]) =>
    world().isFrozen ? real.setImmediate(run, ...args) : cancel(world().after(0, () => run(...args)));
  const setInterval = (run: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) => {
    if (world().isFrozen) return real.setInterval(run, ms, ...args);
    const poll: Poll = world().every(ms, () => run(...args));
    return new Timer(() => world().endPoll(poll));
  };
  const own = {
    setTimeout,
    setImmediate,
    setInterval,
    clearTimeout: clear,
    clearImmediate: clear,
    clearInterval: clear,
  };
  Object.assign(globalThis, own);
  Object.assign(require('node:timers'), own);
  Object.assign(require('node:timers/promises'), {
    setTimeout: <T>(ms?: number, value?: T, options?: { signal?: AbortSignal }) =>
      pause(world(), Math.max(1, ms ?? 1), value, options?.signal),
    setImmediate: <T>(value?: T, options?: { signal?: AbortSignal }) =>
      pause(world(), 0, value, options?.signal),
  });
  syncBuiltinESMExports();

  AbortSignal.timeout = (ms) => {
    const late = new AbortController();
    setTimeout(
      () => late.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      ms,
    );
    return late.signal;
  };
  performance.now = () => world().now - world().start;
  globalThis.Date = class extends Date {
    constructor(...given: [] | [string]) {
      if (given.length === 0) super(world().clock());
      // Passing on a list would take several times as long.
      else if (given.length === 1) super(given[0]);
      else super(...(given as [string]));
    }
    static override now(): number {
      return world().clock();
    }
  } as DateConstructor;
  waitAtOnce(world);
}

function pause<T>(world: Scheduler, ms: number, value: T, signal?: AbortSignal): Promise<T> {
  if (world.isFrozen) return new Promise((resolve) => real.setTimeout(resolve, Math.min(ms, 1), value));
  return new Promise((resolve, reject) => {
    const refuse = () => {
      happening.isCanceled = true;
      reject(
        Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), {
          code: 'ABORT_ERR',
          name: 'AbortError',
        }),
      );
    };
    const happening = world.after(ms, () => {
      happening.forget?.();
      resolve(value);
    });
    happening.forget = () => signal?.removeEventListener('abort', refuse);
    if (signal?.aborted) refuse();
    else signal?.addEventListener('abort', refuse, { once: true });
  });
}

interface Schedule {
  _states: { currentTimeout: unknown; kill: boolean };
}

interface Looking {
  process: Process;
  look: () => void;
}

/** Schedules look every half minute whether their time has come, in case the clock was set. Here we know when it is. */
const schedules = new WeakMap<Scheduler, Map<Schedule, Looking>>();

/** Of this world only, so that nothing of it stays when it is over. */
function schedulesOf(world: Scheduler) {
  const known = schedules.get(world) ?? new Map<Schedule, Looking>();
  schedules.set(world, known);
  return known;
}

function waitAtOnce(world: () => Scheduler): void {
  const prototype = Cron.prototype as unknown as { _checkTrigger: (this: Schedule, target: Date) => void };
  const { _checkTrigger: check } = prototype;
  prototype._checkTrigger = function (target) {
    const waitMs = target.getTime() - Date.now();
    schedulesOf(world()).delete(this);
    if (waitMs <= 0) return check.call(this, target);
    const look = () => {
      clear(this._states.currentTimeout);
      check.call(this, target);
    };
    schedulesOf(world()).set(this, { process: world().process(), look });
    this._states.currentTimeout = setTimeout(() => prototype._checkTrigger.call(this, target), waitMs);
  };
}

/** After a clock was set. */
export function clockWasSet(world: Scheduler): void {
  const known = schedulesOf(world);
  for (const [{ _states: states }, { process, look }] of Array.from(known)) {
    if (process.isAlive && !states.kill) world.in(process, look);
  }
  for (const [schedule, { process }] of known) {
    if (!process.isAlive || schedule._states.kill) known.delete(schedule);
  }
}
