/**
 * A round of calls to a provider about many things, one after the other (rules 5). One that fails stops nothing: the round breaks off
 * only after several failures in a row, or when the provider asks for more pauses than it may make. The next one begins behind
 * the place where it broke off.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE_MS } from '../clock.js';
import { findPlace, setPlace } from '../../db/installation/runs.js';
import type { Context } from '../context.js';
import { AppError, describeError } from '../errors.js';
import { CallCut, isProviderError, type ProviderError } from '../http/provider-error.js';
import type { By } from '../change.js';
import { tryOne, type EachAct, type Tried } from './each-act.js';

export type Pause = (ms: number, signal?: AbortSignal) => Promise<unknown>;

export interface Pacing {
  /** Ends the round after the current call. */
  signal?: AbortSignal | undefined;
  /** How to pause when the provider asks for it; tests replace it. */
  pause?: Pause | undefined;
}

export interface RoundOptions extends Pacing {
  /** All have to be answered: goes on however many fail, and pauses as long as it is asked to. */
  isPatient?: boolean;
  /** All pauses together; by default ten minutes. */
  pauseMsMax?: number;
}

export interface Act<T> {
  /** Unique among them, and always the same. */
  keyOf: (item: T) => number | string;
  /** In the trouble: `request 17`. */
  nameOf: (item: T) => string;
  act: (item: T) => Promise<unknown>;
  failed: (item: T, error: unknown) => unknown;
  name?: string | undefined;
  max?: number;
}

const IN_A_ROW_MAX = 3;
const PAUSE_MS_MAX = 10 * MINUTE_MS;
const PAUSE_IF_UNKNOWN_MS = MINUTE_MS;

export class Round {
  readonly #options: RoundOptions;
  #pauseLeftMs: number;
  #failures = 0;
  #firstFailure: string | undefined;
  #brokeOff: string | undefined;
  #isCut = false;
  #isLimited = false;

  constructor(options: RoundOptions = {}) {
    this.#options = options;
    this.#pauseLeftMs = options.isPatient ? Infinity : (options.pauseMsMax ?? PAUSE_MS_MAX);
  }

  /** Nothing more is asked. */
  get isOver(): boolean {
    return this.#isLimited || this.isInterrupted;
  }

  /** Ended from outside, in the middle or at its end. */
  get isInterrupted(): boolean {
    return this.#isCut || this.#options.signal?.aborted === true;
  }

  /** Not all were asked. */
  get hasBrokenOff(): boolean {
    return this.#brokeOff !== undefined;
  }

  /** Why it was not a good one; undefined when all were asked and answered, so far as nobody has ended it. */
  get trouble(): string | undefined {
    if (this.#brokeOff !== undefined) return `broke off: ${this.#brokeOff}`;
    if (this.#failures <= 1) return this.#firstFailure;
    return `${this.#failures} failed, the first being ${this.#firstFailure}`;
  }

  /** What `call` resolves with, repeated after the pauses that a rate limit asks for. Throws what it throws. */
  async ask<T>(call: () => Promise<T>): Promise<T> {
    for (let pauses = 0; ; pauses += 1) {
      try {
        return await call();
      } catch (error) {
        const limited = rateLimitOf(error);
        if (!limited) throw error;
        if (pauses === IN_A_ROW_MAX) this.#endByLimit(limited.message);
        if (!(await this.pause(limited.retryAfterMs ?? PAUSE_IF_UNKNOWN_MS, limited.message))) throw error;
      }
    }
  }

  /** False, and the round is over, when the pause is too long or was interrupted. */
  async pause(ms: number, why: string): Promise<boolean> {
    if (ms > this.#pauseLeftMs) this.#endByLimit(why);
    if (this.isOver) return false;
    this.#pauseLeftMs -= ms;
    const { signal, pause = politely } = this.#options;
    await pause(ms, signal);
    return !this.isOver;
  }

  /** A list could not be read on. What it would have named can still be asked for one by one. */
  listBrokeOff(error: unknown): void {
    this.#brokeOff ??= `the list: ${describeError(providersOwn(error))}`;
  }

  /**
   * Each in turn, at most `max`. Begins behind the one at which the last round of this name stopped, and keeps the place where it
   * stops itself; without a name at the first, and keeps nothing.
   */
  async each<T>(
    { db, writer }: Pick<Context, 'db' | 'writer'>,
    items: readonly T[],
    { keyOf, nameOf, act, failed, name, max = Infinity }: Act<T>,
  ): Promise<void> {
    const place = name === undefined ? undefined : findPlace(db, name);
    // Those that need no call, or another one, may still go through.
    this.#isLimited = false;
    let inARow = 0;
    const tried: T[] = [];
    for (const item of name === undefined ? items : behind(items, place, keyOf)) {
      if (this.isOver || tried.length >= max || inARow === this.#inARowMax) break;
      tried.push(item);
      try {
        await this.ask(() => act(item));
        inARow = 0;
      } catch (error) {
        if (this.#isCutBy(error)) break;
        await failed(item, error);
        inARow = isAboutOne(error) ? 0 : inARow + 1;
        this.#count(`${nameOf(item)}: ${describeError(providersOwn(error))}`, inARow);
      }
    }
    const last = tried.at(-1);
    if (name === undefined || (!last && items.length > 0)) return;
    const next = last && tried.length < items.length ? String(keyOf(last)) : undefined;
    if (next !== place) await writer.write((unit) => setPlace(unit, name, next));
  }

  get #inARowMax(): number {
    return this.#options.isPatient ? Infinity : IN_A_ROW_MAX;
  }

  /** Throws it when all have to be answered. */
  #isCutBy(error: unknown): boolean {
    if (!(error instanceof CallCut)) return false;
    if (this.#options.isPatient) throw error;
    this.#isCut = true;
    return true;
  }

  #count(failure: string, inARow: number): void {
    this.#failures += 1;
    this.#firstFailure ??= failure;
    if (inARow === this.#inARowMax) this.#brokeOff ??= `${inARow} failed in a row, the last being ${failure}`;
  }

  /** Nobody else would be answered either. */
  #endByLimit(why: string): void {
    this.#brokeOff ??= why;
    this.#isLimited = true;
  }
}

/** In the order of their keys; those up to the place come last. */
function behind<T>(items: readonly T[], place: string | undefined, keyOf: Act<T>['keyOf']): T[] {
  const isBehind = (item: T) => {
    const key = keyOf(item);
    return place === undefined || (typeof key === 'number' ? key > Number(place) : key > place);
  };
  const ordered = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return [...ordered.filter(isBehind), ...ordered.filter((item) => !isBehind(item))];
}

/** Its own words say more than the refusal that it led to. */
function providersOwn(error: unknown): unknown {
  return error instanceof AppError && isProviderError(error.cause) ? error.cause : error;
}

function rateLimitOf(error: unknown): ProviderError | undefined {
  const own = providersOwn(error);
  return isProviderError(own, 'rate_limited') ? own : undefined;
}

/** The provider, or a rule of ours, has answered: others may well go through. */
function isAboutOne(error: unknown): boolean {
  if (error instanceof AppError) return error.kind !== 'unavailable';
  return isProviderError(error, 'rejected', 'not_found');
}

/** Ends early when the signal aborts. */
function politely(ms: number, signal?: AbortSignal): Promise<unknown> {
  return wait(ms, undefined, { signal }).catch(() => undefined);
}

// Acts on many things, one after the other.

export interface InTurn<Result> extends By {
  onResult?: ((result: Result) => void) | undefined;
  /** When aborted, it stops after the current one. */
  signal?: AbortSignal | undefined;
  /** Starts at most this many a minute, so that a service that has just come back is not overrun. */
  perMinute?: number | undefined;
}

/** Returns the results of those that were started; one without a result was cut off, and the last. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  { onResult, signal, perMinute }: Omit<InTurn<Result>, keyof By>,
  act: (item: Item) => Promise<Result | undefined>,
): Promise<Result[]> {
  const results: Result[] = [];
  const gapMs = perMinute ? MINUTE_MS / perMinute : 0;
  let notBefore = performance.now();
  for (const item of items) {
    const waitMs = notBefore - performance.now();
    if (waitMs > 0) await wait(waitMs, undefined, signal && { signal }).catch(() => undefined);
    if (signal?.aborted) break;
    notBefore = performance.now() + gapMs;
    const result = await act(item);
    if (result === undefined) break;
    results.push(result);
    onResult?.(result);
  }
  return results;
}

/** Each of these numbers, where a refusal of one does not stop the others. */
export function tryEach<Item, Result extends object>(
  act: EachAct<Item, Result>,
  ids: readonly number[],
  options: Omit<InTurn<Tried<Result>>, keyof By>,
): Promise<Tried<Result>[]> {
  return inTurn(ids, options, (id) => tryOne(act, id));
}
