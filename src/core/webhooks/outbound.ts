/**
 * One POST to a receiver, within 10 s in all, to an allowed address. No redirects, no proxy from the
 * environment; 4 KiB of the answer are read.
 */
import type { LookupFunction } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import type { Config } from '../settings/config.js';
import { SecretBox } from './secret-box.js';
import type { Address, Resolve } from './resolve.js';
import { targetOf, TargetRule } from './target.js';
import { ANSWER_WITHIN_MS, troubleOf } from './trouble.js';

export interface OutboundOptions {
  resolve?: Resolve;
  timeoutMs?: number;
  /** Sends the deliveries, in place of the agent that judges what it dials. */
  dispatcher?: Dispatcher | undefined;
}

export interface Posting {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Aborts it. */
  signal?: AbortSignal;
}

export interface Answer {
  /** `delivered` for 2xx, else a word for the failure. */
  outcome: string;
  /** Null when nobody answered. */
  status: number | null;
  headers: Record<string, string>;
  /** The beginning of the body. */
  body: string;
  ms: number;
}

const ANSWER_BYTES_MAX = 4_096;
const HEADERS_KEPT = [
  'content-type',
  'content-length',
  'location',
  'retry-after',
  'server',
  'date',
  'x-request-id',
];
const HEADER_LENGTH_MAX = 200;

export class Outbound {
  readonly secrets: SecretBox;
  readonly targets: TargetRule;
  readonly #timeoutMs: number;
  readonly #dispatcher: Dispatcher | undefined;
  #client: Promise<Client> | undefined;

  constructor(config: Config, { resolve, timeoutMs = ANSWER_WITHIN_MS, dispatcher }: OutboundOptions = {}) {
    this.secrets = new SecretBox(config.dataDir);
    this.targets = new TargetRule(
      { allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts },
      resolve,
    );
    this.#timeoutMs = timeoutMs;
    this.#dispatcher = dispatcher;
  }

  /** Never throws: failure is an outcome. */
  async post(posting: Posting): Promise<Answer> {
    // Loaded on demand: most commands send nothing.
    this.#client ??= openClient(this.targets, this.#timeoutMs);
    const { request, agent } = await this.#client;
    const dispatcher = this.#dispatcher ?? agent;
    const begun = performance.now();
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new DOMException('too slow', 'TimeoutError')),
      this.#timeoutMs,
    );
    const stop = () => limit.abort(posting.signal?.reason);
    posting.signal?.addEventListener('abort', stop);
    try {
      const response = await request(posting.url, {
        method: 'POST',
        headers: posting.headers,
        body: posting.body,
        dispatcher,
        signal: limit.signal,
      });
      const body = await beginningOf(response.body);
      const { statusCode: status } = response;
      const outcome = status >= 200 && status <= 299 ? 'delivered' : `http_${status}`;
      return { outcome, status, headers: keptHeaders(response.headers), body, ms: since(begun) };
    } catch (error) {
      return { outcome: troubleOf(error), status: null, headers: {}, body: '', ms: since(begun) };
    } finally {
      clearTimeout(timer);
      posting.signal?.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    const client = await this.#client;
    this.#client = undefined;
    await client?.agent.destroy();
  }
}

interface Client {
  request: typeof import('undici').request;
  agent: Agent;
}

async function openClient(targets: TargetRule, timeoutMs: number): Promise<Client> {
  const { Agent, buildConnector, request } = await import('undici');
  const agent = new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: (options, callback) => {
      // Connects to the addresses that were checked, without resolving the name again.
      const connectTo = (addresses: Address[]) =>
        buildConnector({ timeout: timeoutMs, lookup: answering(addresses) })(options, callback);
      const refuse = (error: Error) => callback(error, null);
      targets.dial(targetOf(options)).then(connectTo, refuse);
    },
  });
  return { request, agent };
}

function answering(addresses: Address[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses as [Address];
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** Reads only what is kept; leaving the loop early closes the connection. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_BYTES_MAX) break;
    }
  } catch {
    // Cut off, or too slow: the status is known and counts.
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8').replaceAll('\0', '\uFFFD');
}

function keptHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const kept = HEADERS_KEPT.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, String(headers[name]).slice(0, HEADER_LENGTH_MAX)]));
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}
