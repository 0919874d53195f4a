/**
 * A change: what is written, with its history, events and jobs, by one actor at one time, in one transaction.
 * Everything that changes something takes a `Change`, so that none of these is forgotten.
 */
import type { Db } from '../db/db.js';
import { moveRequest } from '../db/requests/requests.js';
import type { EventName, RequestRow, RequestStatus } from '../db/schema.js';
import type { Actor } from './actor.js';
import { overtakenByMove } from './cases/cases.js';
import { iso } from './clock.js';
import type { Context } from './context.js';
import { record, recordAll, type About, type HistoryWord } from './history/history.js';
import type { JobKind } from './jobs/kind.js';
import { enqueue, enqueueAgain, workOf, type EnqueuedJob } from './jobs/queue.js';
import type { Move } from './lifecycle.js';
import { keepDueAt } from './requests/due-date.js';
import { publishEvent, type EventSubject } from './webhooks/events.js';

interface MoveDetail {
  contractId?: number | null;
  reason?: string | undefined;
  /** The payments about which it decides. */
  payments?: readonly string[] | undefined;
}

/** Who changes something, and why, where a person says so. */
export interface By {
  actor: Actor;
  reason?: string | undefined;
}

/** Of what can be tried: with `dryRun` the providers are asked and the rules checked, and nothing is changed. */
export interface Try extends By {
  dryRun?: boolean | undefined;
}

/** Of what a person decides; the reason is never blank. */
export interface Deciding extends Try {
  reason: string;
}

/** Jobs of one lane run one after the other, in the order in which they are due. */
interface JobAbout extends Partial<About> {
  lane?: string;
  /** The first attempt is not earlier. */
  runAt?: string;
}

export class Change {
  readonly db: Db;
  readonly actor: Actor;
  /** Undefined when nobody gave one; the history then leaves it out. */
  readonly reason: string | undefined;
  readonly time: Date;
  readonly now: string;
  /** The requests about which something was recorded. */
  readonly #requests = new Set<number>();
  readonly #events = new Map<string, { event: EventName; about: EventSubject }>();

  constructor(db: Db, { actor, reason }: By, time: Date) {
    this.db = db;
    this.actor = actor;
    this.reason = reason || undefined;
    this.time = time;
    this.now = iso(time);
  }

  /** Records what was done. Undefined members of `detail` are left out. */
  record(what: HistoryWord, about: About | null, detail: Record<string, unknown> = {}): void {
    if (about) this.#touch(about);
    record(this.db, { at: this.now, actor: this.actor, what, requestId: null, ...about, detail });
  }

  recordAll(what: HistoryWord, all: readonly { about: About; detail: Record<string, unknown> }[]): void {
    for (const { about } of all) this.#touch(about);
    const entry = { at: this.now, actor: this.actor, what };
    recordAll(
      this.db,
      all.map(({ about, detail }) => ({ ...entry, ...about, detail })),
    );
  }

  /** Tells subscribers at the end of the change, once for each event and thing, with the latest state. */
  publish(event: EventName, about: EventSubject): void {
    this.#events.set(`${event} ${about.id}`, { event, about });
  }

  enqueue<Payload>(
    kind: JobKind<string, Payload>,
    payload: Payload,
    about: JobAbout | null = null,
  ): EnqueuedJob {
    return enqueue(this.db, workOf(kind, payload, { now: this.now, ...about }));
  }

  /** Enqueues a job. One with the same unique key that has ended starts over. */
  enqueueAgain<Payload>(
    kind: JobKind<string, Payload>,
    payload: Payload,
    about: JobAbout | null = null,
  ): EnqueuedJob {
    return enqueueAgain(this.db, workOf(kind, payload, { now: this.now, ...about }));
  }

  /** Moves a request if its status allows it, writes history and publishes the event. False when another call was faster. */
  moveRequest(
    request: RequestRow,
    move: Move<RequestStatus>,
    { contractId = null, ...detail }: MoveDetail = {},
  ): boolean {
    if (!moveRequest(this.db, { id: request.id, ...move, now: this.now })) return false;
    const { status: from, id: requestId } = request;
    this.record('request.moved', { requestId, contractId }, { from, to: move.to, ...detail });
    this.publish('request.updated', { ...request, status: move.to });
    overtakenByMove(this, requestId);
    return true;
  }

  #touch({ requestId }: About): void {
    if (requestId !== null) this.#requests.add(requestId);
  }

  /** Stores from when on the office has to look at each request, and publishes the events: the last step of a change. */
  finish(): void {
    for (const requestId of this.#requests) keepDueAt(this.db, requestId);
    for (const happening of this.#events.values()) publishEvent(this.db, { ...happening, now: this.now });
  }
}

/** Makes a change; resolves when it is on disk. When `act` throws, nothing is written. `act` is synchronous. */
export function change<T>(
  { writer, clock }: Pick<Context, 'writer' | 'clock'>,
  by: By,
  act: (tx: Change) => T,
): Promise<T> {
  return writer.write((db) => {
    const tx = new Change(db, by, clock.now());
    const result = act(tx);
    tx.finish();
    return result;
  });
}

/** The same, but a dry run takes it back: what it would have made is what it answers. */
export async function attempt<T>(
  ctx: Pick<Context, 'writer' | 'clock'>,
  { dryRun = false, ...by }: Try,
  act: (tx: Change) => T,
): Promise<T> {
  if (!dryRun) return change(ctx, by, act);
  // Resolved before it is taken back; the unit is synchronous, so nobody sees it in between.
  return new Promise((resolve, reject) => {
    change(ctx, by, (tx) => {
      resolve(act(tx));
      throw new Error('a dry run changes nothing');
    }).catch(reject);
  });
}
