/**
 * One HTTP call to a provider, with the limits of the specification: 30 s a call, 60 s in all (spec 8). Repeats only
 * what is safe to repeat. An answer is read up to a cap, and its meaning decided by status, type and schema.
 */
import { ofetch } from 'ofetch';
import pRetry from 'p-retry';
import type { z } from 'zod';
import { NOT_MEASURED, type Metrics } from '../metrics.js';
import { failureOfStatus, ProviderError, type ProviderFailure } from './provider-error.js';

export interface HttpClientOptions {
  /** As it stands in messages: "signature provider". */
  name: string;
  baseUrl: string;
  /** Asked for at each call: a new key holds at once. */
  apiKey: () => string;
  callTimeoutMs?: number;
  totalTimeoutMs?: number;
  metrics?: Metrics;
}

export interface HttpCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: string | FormData | URLSearchParams;
  headers?: Record<string, string>;
  /** True when a second call does no harm: then trouble on the way is tried again. */
  isSafeToRepeat: boolean;
}

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const REPEATS = 2;

export class HttpClient {
  readonly #options: Required<HttpClientOptions>;

  constructor(options: HttpClientOptions) {
    this.#options = { callTimeoutMs: 30_000, totalTimeoutMs: 60_000, metrics: NOT_MEASURED, ...options };
  }

  /** The JSON answer, checked against `schema`; throws a ProviderError otherwise. */
  async json<T>(call: HttpCall, schema: z.ZodType<T>): Promise<{ body: T; headers: Headers }> {
    return this.#repeat(call, async (signal) => {
      const response = await this.#send(call, signal);
      const text = await this.#text(response);
      const parsed = schema.safeParse(parseJson(text));
      if (!parsed.success) {
        throw new ProviderError(
          'unavailable',
          `${this.#options.name} gave an answer that cannot be understood`,
        );
      }
      return { body: parsed.data, headers: response.headers };
    });
  }

  /** A binary answer as a stream, handed to `use`, which must read it to its end. */
  async stream<T>(call: HttpCall, use: (body: ReadableStream<Uint8Array>) => Promise<T>): Promise<T> {
    return this.#repeat(call, async (signal) => {
      const response = await this.#send(call, signal);
      if (!response.body)
        throw new ProviderError('unavailable', `${this.#options.name} sent an empty answer`);
      return use(response.body as ReadableStream<Uint8Array>);
    });
  }

  async #repeat<T>(call: HttpCall, once: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const total = AbortSignal.timeout(this.#options.totalTimeoutMs);
    const attempt = async () => {
      const begun = performance.now();
      const ended = (outcome: 'ok' | ProviderFailure) => this.#measure(outcome, begun);
      try {
        const answer = await once(AbortSignal.any([total, AbortSignal.timeout(this.#options.callTimeoutMs)]));
        ended('ok');
        return answer;
      } catch (caught) {
        const error = this.#classify(caught);
        if (error instanceof ProviderError) ended(error.reason);
        throw error;
      }
    };
    if (!call.isSafeToRepeat) return attempt();
    return pRetry(attempt, {
      retries: REPEATS,
      minTimeout: 300,
      factor: 2,
      randomize: false,
      shouldRetry: ({ error }) =>
        error instanceof ProviderError && error.reason === 'unavailable' && !total.aborted,
    });
  }

  #measure(outcome: 'ok' | ProviderFailure, begun: number): void {
    const { metrics, name } = this.#options;
    metrics.providerCalled({ provider: name, outcome, seconds: (performance.now() - begun) / 1000 });
  }

  async #send(call: HttpCall, signal: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey } = this.#options;
    const response = await ofetch.raw(`${baseUrl}${call.path}`, {
      method: call.method,
      ...(call.query && { query: call.query }),
      ...(call.body !== undefined && { body: call.body }),
      headers: { accept: 'application/json', ...call.headers, authorization: `Bearer ${apiKey()}` },
      signal,
      // ofetch would repeat GETs on its own, follow redirects with our key, and guess at the type of an answer.
      retry: false,
      redirect: 'manual',
      responseType: 'stream',
      ignoreResponseError: true,
    });
    // ofetch has taken the stream out of the response.
    const answer = new Response(response._data as ReadableStream<Uint8Array> | null, {
      status: response.status === 204 ? 200 : Math.max(response.status, 200),
      headers: response.headers,
    });
    if (response.status < 200 || response.status > 299) throw await this.#refusal(answer, response.status);
    return answer;
  }

  async #refusal(response: Response, status: number): Promise<ProviderError> {
    const detail = errorDetail(await this.#text(response).catch(() => ''));
    const message = `${this.#options.name} answered ${status}${detail ? ` (${detail})` : ''}`;
    return new ProviderError(failureOfStatus(status), message, {
      retryAfterMs: retryAfterMs(response.headers, status),
    });
  }

  async #text(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > ANSWER_BYTES_MAX)
        throw new ProviderError('unavailable', `${this.#options.name} sent too much`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #classify(error: unknown): Error {
    if (error instanceof ProviderError || !(error instanceof Error) || !isTransportError(error)) {
      return error instanceof Error ? error : new Error(String(error));
    }
    const isTimeout = rootCause(error).name === 'TimeoutError';
    const what = isTimeout ? 'did not answer in time' : `cannot be reached (${networkWord(error)})`;
    return new ProviderError('unavailable', `${this.#options.name} ${what}`, { cause: error });
  }
}

/** Trouble of ours (a full disk while the answer is stored) is no trouble of the provider. */
function isTransportError(error: Error): boolean {
  const root = rootCause(error);
  return (
    ['FetchError', 'TimeoutError', 'AbortError', 'SocketError'].includes(error.name) ||
    ['TimeoutError', 'SocketError'].includes(root.name) ||
    error instanceof TypeError ||
    /^(E(CONN|PIPE|HOST|NET|AI_|TIMEDOUT|NOTFOUND|PROTO)|UND_ERR)/.test(
      (root as NodeJS.ErrnoException).code ?? '',
    )
  );
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}

function networkWord(error: Error): string {
  const { code } = rootCause(error) as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED'
    ? 'connection refused'
    : code === 'ENOTFOUND'
      ? 'unknown host'
      : (code ?? 'connection lost');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The provider's own words about a refusal: `{detail}`, `{message}` or `{error: {message}}`. */
function errorDetail(text: string): string {
  const body = parseJson(text) as Record<string, unknown> | null | undefined;
  if (!body || typeof body !== 'object') return '';
  const inner = body['error'] as Record<string, unknown> | undefined;
  const words = inner?.['message'] ?? body['detail'] ?? body['message'] ?? '';
  return typeof words === 'string' ? words.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200) : '';
}

/** `Ratelimit-Reset` stands on every answer; only a refusal for too many calls makes it a wait. */
function retryAfterMs(headers: Headers, status: number): number | undefined {
  const reset = status === 429 ? headers.get('ratelimit-reset') : null;
  const seconds = Number(headers.get('retry-after') ?? reset);
  return seconds > 0 && seconds <= 86_400 ? seconds * 1000 : undefined;
}
