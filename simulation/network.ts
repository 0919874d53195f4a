/** The network: every call between two programs takes time, may get lost on its way, and so may its answer. */
import { buffer } from 'node:stream/consumers';
import type { Chance } from './machine/chance.js';
import type { Process, Scheduler } from './machine/scheduler.js';
import type { Send } from '../src/core/http/send.js';
import { once } from '../src/core/once.js';
import { isLost } from '../sandbox/fault-gate.js';
import type { Trace } from './trace.js';

export interface Call {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
  signal?: AbortSignal | undefined;
  /** The caller's address. */
  from?: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** A program that answers calls. */
export interface Host {
  /** Undefined while it is down. */
  process: Process | undefined;
  answer(request: Request, from: string): Response | Promise<Response>;
}

/** Sees every call. */
export interface Watcher {
  /** Returns what is to be done when the caller waits no longer. */
  begun: (call: Call, caller: Process) => () => void;
  /** The moment in which a program answers, whatever becomes of the answer. */
  answered: (call: Call, answer: Answer) => void;
}

/** What may become of a call, as probabilities. */
export interface Weather {
  lostCall: number;
  lostAnswer: number;
  slow: number;
}

export const FAIR: Weather = { lostCall: 0, lostAnswer: 0, slow: 0 };

const SLOW_MS = [1_000, 45_000] as const;
const NOBODY_ANSWERS_MS = 5;

export class Network {
  #weather: Weather = FAIR;
  /** Since when no call gets lost or takes long. */
  fairSince = -Infinity;
  readonly #watchers: Watcher[] = [];
  readonly #ambushes = new Map<string, () => void>();
  readonly #hosts = new Map<string, Host>();
  readonly #scheduler: Scheduler;
  readonly #chance: Chance;
  readonly #trace: Trace;
  /** Calls that wait for an answer of a process, to be cut when it dies. */
  readonly #waiting = new Map<Process, Set<() => void>>();

  constructor(scheduler: Scheduler, chance: Chance, trace: Trace) {
    this.#scheduler = scheduler;
    this.#chance = chance;
    this.#trace = trace;
  }

  get weather(): Weather {
    return this.#weather;
  }

  set weather(weather: Weather) {
    if (weather !== FAIR) this.fairSince = Infinity;
    else if (this.#weather !== FAIR) this.fairSince = this.#scheduler.now;
    this.#weather = weather;
  }

  /** `name`: of the host, or of the host with a path, for one of several programs behind it. */
  connect(name: string, host: Host): void {
    this.#hosts.set(name, host);
  }

  /** Calls `act` as soon as a program of this name makes a call. */
  ambush(name: string, act: () => void): void {
    this.#ambushes.set(name, act);
  }

  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  /** Rejects like a socket, or with the reason of the signal. */
  call(call: Call): Promise<Answer> {
    const scheduler = this.#scheduler;
    const caller = scheduler.process();
    this.#ambushes.get(caller.name)?.();
    this.#ambushes.delete(caller.name);
    const { hostname, pathname } = new URL(call.url);
    const host = this.#hosts.get(hostname + pathname) ?? this.#hosts.get(hostname);
    const name = `${caller.name} ${call.method} ${hostname}${pathname}`;
    return new Promise<Answer>((resolve, reject) => {
      const givenUp = once(() => new AbortController());
      const ended = this.#watchers.map((watcher) => watcher.begun(call, caller));
      let isOver = false;
      const end = (act: () => void) => {
        if (isOver) return;
        isOver = true;
        for (const tell of ended) tell();
        call.signal?.removeEventListener('abort', giveUp);
        act();
      };
      const giveUp = () =>
        end(() => {
          givenUp().abort();
          reject(call.signal?.reason as Error);
        });
      const cut = (code: string, ms: number) =>
        void scheduler.after(
          ms,
          () =>
            end(() => {
              this.#trace.add(`${name}: ${code}`);
              scheduler.happened();
              reject(Object.assign(new Error(`simulated ${code}`), { code }));
            }),
          caller,
        );
      if (call.signal?.aborted) return giveUp();
      call.signal?.addEventListener('abort', giveUp, { once: true });
      const { lostCall, lostAnswer, slow } = this.weather;
      const chance = this.#chance;
      const delays = [chance.wait(8, 300), chance.wait(8, 300)] as const;
      const slowMs = chance.happens(slow) ? chance.between(...SLOW_MS) : 0;
      const isCallLost = chance.happens(lostCall);
      const isAnswerLost = chance.happens(lostAnswer);
      const slowSide = chance.int(0, 1);
      if (!host) return cut('ENOTFOUND', NOBODY_ANSWERS_MS);
      if (isCallLost) return cut('ECONNRESET', delays[0]);
      const arrive = () => {
        const server = host.process;
        if (!server?.isAlive) return cut('ECONNREFUSED', NOBODY_ANSWERS_MS);
        const atItsDeath = () => cut('ECONNRESET', NOBODY_ANSWERS_MS);
        const waiting = this.#waiting.get(server) ?? new Set();
        this.#waiting.set(server, waiting.add(atItsDeath));
        scheduler.happened();
        scheduler.in(server, () => {
          this.#answer(host, call, () => givenUp().signal).then(
            (answer) => {
              waiting.delete(atItsDeath);
              this.#trace.add(
                `${name}: ${answer?.status ?? 'cut'}${isAnswerLost ? ', and the answer gets lost' : ''}`,
              );
              if (!answer || isAnswerLost) return cut('ECONNRESET', delays[1]);
              const arriveBack = () =>
                end(() => {
                  scheduler.happened();
                  resolve(answer);
                });
              scheduler.after(delays[1] + (slowSide === 1 ? slowMs : 0), arriveBack, caller);
              return undefined;
            },
            (error: unknown) => {
              waiting.delete(atItsDeath);
              this.#trace.broken(`${name}: ${(error as Error).stack}`);
              cut('ECONNRESET', 0);
            },
          );
        });
      };
      // Calls on their way outlive the caller.
      scheduler.after(delays[0] + (slowSide === 0 ? slowMs : 0), arrive, scheduler.nobody);
    });
  }

  async #answer(host: Host, call: Call, signal: () => AbortSignal): Promise<Answer | undefined> {
    const { method, url, headers, body, from = '192.0.2.1' } = call;
    const request = new Request(url, {
      method,
      headers,
      ...(body && { body: new Uint8Array(body) }),
    });
    // Few ask for it, and making one for each call takes long.
    Object.defineProperty(request, 'signal', { get: signal });
    const response = await host.answer(request, from);
    if (isLost(response)) return undefined;
    const content = Buffer.from(await response.arrayBuffer());
    const sent = Object.fromEntries(response.headers);
    // There may be several, each a line of its own.
    if (sent['set-cookie']) sent['set-cookie'] = response.headers.getSetCookie().join('\n');
    const answer = { status: response.status, headers: sent, body: content };
    for (const watcher of this.#watchers) watcher.answered(call, answer);
    return answer;
  }

  /** To be called when it has died. */
  died(process: Process): void {
    for (const cut of this.#waiting.get(process) ?? []) cut();
    this.#waiting.delete(process);
  }
}

/** The service's way into the network. */
export function simulatedSend(network: Network): Send {
  return async ({ url, method, headers, body, signal }) => {
    const content = typeof body === 'object' ? await buffer(body) : body && Buffer.from(body);
    const answer = await network.call({
      method,
      url: url.href,
      headers,
      body: content || undefined,
      signal,
    });
    return { ...answer, body: inPieces(answer.body) };
  };
}

const PIECE_BYTES = 64 * 1024;

async function* inPieces(body: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}

/** The way of `fetch` into the network. */
export function simulatedFetch(network: Network): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const { method = 'GET', body, signal } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const content = body ? Buffer.from(body as string | Uint8Array) : undefined;
    const call = { method, url, headers, body: content, signal: signal ?? undefined };
    const answer = await network.call(call).catch((error: Error) => {
      throw signal?.aborted ? error : new TypeError('fetch failed', { cause: error });
    });
    const isEmpty = [204, 304].includes(answer.status);
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}
