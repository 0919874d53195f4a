/**
 * One POST to a receiver, within 10 s in all, to an allowed address. No redirects, no proxy from the
 * environment; 4 KiB of the answer are read.
 */
import { openSender, withinMs, type Reply, type Send, type Sender } from '../http/send.js';
import type { Config } from '../settings/config.js';
import { SecretBox } from './secret-box.js';
import type { Resolve } from './resolve.js';
import { isLiteral, targetOf, TargetRule } from './target.js';
import { ANSWER_WITHIN_MS, troubleOf } from './trouble.js';

export interface OutboundOptions {
  resolve?: Resolve;
  timeoutMs?: number;
  /** By default with connections of its own. */
  send?: Send | undefined;
}

export interface Posting {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
}

export interface Answer {
  /** `delivered` for 2xx, else a word for the failure. */
  outcome: string;
  /** Null when nobody answered. */
  status: number | null;
  headers: Record<string, string>;
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
  readonly #sender: Sender;

  constructor(config: Config, { resolve, timeoutMs = ANSWER_WITHIN_MS, send }: OutboundOptions = {}) {
    this.secrets = new SecretBox(config.dataDir);
    this.targets = new TargetRule(
      { allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts },
      resolve,
    );
    this.#timeoutMs = timeoutMs;
    this.#sender = { ...openSender(), ...(send && { send }) };
  }

  /** Never throws: failure is an outcome. */
  async post(posting: Posting): Promise<Answer> {
    const begun = performance.now();
    try {
      const reply = await withinMs(this.#timeoutMs, posting.signal, (signal) =>
        this.#exchange(posting, signal),
      );
      return { ...reply, ms: since(begun) };
    } catch (error) {
      return { outcome: troubleOf(error), status: null, headers: {}, body: '', ms: since(begun) };
    }
  }

  async #exchange({ url: text, headers, body }: Posting, signal: AbortSignal): Promise<Omit<Answer, 'ms'>> {
    const url = new URL(text);
    const target = targetOf(url);
    const dial = () => this.targets.dial(target);
    // Such a host is not resolved.
    if (isLiteral(target)) await dial();
    const reply = await this.#sender.send({ url, method: 'POST', headers, body, signal, dial });
    const { status } = reply;
    const outcome = status >= 200 && status <= 299 ? 'delivered' : `http_${status}`;
    return { outcome, status, headers: keptHeaders(reply.headers), body: await beginningOf(reply.body) };
  }

  close(): void {
    this.#sender.close();
  }
}

/** Reads only what is kept; leaving the loop early closes the connection. */
async function beginningOf(body: Reply['body']): Promise<string> {
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

function keptHeaders(headers: Reply['headers']): Record<string, string> {
  const kept = HEADERS_KEPT.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, String(headers[name]).slice(0, HEADER_LENGTH_MAX)]));
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}
