/** Plain HTTP with a time-out. Redirects are not followed; errors name the call. */
import { ofetch } from 'ofetch';
import type { z } from 'zod';

export interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
  text: string;
}

export interface Call {
  signal: AbortSignal;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: string | object;
}

const TIMEOUT_MS = 15_000;

const once = ofetch.create({ retry: false, redirect: 'manual', ignoreResponseError: true });

/** One call. Resolves with an answer of any status; rejects when there is none. */
export async function call(url: string, { signal, ...init }: Call): Promise<Answer> {
  const patience = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { status, headers, _data } = await once.raw(url, {
      ...init,
      responseType: 'arrayBuffer',
      signal: AbortSignal.any([signal, patience]),
    });
    const body = Buffer.from(_data ?? new ArrayBuffer());
    return { status, headers, body, text: body.toString('utf8') };
  } catch (error) {
    signal.throwIfAborted();
    const why = patience.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error);
    throw new Error(`${nameOf(url, init.method)}: ${why}`, { cause: error });
  }
}

/** The same, but any status other than `status` rejects. */
export async function callFor(status: number, url: string, how: Call): Promise<Answer> {
  const answer = await call(url, how);
  if (answer.status === status) return answer;
  const said = answer.text.replaceAll(/\s+/g, ' ').slice(0, 200);
  throw new Error(`${nameOf(url, how.method)} answered ${answer.status} instead of ${status}: ${said}`);
}

/** The same, with the answer as the schema reads it. */
export async function callJson<T>(schema: z.ZodType<T>, status: number, url: string, how: Call): Promise<T> {
  return schema.parse(JSON.parse((await callFor(status, url, how)).text));
}

/** Without the query, which may hold a token. */
function nameOf(url: string, method = 'GET'): string {
  const { origin, pathname } = new URL(url);
  return `${method} ${origin}${pathname}`;
}

/** The innermost cause: what the network said. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return 'code' in error ? String(error.code) : error.message;
}
