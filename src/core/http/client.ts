/**
 * One HTTP call to a provider, within 30 s a call and 60 s in all (rules 11). Only safe calls are repeated. An answer
 * is read up to a limit and judged by status, type and schema. Calls are written and read by ofetch; the exchange beneath
 * it is ours (ADR 6).
 */
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import type { $Fetch, FetchOptions } from 'ofetch';
import pRetry from 'p-retry';
import type { z } from 'zod';
import { MINUTE_MS } from '../clock.js';
import { NOT_MEASURED, type Metrics } from '../status/metrics.js';
import { CallCut, ProviderError, type ProviderFailure } from './provider-error.js';
import { parseJson, refusedBy, type TypeOfError } from './refusal.js';
import { openSender, withinMs, type Reply, type Send } from './send.js';

export interface HttpClientOptions {
  name: string;
  baseUrl: string;
  /** Read at each call, so that a new key is used at once. */
  apiKey: () => string;
  typeOfError: TypeOfError;
  callTimeoutMs?: number;
  totalTimeoutMs?: number;
  /** The pause before the first repeat; doubles each time. */
  repeatAfterMs?: number;
  metrics?: Metrics;
  /** On abort, running and new calls fail with a CallCut. */
  cut?: AbortSignal | undefined;
  /** Throws while nothing may be changed there; calls that only read are made all the same. */
  refuseChanges?: () => void;
  /** By default with connections of its own. */
  send?: Send | undefined;
}

export interface HttpCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  /** An object is sent as JSON, or as the form that the headers name. */
  body?: object | Readable;
  headers?: Record<string, string>;
  /** A second call does no harm, so network trouble is retried. */
  isSafeToRepeat: boolean;
  /** A shorter limit than the client's, for all attempts together. */
  withinMs?: number | undefined;
}

export type ProviderOptions = Omit<HttpClientOptions, 'name' | 'typeOfError'>;

export function get(path: string, query?: Record<string, string>): HttpCall {
  return { method: 'GET', path, ...(query && { query }), isSafeToRepeat: true };
}

interface Exchange {
  method: string;
  headers: Headers;
  body: string | Readable | undefined;
  signal: AbortSignal;
  responseType: string | undefined;
}

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const REPEATS = 2;

export class HttpClient {
  readonly #options: Required<Omit<HttpClientOptions, 'send'>>;
  readonly #send: Send;
  #fetch: $Fetch | undefined;

  constructor({ send, ...options }: HttpClientOptions) {
    this.#send = send ?? openSender().send;
    this.#options = {
      callTimeoutMs: 30_000,
      totalTimeoutMs: MINUTE_MS,
      repeatAfterMs: 300,
      metrics: NOT_MEASURED,
      cut: undefined,
      refuseChanges: () => undefined,
      ...options,
    };
  }

  /** The JSON answer, checked against `schema`, and with this id, if given; throws a ProviderError otherwise. */
  async json<T>(call: HttpCall, schema: z.ZodType<T>, id?: string): Promise<{ body: T; headers: Headers }> {
    return this.#repeat(call, async (signal) => {
      const { _data, headers } = await this.#ask(call, signal, { parseResponse: parseJson });
      const parsed = schema.safeParse(_data);
      // Not a literal in the schema: zod compiles each schema, which takes longer than the call.
      const isMeant = id === undefined || (_data as { id?: unknown } | null)?.id === id;
      if (!parsed.success || !isMeant) throw this.#unavailable('gave an answer that cannot be understood');
      return { body: parsed.data, headers };
    });
  }

  async stream<T>(call: HttpCall, use: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    return this.#repeat(call, async (signal) => {
      const { _data } = await this.#ask(call, signal, { responseType: 'stream' });
      return use(_data as AsyncIterable<Uint8Array>);
    });
  }

  async #repeat<T>(call: HttpCall, once: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { name, cut, refuseChanges } = this.#options;
    if (call.method !== 'GET') refuseChanges();
    if (cut?.aborted) throw new CallCut(name, { mayHaveActed: false });
    try {
      return await this.#tries(call, once);
    } catch (error) {
      throw cut?.aborted ? new CallCut(name, { mayHaveActed: !call.isSafeToRepeat }) : error;
    }
  }

  async #tries<T>(call: HttpCall, once: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { totalTimeoutMs, callTimeoutMs, cut } = this.#options;
    const deadline = performance.now() + Math.min(totalTimeoutMs, call.withinMs ?? Infinity);
    const attempt = async () => {
      const begun = performance.now();
      try {
        const answer = await withinMs(Math.max(1, Math.min(callTimeoutMs, deadline - begun)), cut, once);
        this.#measure('ok', begun);
        return answer;
      } catch (error) {
        if (error instanceof ProviderError) this.#measure(error.reason, begun);
        throw error;
      }
    };
    if (!call.isSafeToRepeat) return attempt();
    return pRetry(attempt, {
      retries: REPEATS,
      minTimeout: this.#options.repeatAfterMs,
      factor: 2,
      randomize: false,
      ...(cut && { signal: cut }),
      shouldRetry: ({ error }) =>
        error instanceof ProviderError && error.reason === 'unavailable' && performance.now() < deadline,
    });
  }

  #measure(outcome: 'ok' | ProviderFailure, begun: number): void {
    const { metrics, name } = this.#options;
    metrics.providerCalled({ provider: name, outcome, seconds: (performance.now() - begun) / 1000 });
  }

  /** `reading`: how ofetch reads the answer. */
  async #ask<R extends 'json' | 'stream'>(call: HttpCall, signal: AbortSignal, reading: FetchOptions<R>) {
    const { baseUrl: baseURL, apiKey } = this.#options;
    const { path, method, query = {}, body } = call;
    const headers = {
      accept: 'application/json',
      'user-agent': 'esign',
      ...call.headers,
      authorization: `Bearer ${apiKey()}`,
    };
    const asked = { method, query, headers, signal, ...(body && { body: body as RequestInit['body'] }) };
    // Most commands call nobody, and loading it takes as long as such a command.
    const { createFetch, FetchError } = await import('ofetch');
    this.#fetch ??= createFetch({
      fetch: (url, init) => this.#exchange(url as string, init as Exchange),
      defaults: { retry: false },
    });
    try {
      return await this.#fetch.raw<unknown, R>(path, { ...reading, ...asked, baseURL });
    } catch (error) {
      throw error instanceof FetchError ? error.cause : error;
    }
  }

  /** What ofetch takes for `fetch`; throws a ProviderError for any answer but 2xx. */
  async #exchange(url: string, { method, headers, body, signal, responseType }: Exchange): Promise<Response> {
    const call = { url: new URL(url), method, headers: Object.fromEntries(headers), body, signal };
    const reply = await this.#send(call).catch((error: unknown) => {
      throw this.#lost(error);
    });
    // Redirects are refused; following one would send our key elsewhere.
    if (reply.status < 200 || reply.status > 299) throw await this.#refusal(reply);
    return answerOf(reply, responseType === 'stream' ? this.#read(reply.body) : this.#limited(reply.body));
  }

  async #refusal(reply: Reply): Promise<ProviderError> {
    const { name, typeOfError } = this.#options;
    const { status, headers } = reply;
    const text = await textOf(this.#limited(reply.body)).catch(() => '');
    return refusedBy(name, { status, headers, text }, typeOfError);
  }

  async *#limited(body: Reply['body']): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of this.#read(body)) {
      size += chunk.byteLength;
      if (size > ANSWER_BYTES_MAX) throw this.#unavailable('sent too much');
      yield chunk;
    }
  }

  /**
   * The bytes of an answer. Only network trouble becomes a ProviderError; the reader's own, such as a full disk, does
   * not.
   */
  async *#read(body: Reply['body']): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw this.#lost(error);
    }
  }

  #lost(error: unknown): ProviderError {
    const root = rootCause(error as Error);
    const what =
      root.name === 'TimeoutError' ? 'did not answer in time' : `cannot be reached (${networkWord(root)})`;
    return this.#unavailable(what, error);
  }

  #unavailable(what: string, cause?: unknown): ProviderError {
    return new ProviderError('unavailable', `${this.#options.name} ${what}`, { cause });
  }
}

/**
 * What ofetch reads of an answer. A `Response` would put two more streams around the bytes. Always 200: others are refused before, and
 * of some, such as 204, it would read no body.
 */
function answerOf({ headers }: Reply, body: AsyncIterable<Uint8Array>): Response {
  const read = { status: 200, headers: new Headers(headers as Record<string, string>), body };
  return { ...read, text: () => textOf(body) } as unknown as Response;
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}

function networkWord({ code }: NodeJS.ErrnoException): string {
  return code === 'ECONNREFUSED'
    ? 'connection refused'
    : code === 'ENOTFOUND'
      ? 'unknown host'
      : (code ?? 'connection lost');
}
